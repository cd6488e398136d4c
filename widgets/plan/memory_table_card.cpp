// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/memory_table_card.h"

#include "canvases/memory_bars.h"
#include "models/figure_table.h"
#include "models/stage_memory_model.h"

#include <QEvent>
#include <QHeaderView>

#include <algorithm>
#include <numeric>

namespace meshwright {

namespace {
constexpr int rowHeight = 24;
constexpr int namePadding = 18; ///< padding of the header, left plus right
constexpr int valuePadding = 16; ///< padding of a cell, left plus right
constexpr int headerWidth = 64;
constexpr int maxRows = 16; ///< maximum number of rows before the table scrolls
} // namespace

MemoryTableCard::MemoryTableCard(QWidget *parent)
    : ResultCard(tr("Memory by stage and kind"), parent)
    , m_model(new StageMemoryModel(this))
    , m_table(new FigureTable(this)) {
    setObjectName(QStringLiteral("memoryTableCard"));
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Memory by stage and kind, in GB"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionMode(QAbstractItemView::ContiguousSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    m_table->verticalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setFixedWidth(headerWidth);
    m_table->viewport()->installEventFilter(this);
    setBody(m_table);
}

void MemoryTableCard::showResult(const Result &result) {
    setSubtitle(tr("GB at each stage's peak"));
    m_model->setMemory(result.memory);
    const int rows = std::min(m_model->rowCount(), maxRows);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows * rowHeight + 2);
    fitColumns();
}

/// The vertical scroll bar also changes the room for the columns.
bool MemoryTableCard::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    return ResultCard::eventFilter(watched, event);
}

std::vector<int> MemoryTableCard::widthsFor(const QStringList &titles) const {
    const QFontMetrics names = m_table->horizontalHeader()->fontMetrics();
    const QFontMetrics values = m_table->fontMetrics();
    std::vector<int> widths;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        int width = names.horizontalAdvance(titles.value(column)) + namePadding;
        for (int row = 0; row < m_model->rowCount(); ++row)
            width =
                std::max(width, values.horizontalAdvance(m_model->index(row, column).data().toString()) + valuePadding);
        widths.push_back(width);
    }
    return widths;
}

/// Distributes spare width over the columns. If their names do not fit, columns are named by the letters of the bars.
void MemoryTableCard::fitColumns() {
    QStringList names;
    QStringList letters;
    const int columns = m_model->columnCount();
    for (int column = 0; column < columns; ++column) {
        names << StageMemoryModel::nameOf(column);
        letters << (column < MemoryKindCount ? MemoryBars::kindLetter(static_cast<MemoryKind>(column)) : names.last());
    }
    const int room = m_table->viewport()->width();
    std::vector<int> widths = widthsFor(names);
    const bool isRoomy = std::accumulate(widths.begin(), widths.end(), 0) <= room;
    if (!isRoomy)
        widths = widthsFor(letters);
    m_model->setBriefTitles(isRoomy ? QStringList() : letters);
    const int spare = std::max(0, room - std::accumulate(widths.begin(), widths.end(), 0));
    for (int column = 0; column < columns; ++column)
        m_table->horizontalHeader()->resizeSection(
            column, widths[static_cast<std::size_t>(column)] + spare / columns + (column < spare % columns ? 1 : 0));
}

} // namespace meshwright

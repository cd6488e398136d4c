// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/memory_table_card.h"

#include "models/figure_table.h"
#include "models/stage_memory_model.h"

#include <QHeaderView>

#include <algorithm>

namespace meshwright {

namespace {
constexpr int rowHeight = 24;
/// Column width in pixels that fits every card which shows the table.
constexpr int roomyColumn = 63;
constexpr int namePadding = 18; ///< padding of the header, left plus right
constexpr int headerWidth = 64;
constexpr int maxRows = 16; ///< further stages scroll
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
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    m_table->verticalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setFixedWidth(headerWidth);
    setBody(m_table);
}

void MemoryTableCard::showResult(const Result &result) {
    setSubtitle(tr("GB at each stage's peak"));
    m_model->setMemory(result.memory);
    // Columns share the width, but none is narrower than its name, which can be measured only once fonts are set.
    QHeaderView *header = m_table->horizontalHeader();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const QString name = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int needed = header->fontMetrics().horizontalAdvance(name) + namePadding;
        const bool wide = needed > roomyColumn;
        header->setSectionResizeMode(column, wide ? QHeaderView::Fixed : QHeaderView::Stretch);
        if (wide)
            header->resizeSection(column, needed);
    }
    const int rows = std::min(m_model->rowCount(), maxRows);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + rows * rowHeight + 2);
}

} // namespace meshwright

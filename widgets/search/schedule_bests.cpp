// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/schedule_bests.h"

#include "controls/figure_event.h"
#include "controls/figure_sentence.h"
#include "controls/pill.h"
#include "controls/small_marks.h"
#include "gantt/schedule_names.h"
#include "panels/figure_text.h"
#include "search/layout_selection.h"

#include <QGridLayout>
#include <QHBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {
constexpr int cellWidth = 300; ///< for a name, a step, a headroom and a mark
constexpr int mostColumns = 5;
} // namespace

ScheduleBests::ScheduleBests(LayoutSelection *selection, QWidget *parent)
    : Card(tr("Best of each schedule"), tr("a name filters the table"), parent)
    , m_selection(selection)
    , m_cells(new QGridLayout) {
    setObjectName(QStringLiteral("scheduleBests"));
    m_cells->setContentsMargins(0, 0, 0, 0);
    m_cells->setHorizontalSpacing(20);
    m_cells->setVerticalSpacing(4);
    contentLayout()->addLayout(m_cells);
    connect(selection, &LayoutSelection::answerChanged, this, &ScheduleBests::showAnswer);
    hide();
}

QWidget *ScheduleBests::newCell(const LayoutRow &row) {
    const Schedule schedule = row.entry.plan.parallelism.schedule;
    const QString reason = QString::fromStdString(row.entry.reason);
    auto *cell = new QWidget(this);
    auto *line = new QHBoxLayout(cell);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    auto *name = new LinkButton(scheduleText(schedule), cell);
    name->setTrailingIcon({});
    name->setToolTip(QStringList{scheduleSentence(schedule), reason}.join(QLatin1Char('\n')).trimmed());
    showsNoFigures(name, NotFigures::name);
    connect(name, &QAbstractButton::clicked, this, [this, schedule] {
        Q_EMIT filterWanted(QStringLiteral("schedule=") + QString::fromStdString(name_of(schedule)));
    });
    const QString step = figureText(row.entry.step_seconds, Quantity::seconds);
    const QString headroom = figureText(row.entry.headroom_bytes, Quantity::bytes);
    auto *figures = new FigureSentence(TypeRole::Body, ColourRole::Text, TextWeight::Regular, cell);
    figures->setSentence(tr("%1, headroom %2").arg(step, headroom),
                         {{step.toStdString(), m_selection->pathOf(row, ColumnId::step).toStdString()},
                          {headroom.toStdString(), m_selection->pathOf(row, ColumnId::headroom).toStdString()}});
    connect(figures, &FigureSentence::figureWanted, this, &ScheduleBests::figureWanted);
    line->addWidget(name, 0, Qt::AlignVCenter);
    line->addWidget(figures, 1, Qt::AlignVCenter);
    if (!row.entry.runnable) {
        auto *mark = new Pill(tr("cannot run"), Tone::Warn, cell);
        mark->setToolTip(reason);
        line->addWidget(mark, 0, Qt::AlignVCenter);
    }
    return cell;
}

void ScheduleBests::showAnswer() {
    while (QLayoutItem *item = m_cells->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_columns = 0;
    const SearchAnswer *answer = m_selection->answer();
    const bool any = answer != nullptr && answer->fits && answer->schedules.size() > 1;
    setVisible(any);
    if (!any)
        return;
    for (const LayoutRow &row : answer->schedules)
        m_cells->addWidget(newCell(row), 0, m_cells->columnCount());
    arrange();
}

void ScheduleBests::arrange() {
    const int columns = std::clamp(width() / cellWidth, 1, mostColumns);
    if (columns == m_columns)
        return;
    m_columns = columns;
    QList<QWidget *> cells;
    while (QLayoutItem *item = m_cells->takeAt(0)) {
        cells << item->widget();
        delete item;
    }
    for (int i = 0; i < cells.size(); ++i)
        m_cells->addWidget(cells[i], i / columns, i % columns);
    for (int column = 0; column <= mostColumns; ++column)
        m_cells->setColumnStretch(column, column < columns ? 1 : 0);
}

void ScheduleBests::resizeEvent(QResizeEvent *event) {
    Card::resizeEvent(event);
    arrange();
}

} // namespace meshwright

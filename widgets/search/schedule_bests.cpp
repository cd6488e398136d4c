// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/schedule_bests.h"

#include "controls/pill.h"
#include "controls/small_marks.h"
#include "figures/figure_event.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "search/configuration_selection.h"
#include "search/configuration_text.h"

#include <QGridLayout>
#include <QHBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int cellWidth = 390; ///< width in pixels of a column group: name, step time, headroom and mark
constexpr int maxColumns = 4;
constexpr int partsOfCell = 3;

/// A pipeline of one stage has no schedule.
bool hasSchedule(const LayoutRow &row) {
    return row.entry.plan.parallelism.pipeline > 1;
}

QString nameOf(const LayoutRow &row) {
    return hasSchedule(row) ? scheduleText(row.entry.plan.parallelism.schedule) : ScheduleBests::tr("No pipeline");
}

QString filterOf(const LayoutRow &row) {
    return hasSchedule(row) ? QStringLiteral("schedule=%1 pipeline>1")
                                  .arg(QString::fromStdString(name_of(row.entry.plan.parallelism.schedule)))
                            : QStringLiteral("pipeline=1");
}

} // namespace

ScheduleBests::ScheduleBests(ConfigurationSelection *selection, QWidget *parent)
    : Card(tr("Best per schedule"), tr("click a name to filter the table"), parent)
    , m_selection(selection)
    , m_cells(new QGridLayout) {
    setObjectName(QStringLiteral("scheduleBests"));
    m_cells->setContentsMargins(0, 0, 0, 0);
    m_cells->setHorizontalSpacing(12);
    m_cells->setVerticalSpacing(4);
    contentLayout()->addLayout(m_cells);
    connect(selection, &ConfigurationSelection::answerChanged, this, &ScheduleBests::showAnswer);
    hide();
}

QWidget *ScheduleBests::newName(const LayoutRow &row) {
    const QString sentence = hasSchedule(row) ? scheduleSentence(row.entry.plan.parallelism.schedule)
                                              : tr("One stage: every rank has all layers");
    auto *name = new LinkButton(nameOf(row), this);
    name->setTrailingIcon({});
    name->setToolTip(QStringList{sentence, QString::fromStdString(row.entry.reason)}.join(QLatin1Char('\n')).trimmed());
    showsNoFigures(name, NotFigures::name);
    connect(name, &QAbstractButton::clicked, this, [this, filter = filterOf(row)] { Q_EMIT filterWanted(filter); });
    return name;
}

QWidget *ScheduleBests::newFigures(const LayoutRow &row) {
    const QString step = figureText(row.entry.step_seconds, Quantity::seconds);
    const QString headroom = figureText(row.entry.headroom_bytes, Quantity::bytes);
    auto *figures = new FigureSentence(TypeRole::Body, ColourRole::Text, TextWeight::Regular, this);
    figures->setSentence(filled(tr("%1, headroom %2"), said(step, m_selection->pathOf(row, ColumnId::step)),
                                said(headroom, m_selection->pathOf(row, ColumnId::headroom))));
    return figures;
}

/// A mark for a configuration that the plan's software cannot run. Null for any other.
QWidget *ScheduleBests::newMark(const LayoutRow &row) {
    if (row.entry.runnable)
        return nullptr;
    auto *mark = new Pill(tr("cannot run"), Tone::Warn, this);
    mark->setToolTip(QString::fromStdString(row.entry.reason));
    return mark;
}

void ScheduleBests::showAnswer() {
    for (const Cell &cell : m_all)
        for (QWidget *part : {cell.name, cell.figures, cell.mark})
            delete part;
    m_all.clear();
    m_columns = 0;
    const SearchAnswer *answer = m_selection->answer();
    const bool any = answer != nullptr && answer->fits && answer->schedules.size() > 1;
    setVisible(any);
    if (!any)
        return;
    for (const LayoutRow &row : answer->schedules)
        m_all.push_back({newName(row), newFigures(row), newMark(row)});
    arrange();
}

/// Fills the grid column by column, best first, with names and figures aligned.
void ScheduleBests::arrange() {
    const int count = static_cast<int>(m_all.size());
    const int columns = std::clamp(width() / cellWidth, 1, maxColumns);
    if (columns == m_columns || count == 0)
        return;
    m_columns = columns;
    while (QLayoutItem *item = m_cells->takeAt(0))
        delete item;
    const int rows = (count + columns - 1) / columns;
    for (int i = 0; i < count; ++i) {
        const Cell &cell = m_all[static_cast<std::size_t>(i)];
        const int left = (partsOfCell + 1) * (i / rows);
        m_cells->addWidget(cell.name, i % rows, left, Qt::AlignLeft | Qt::AlignVCenter);
        m_cells->addWidget(cell.figures, i % rows, left + 1, Qt::AlignVCenter);
        if (cell.mark != nullptr)
            m_cells->addWidget(cell.mark, i % rows, left + 2, Qt::AlignLeft | Qt::AlignVCenter);
    }
    for (int column = 0; column < (partsOfCell + 1) * maxColumns; ++column)
        m_cells->setColumnStretch(column, column % (partsOfCell + 1) == partsOfCell ? 1 : 0);
}

void ScheduleBests::resizeEvent(QResizeEvent *event) {
    Card::resizeEvent(event);
    arrange();
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/timelines_card.h"

#include "compare/compared_plan.h"
#include "compare/figures_model.h"
#include "controls/text_label.h"
#include "figures/figure_text.h"
#include "gantt/figure_line.h"
#include "gantt/operation_card.h"
#include "gantt/schedule_names.h"
#include "gantt/timeline_legend.h"
#include "theme/theme.h"
#include "timeline/time_ticks.h"
#include "timeline/timeline_axis.h"
#include "timeline/timeline_canvas.h"

#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int minCanvas = 56;
constexpr int maxCanvas = 168; ///< maximum height in pixels, so that five pipelines fit on a page
constexpr int rulerHeight = 20;

} // namespace

TimelinesCard::TimelinesCard(QWidget *parent)
    : Card(tr("Pipelines"), tr("one step, simulated, on one time axis"), parent)
    , m_axis(new TimelineAxis(this))
    , m_legend(new TimelineLegend(this)) {
    setObjectName(QStringLiteral("comparedTimelines"));
    contentLayout()->addWidget(m_legend);
}

TimelinesCard::Row &TimelinesCard::rowAt(std::size_t plan) {
    while (m_rows.size() <= plan) {
        Row row;
        row.whole = new QWidget(this);
        row.heading = new FigureLine(row.whole);
        row.problem = new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, row.whole);
        row.problem->setWordWrap(true);
        row.canvas = new TimelineCanvas(
            m_axis, m_rows.empty() ? TimelineCanvas::Ruler::Shown : TimelineCanvas::Ruler::Hidden, row.whole);
        row.canvas->setCrowdedRows(CrowdedRows::ScrollParts);
        auto *column = new QVBoxLayout(row.whole);
        column->setContentsMargins(0, 0, 0, 4);
        column->setSpacing(2);
        column->addWidget(row.heading);
        column->addWidget(row.problem);
        column->addWidget(row.canvas);
        contentLayout()->insertWidget(static_cast<int>(m_rows.size()), row.whole);
        const std::size_t index = m_rows.size();
        row.canvas->setDescribe([this, index](SpanIndex span) {
            const ComparedTimeline &shown = m_rows[index].shown;
            return shown.run == nullptr
                ? HoverContent{}
                : describeSpan(*shown.run->pipeline, shown.timeline, span, m_axis->visible(), Theme::of(this));
        });
        m_rows.push_back(std::move(row));
    }
    return m_rows[plan];
}

TimelineCanvas *TimelinesCard::canvas(int plan) const {
    const auto at = static_cast<std::size_t>(plan);
    return at < m_rows.size() ? m_rows[at].canvas : nullptr;
}

void TimelinesCard::showTimelines(const std::vector<ComparedTimeline> &timelines, const PlanComparison &comparison) {
    std::vector<TimelineModelPointer> models;
    double end = 0;
    for (std::size_t i = 0; i < timelines.size() && i < comparison.results.size(); ++i) {
        rowAt(i).shown = timelines[i];
        showRow(i, comparison);
        if (timelines[i].run == nullptr)
            continue;
        models.push_back(timelines[i].timeline.model);
        end = std::max(end, models.back()->whole.end);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i].whole->setVisible(i < timelines.size());
    m_axis->setWhole({0, std::max(end, 1e-9)});
    m_legend->setModels(models);
    m_legend->setVisible(!models.empty());
}

void TimelinesCard::showRow(std::size_t plan, const PlanComparison &comparison) {
    Row &row = m_rows[plan];
    const bool runs = row.shown.run != nullptr;
    const auto index = static_cast<int>(plan);
    row.canvas->setVisible(runs);
    row.problem->setVisible(!runs);
    row.problem->setText(row.shown.problem);
    const Result &result = *comparison.results[plan];
    row.heading->setTitle(tr("%1 · %2").arg(letterOf(index), scheduleText(result.plan.parallelism.schedule)));
    QVector<FigureLine::Entry> entries{{tr("makespan"), durationText(result.pipeline.makespan_seconds),
                                        comparedFigure(QStringLiteral("pipeline.makespan_seconds"), index)}};
    if (result.plan.parallelism.pipeline > 1)
        entries.append({tr("bubble of ideal"), shareText(result.pipeline.bubble_of_ideal),
                        comparedFigure(QStringLiteral("pipeline.bubble_of_ideal"), index)});
    row.heading->setEntries(entries);
    row.canvas->setAccessibleName(tr("Pipeline of plan %1").arg(letterOf(index)));
    if (!runs)
        return;
    row.canvas->setModel(row.shown.timeline.model);
    const int ruler = plan == 0 ? rulerHeight : 0;
    row.canvas->setFixedHeight(std::clamp(row.canvas->sizeHint().height(), minCanvas, maxCanvas + ruler));
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "report/paper.h"
#include "report/report_sections.h"
#include "report/timeline_paper.h"
#include "timeline/time_ticks.h"

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr qreal RankGutter = 28; ///< space for rank numbers

void paintRanks(Paper &paper, const QRectF &area, const TimelineModel &model) {
    const auto ranks = static_cast<qreal>(model.tracks.size());
    const QRectF plot(area.left() + RankGutter, area.top(), area.width() - RankGutter,
                      area.height() - PaperRulerHeight);
    paintTimelineRows(paper.painter(), plot, model, paper.theme());
    const qreal pitch = plot.height() / ranks;
    const qreal line = Theme::lineHeight(TypeRole::Caption);
    const qreal every = std::max(1.0, std::ceil(line / pitch));
    for (qreal rank = 0; rank < ranks; rank += every)
        paper.text(plot.left() - 6, plot.top() + pitch * (rank + 0.44) - line / 2, QString::number(rank),
                   TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, Qt::AlignRight);
    paintRuler(paper.painter(), QRectF(plot.left(), plot.bottom() + 2, plot.width(), PaperRulerHeight - 2), model.whole,
               paper.theme(), RulerSide::BelowPlot);
}

void addTimeline(ReportSection &section, const ReportDataPointer &data) {
    const ReportPipeline &pipeline = data->pipeline;
    const Timeline &timeline = pipeline.run->pipeline->timeline;
    const auto ranks = static_cast<qreal>(pipeline.timeline.model->tracks.size());
    section.parts.emplace_back(PicturePart{
        .title = QStringLiteral("Pipeline timeline, one row per rank"),
        .caption = filled(
            QStringLiteral("Pipeline timeline of a step with %1, one row per pipeline rank, with the operation times "
                           "of each stage. Ranks are idle for %2 of the time; the makespan is %3. Numbers are "
                           "microbatches; the list gives fractions of all ranks' time."),
            scheduleText(data->plan().parallelism.schedule), shareText(pipeline.run->pipeline->idle.of_all_ranks()),
            durationText(timeline.makespan)),
        .minHeight = std::clamp(ranks * 9, 36.0, 420.0) + PaperRulerHeight,
        .maxHeight = std::clamp(ranks * 24, 48.0, 460.0) + PaperRulerHeight,
        .paint = [data](Paper &paper, const QRectF &area) { paintRanks(paper, area, *data->pipeline.timeline.model); },
        .legend = timelineLegend(*pipeline.timeline.model),
        .values = {}});
}

} // namespace

ReportSection pipelineSection(const ReportDataPointer &data) {
    const Result &result = data->result();
    const bool isPipelined = result.plan.parallelism.pipeline > 1;
    ReportSection section{ReportChapter::pipeline,
                          titleOf(ReportChapter::pipeline),
                          isPipelined ? QStringLiteral("simulation of every operation") : QString(),
                          {}};
    if (!data->pipeline.problem.isEmpty())
        section.parts.emplace_back(
            TextPart{QStringLiteral("The pipeline is not simulated: ") + data->pipeline.problem});
    else if (isPipelined)
        addTimeline(section, data);
    std::vector<std::vector<FactGroup>> columns{{speedGroup(result)}};
    if (isPipelined)
        columns.push_back({idleGroup(result)});
    columns.push_back({thresholdGroup(result)});
    section.parts.emplace_back(FactsPart{columns});
    return section;
}

} // namespace meshwright

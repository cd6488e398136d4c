// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/schedule_figures.h"

#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "timeline/time_ticks.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace meshwright {
namespace {

struct ScheduleFigures {
    Q_DECLARE_TR_FUNCTIONS(ScheduleFigures)
};

QString inFlightText(const ScheduleRun &run) {
    const OperationOrder &order = run.pipeline->order;
    const std::vector<std::int32_t> &most = run.pipeline->timeline.peak_in_flight;
    const std::int32_t count = most.empty() ? 0 : *std::max_element(most.begin(), most.end());
    const QString number = countText(count);
    if (count == 1)
        return order.slices > 1          ? ScheduleFigures::tr("1 slice")
            : order.stages > order.ranks ? ScheduleFigures::tr("1 chunk")
                                         : ScheduleFigures::tr("1 microbatch");
    return order.slices > 1          ? ScheduleFigures::tr("%1 slices").arg(number)
        : order.stages > order.ranks ? ScheduleFigures::tr("%1 chunks").arg(number)
                                     : ScheduleFigures::tr("%1 microbatches").arg(number);
}

/// Costs that increase the step time, largest first. Each value is the decrease in step time if only this cost is set
/// to zero.
QVector<FigureLine::Entry> exposedEntries(const ScheduleRun &run) {
    using S = ScheduleFigures;
    const ExposedCauses &exposed = run.pipeline->exposed;
    struct Cause {
        QString name;
        double seconds;
        const char *figure;
    };
    std::array causes{Cause{S::tr("exposed P2P"), exposed.sends, "exposed_sends_seconds"},
                      Cause{S::tr("exposed TP communication"), exposed.tensor, "exposed_tensor_seconds"},
                      Cause{S::tr("exposed CP communication"), exposed.context, "exposed_context_seconds"},
                      Cause{S::tr("exposed EP communication"), exposed.expert, "exposed_expert_seconds"},
                      Cause{S::tr("exposed DP communication"), exposed.data, "exposed_data_seconds"},
                      Cause{S::tr("recomputation"), exposed.recompute, "exposed_recompute_seconds"}};
    std::stable_sort(causes.begin(), causes.end(),
                     [](const Cause &a, const Cause &b) { return a.seconds > b.seconds; });
    const double minimum = 1e-6 * run.pipeline->timeline.step_seconds; // smaller times are rounding errors
    QVector<FigureLine::Entry> entries;
    for (const Cause &cause : causes)
        if (cause.seconds > minimum)
            entries.append({cause.name, durationText(cause.seconds), scheduleFigure(run, QLatin1String(cause.figure))});
    return entries;
}

} // namespace

FigureRef scheduleFigure(const ScheduleRun &run, const QString &figure) {
    return {QStringLiteral("schedule.") + figure,
            scope::Schedule{QString::fromStdString(name_of(run.plan.parallelism.schedule))}};
}

QVector<FigureLine::Entry> scheduleEntries(const ScheduleRun &run) {
    using S = ScheduleFigures;
    const Timeline &timeline = run.pipeline->timeline;
    const auto path = [&](const char *figure) { return scheduleFigure(run, QLatin1String(figure)); };
    const IdleShares &idle = run.pipeline->idle;
    QVector<FigureLine::Entry> entries;
    if (run.pipeline->order.ranks > 1)
        entries = {{S::tr("idle"), shareText(idle.of_all_ranks()), path("idle_of_all_ranks")},
                   {S::tr("warm-up and drain"), shareText(idle.warm_up_and_drain), path("idle_warm_up_and_drain")},
                   {S::tr("imbalance"), shareText(idle.imbalance), path("idle_imbalance")},
                   {S::tr("waiting for sends"), shareText(idle.sends), path("idle_waiting_for_sends")}};
    entries += QVector<FigureLine::Entry>{
        {S::tr("makespan"), durationText(timeline.makespan), path("makespan_seconds")},
        {S::tr("peak memory"),
         S::tr("%1, rank %2").arg(figureText(run.peakBytes(), Quantity::bytes)).arg(run.peakRank()),
         path("peak_bytes")},
        {S::tr("in flight"), inFlightText(run), path("in_flight")}};
    entries += exposedEntries(run);
    if (run.pipeline->order.ranks > 1)
        entries += QVector<FigureLine::Entry>{
            {S::tr("bubble of ideal"), shareText(timeline.bubble_of_ideal()), path("bubble_of_ideal")},
            {S::tr("of total"), shareText(timeline.bubble_of_total()), path("bubble_of_total")},
            {S::tr("of span"), shareText(timeline.bubble_of_span()), path("bubble_of_span")}};
    return entries;
}

QString bubbleConventions(const ScheduleRun &run) {
    using S = ScheduleFigures;
    if (run.pipeline->order.ranks == 1)
        return S::tr("There is only one pipeline stage, so there is no bubble.");
    const Timeline &timeline = run.pipeline->timeline;
    return S::tr("Idle covers all ranks: total idle time / (ranks × makespan).\n"
                 "Papers define the bubble on the busiest rank:\n"
                 "bubble of ideal = (makespan − busy) / busy = %1\n"
                 "bubble of total = (makespan − busy) / makespan = %2\n"
                 "bubble of span = (span − busy) / span = %3, span: from the rank's first to its last operation")
        .arg(shareText(timeline.bubble_of_ideal()), shareText(timeline.bubble_of_total()),
             shareText(timeline.bubble_of_span()));
}

QVector<FigureLine::Entry> memoryEntries(const ScheduleRun &run, std::size_t rank, const QString &unitWord) {
    using S = ScheduleFigures;
    const PlanPipeline &pipeline = *run.pipeline;
    const auto path = [&](const char *figure) {
        return scheduleFigure(run, QStringLiteral("ranks.%1.%2").arg(rank).arg(QLatin1String(figure)));
    };
    return {
        {S::tr("rank %1 peak").arg(rank), figureText(pipeline.timeline.peak_bytes[rank], Quantity::bytes),
         path("peak_bytes")},
        {S::tr("resident"), figureText(pipeline.work.resident_bytes[rank], Quantity::bytes), path("resident_bytes")},
        {S::tr("peak %1 in flight").arg(unitWord), countText(pipeline.timeline.peak_in_flight[rank]),
         path("in_flight")},
        {S::tr("peak during"), QString::fromStdString(pipeline.memory[rank].peak_operation)}};
}

} // namespace meshwright

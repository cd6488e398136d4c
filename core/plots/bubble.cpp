// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/diagnostic.h"
#include "pipeline/executed_order.h"
#include "plots/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace meshwright::plots {

namespace {

/// Number of stages to plot if the plan has no pipeline.
constexpr std::int64_t drawn_stages = 8;
/// Microbatches per stage.
constexpr std::array<std::int64_t, 4> drawn_depths{1, 2, 4, 8};

/// Simulates a schedule with equal times for forward pass, input gradient and weight gradient, and with instant sends.
/// Empty if the schedule cannot run with these numbers.
std::optional<std::vector<PlotCell>> bubble_row(Schedule schedule, std::int64_t stages, std::int64_t depth) {
    const ScheduleDefinition &definition = definition_of(schedule);
    const std::int64_t chunks = definition.chunks == ChunkCount::one ? 1 : 2;
    const std::int64_t microbatches = depth * stages;
    try {
        const std::optional<ExecutedOrder> executed =
            executed_order({.schedule = schedule, .ranks = stages, .microbatches = microbatches, .chunks = chunks});
        if (!executed)
            return std::nullopt;
        const PipelineTimes times = pipeline_times(*executed, uniform_work(executed->order, 1, 1, 1));
        const std::vector<std::int64_t> in_flight = peak_in_flight(*executed);
        const auto peak = static_cast<double>(*std::max_element(in_flight.begin(), in_flight.end()));
        const auto idle_of = [&](double time) { return std::max(0.0, time - times.ideal); };
        return std::vector<PlotCell>{definition.title,
                                     static_cast<double>(depth),
                                     static_cast<double>(microbatches),
                                     idle_of(times.makespan) / times.ideal,
                                     idle_of(times.span) / times.ideal,
                                     idle_of(times.makespan) / times.makespan,
                                     peak / static_cast<double>(chunks),
                                     static_cast<double>(chunks),
                                     definition.source};
    } catch (const InputError &) {
        return std::nullopt;
    }
}

} // namespace

Plot bubble_by_schedule(const PlotRequest &request) {
    const std::int64_t own = request.plan.parallelism.pipeline;
    const std::int64_t stages = own > 1 ? own : drawn_stages;
    Plot plot{
        .caption = fmt::format("Pipeline bubble of each schedule with {} stages{}. Pairs of bars from left to right: "
                               "{} microbatches per stage. The first bar of a pair is idle time over the whole step, "
                               "from the first to the last operation of any rank; the second bar is idle time within "
                               "the busiest rank's own span. Both are divided by ideal time. Forward passes, input "
                               "gradients and weight gradients take equal time, and sends take no time; schedules "
                               "with chunks or slices have 2 per rank.",
                               stages, own > 1 ? ", as in the plan" : "", fmt::join(drawn_depths, ", ")),
        .source = "Operation orders as defined in the papers, executed by the planner",
        .form = PlotForm::bars,
        .columns = {{"schedule", "Schedule", PlotRole::y},
                    {"microbatches_per_stage", "Microbatches per stage", PlotRole::x, Quantity::count},
                    {"microbatches", "Microbatches", PlotRole::detail, Quantity::count},
                    {"bubble_of_ideal", "Bubble / ideal time", PlotRole::bar, Quantity::share},
                    {"span_bubble_of_ideal", "Busiest rank's bubble / ideal time", PlotRole::bar, Quantity::share},
                    {"bubble_of_total", "Bubble / total time", PlotRole::detail, Quantity::share},
                    {"peak_in_flight", "Peak microbatches in flight", PlotRole::detail, Quantity::number},
                    {"chunks", "Chunks per rank", PlotRole::detail, Quantity::count},
                    {"source", "Source"}}};
    for (const Schedule schedule : all_schedules())
        for (const std::int64_t depth : drawn_depths) {
            if (request.stop.stop_requested())
                return plot;
            if (std::optional<std::vector<PlotCell>> row = bubble_row(schedule, stages, depth))
                plot.rows.push_back(std::move(*row));
        }
    if (plot.rows.empty())
        plot.problem = fmt::format("No schedule can be executed with {} stages", stages);
    return plot;
}

} // namespace meshwright::plots

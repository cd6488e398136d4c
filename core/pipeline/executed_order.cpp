// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/executed_order.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// Number of microbatches after which the order of a schedule repeats. Bidirectional schedules need an even number,
/// Chimera needs a multiple of the number of stages, and interleaved schedules need whole groups.
std::int64_t round_of(const OrderRequest &request) {
    if (!definition_of(request.schedule).takes_groups)
        return 2 * request.ranks;
    return request.group > 0 ? request.group : request.ranks;
}

/// Operations of one microbatch: forward pass, input gradient and weight gradient of every chunk.
double operations_of_microbatch(const OrderRequest &request) {
    constexpr double operations_each = 3;
    return operations_each * static_cast<double>(request.ranks) * static_cast<double>(request.chunks);
}

/// Number of orders that are generated to choose one: ZB-1p and ZB-2p try all choices of their heuristic.
double drafts_of(Schedule schedule) {
    constexpr double choices = 8;
    return schedule == Schedule::zb_1p || schedule == Schedule::zb_2p ? choices : 1;
}

/// Whether executing this many operations takes too long. The limit `most` lets an evaluation, which executes about ten
/// orders for the plan and its suggested fixes, finish within two seconds. Generating an order takes about a fifth of
/// the time of executing it.
bool is_too_long(const OrderRequest &request, double operations) {
    constexpr double most = 3'200'000;
    constexpr double draft = 0.2;
    return operations * (1 + draft * (drafts_of(request.schedule) - 1)) > most;
}

/// Numbers of microbatches of two short orders, which are executed in place of a full order with too many operations.
/// Both numbers differ from the full order's by a multiple of the schedule's period.
struct Lengths {
    std::int64_t longer = 0;
    std::int64_t shorter = 0;
};

/// @param most maximum number of microbatches, raised if it is too small for a few rounds
Lengths lengths_of(std::int64_t all, std::int64_t most, std::int64_t ranks, std::int64_t round) {
    const auto below = [all, round](std::int64_t microbatches) {
        return all - (std::max<std::int64_t>(0, all - microbatches) + round - 1) / round * round;
    };
    // with more microbatches than this, every rank reaches the phase in which forward and backward passes alternate
    const std::int64_t least = 2 * std::max(ranks, round);
    const std::int64_t longer = below(std::max(most, least + 2 * round));
    return {.longer = longer, .shorter = below(std::max(longer / 2, least + round - 1))};
}

} // namespace

std::optional<ExecutedOrder> executed_order(const OrderRequest &request, std::int64_t most) {
    const double each = operations_of_microbatch(request);
    const Lengths lengths =
        lengths_of(request.microbatches, static_cast<std::int64_t>(static_cast<double>(most) / each), request.ranks,
                   round_of(request));
    if (is_too_long(request, static_cast<double>(lengths.longer) * each))
        return {};
    OrderRequest shortened = request;
    shortened.microbatches = lengths.longer;
    ExecutedOrder executed{.order = operation_order(shortened), .shorter = {}};
    if (lengths.longer == request.microbatches)
        return executed;
    shortened.microbatches = lengths.shorter;
    executed.shorter = operation_order(shortened);
    executed.further = static_cast<double>(request.microbatches - lengths.longer)
        / static_cast<double>(lengths.longer - lengths.shorter);
    return executed;
}

PipelineTimes pipeline_times(const ExecutedOrder &executed, const PipelineWork &work) {
    const PipelineTimes longer = pipeline_times(executed.order, work);
    if (!executed.shorter)
        return longer;
    const PipelineTimes shorter = pipeline_times(*executed.shorter, work);
    const auto whole = [&](double PipelineTimes::*time) { return executed.carried_on(longer.*time, shorter.*time); };
    PipelineTimes times{.ideal = whole(&PipelineTimes::ideal)};
    // In the short orders the slowest rank may not determine the makespan yet.
    times.span = std::max(times.ideal, whole(&PipelineTimes::span));
    times.makespan = std::max(times.span, whole(&PipelineTimes::makespan));
    times.step_seconds = std::max(times.makespan, whole(&PipelineTimes::step_seconds));
    return times;
}

std::vector<std::int64_t> peak_in_flight(const ExecutedOrder &executed) {
    std::vector<std::int64_t> peaks = peak_in_flight(executed.order);
    if (!executed.shorter || !definition_of(executed.order.schedule).forward_first)
        return peaks; // in steady state further microbatches do not raise the peak
    const std::vector<std::int64_t> shorter = peak_in_flight(*executed.shorter);
    for (std::size_t rank = 0; rank < peaks.size(); ++rank)
        peaks[rank] =
            std::llround(executed.carried_on(static_cast<double>(peaks[rank]), static_cast<double>(shorter[rank])));
    return peaks;
}

} // namespace meshwright

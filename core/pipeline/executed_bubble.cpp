// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/pipeline.h"
#include "input/diagnostic.h"
#include "pipeline/executed_order.h"
#include "plan/valid_values.h"

#include <limits>
#include <optional>

namespace meshwright::formula {

namespace {

/// Bubble of the interleaved schedule with groups of this size; empty if the schedule deadlocks.
std::optional<double> bubble_in_groups(std::int64_t stages, std::int64_t microbatches, std::int64_t chunks,
                                       std::int64_t group) {
    constexpr std::int64_t operations = 10'000; // enough operations for the schedule to become periodic
    try {
        const std::optional<ExecutedOrder> executed = executed_order({.schedule = Schedule::interleaved,
                                                                      .ranks = stages,
                                                                      .microbatches = microbatches,
                                                                      .chunks = chunks,
                                                                      .group = group},
                                                                     operations);
        if (!executed)
            return std::nullopt;
        const PipelineTimes times = pipeline_times(*executed, uniform_work(executed->order, 1, 1, 1));
        return times.makespan / times.ideal - 1;
    } catch (const InputError &) {
        return std::nullopt;
    }
}

} // namespace

double bubble_by_execution(double stages, double microbatches, double chunks) {
    constexpr double max_of_a_round = 100'000;
    if (!(stages * stages * chunks <= max_of_a_round))
        return std::numeric_limits<double>::quiet_NaN();
    const auto p = static_cast<std::int64_t>(stages);
    const auto m = static_cast<std::int64_t>(microbatches);
    const auto v = static_cast<std::int64_t>(chunks);
    if (const std::optional<double> bubble = bubble_in_groups(p, m, v, p))
        return *bubble;
    return bubble_in_groups(p, m, v, interleaving_group(p, m)).value_or(std::numeric_limits<double>::quiet_NaN());
}

} // namespace meshwright::formula

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/simulation.h"

#include <optional>

namespace meshwright {

/// The order that is executed for a result. If the whole order is long, two shorter orders are executed instead. They
/// differ by a whole number of rounds of the schedule, and figures of the whole order are extrapolated linearly from
/// the two.
struct ExecutedOrder {
    OperationOrder order; ///< the whole order, or the longer of the two shorter orders
    std::optional<OperationOrder> shorter; ///< empty if the whole order is executed
    /// Number of microbatches missing from the longer order, divided by the difference in microbatches between the two
    /// orders.
    double further = 0;

    double carried_on(double longer, double of_shorter) const { return longer + further * (longer - of_shorter); }
};

/// Maximum number of operations executed for a result, unless a few rounds of the schedule have more. Executing this
/// many takes tens of milliseconds.
inline constexpr std::int64_t max_executed_operations = 500'000;

/// The order to execute for a result; empty if even a few rounds of the schedule take too long for an evaluation.
/// @throws InputError like operation_order()
std::optional<ExecutedOrder> executed_order(const OrderRequest &request, std::int64_t most = max_executed_operations);

PipelineTimes pipeline_times(const ExecutedOrder &executed, const PipelineWork &work);
/// Peak number of chunks in flight on each rank, counted in the longer order. If every forward pass runs before the
/// first backward pass, the number is extrapolated instead.
std::vector<std::int64_t> peak_in_flight(const ExecutedOrder &executed);

} // namespace meshwright

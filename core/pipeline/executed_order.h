// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/simulation.h"

#include <optional>

namespace meshwright {

/// What is executed of a schedule for a result: its order or, of one that is long, two shorter ones by whole rounds of
/// the schedule; figures go on beyond the longer one as between the two.
struct ExecutedOrder {
    OperationOrder order; ///< whole, or the longer one
    std::optional<OperationOrder> shorter; ///< nothing where the order is whole
    double further = 0; ///< microbatches that the longer one lacks, in differences between the two

    /// A figure of the whole order, from those of both.
    double carried_on(double longer, double of_shorter) const { return longer + further * (longer - of_shorter); }
};

/// Most operations that are executed for a result, unless a few rounds of the schedule are more: they take some tens of
/// milliseconds.
inline constexpr std::int64_t max_executed_operations = 500'000;

/// Nothing where even a few rounds of the schedule take too long for an evaluation.
/// @throws InputError as operation_order()
std::optional<ExecutedOrder> executed_order(const OrderRequest &request, std::int64_t most = max_executed_operations);

PipelineTimes pipeline_times(const ExecutedOrder &executed, const PipelineWork &work);
/// That of the longer one, but where every forward pass comes before the first backward pass.
std::vector<std::int64_t> peak_in_flight(const ExecutedOrder &executed);

} // namespace meshwright

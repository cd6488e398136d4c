// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/timeline.h"

namespace meshwright {

/// Totals of a Timeline, for callers that do not need the times of operations.
struct PipelineTimes {
    double makespan = 0; ///< end of the last operation of any rank, as in Timeline
    double step_seconds = 0;
    double span = 0;
    double ideal = 0;
};

/// Executes an order. A rank starts an operation when the previous one has finished and the input has arrived: a
/// forward pass (F) needs the previous stage's F; an input gradient (I) or a whole backward pass (B) needs the next
/// stage's I or B. The result is identical bit for bit on any thread.
/// @throws InputError if the order cannot run or the work does not match its stages
PipelineTimes pipeline_times(const OperationOrder &order, const PipelineWork &work);

/// Like pipeline_times(), but also records every operation, message and idle interval.
Timeline simulate(const OperationOrder &order, const PipelineWork &work);

/// Reduction of the step time if one cost alone were zero. The reductions need not add up to the step time.
struct ExposedCauses {
    double sends = 0;
    double tensor = 0;
    double context = 0;
    double expert = 0;
    double data = 0;
    double recompute = 0;
};
ExposedCauses exposed_by_cause(const OperationOrder &order, const PipelineWork &work);

/// Peak number of chunks in flight per rank; without chunks, of microbatches or slices. A chunk is in flight from its
/// forward pass until the end of its backward pass, or of its weight gradient if the backward pass is split.
std::vector<std::int64_t> peak_in_flight(const OperationOrder &order);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/timeline.h"

namespace meshwright {

/// Times alone.
struct PipelineTimes {
    double makespan = 0; ///< as in Timeline
    double step_seconds = 0;
    double span = 0;
    double ideal = 0;
};

/// Executes an order: a rank starts an operation when it has finished the one before and what the operation needs has
/// arrived (F needs F of the stage before, I and B need those of the stage behind). Bit for bit the same on any thread.
/// @throws InputError if the order cannot run or the work is not of its stages
PipelineTimes pipeline_times(const OperationOrder &order, const PipelineWork &work);

/// The same with all that there is to show about it.
Timeline simulate(const OperationOrder &order, const PipelineWork &work);

/// What each cause costs: the drop in the time of a step when that cost alone is nothing. They need not add up.
struct ExposedCauses {
    double sends = 0;
    double tensor = 0;
    double context = 0;
    double expert = 0;
    double data = 0;
    double recompute = 0;
};
ExposedCauses exposed_by_cause(const OperationOrder &order, const PipelineWork &work);

/// Most chunks (microbatches without chunks, slices with slices) that each rank holds from F until W or B.
std::vector<std::int64_t> peak_in_flight(const OperationOrder &order);

} // namespace meshwright

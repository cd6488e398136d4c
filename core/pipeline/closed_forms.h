// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// Inputs of a schedule's closed forms. Times are per microbatch on one rank, for all its chunks.
struct PipelineShape {
    Schedule schedule = Schedule::one_f_one_b;
    std::int64_t stages = 1;
    std::int64_t microbatches = 1;
    std::int64_t chunks = 1; ///< virtual stages per rank; for Seq1F1B, slices per sequence
    std::int64_t group = 1; ///< microbatches per interleaving group
    double forward = 0;
    double input_gradient = 0;
    double weight_gradient = 0;
    double hop = 0; ///< seconds for one send between stages
};

/// Bubble of the schedule in seconds, without sends: makespan minus microbatches x (forward + backward). Uses the
/// closed form in the schedule's definition, which also gives the source.
double bubble_seconds(const PipelineShape &shape);

/// Idle time of the busiest rank between its first and last operation.
double span_bubble_seconds(const PipelineShape &shape);

/// Time that sends add to the makespan.
double send_seconds(const PipelineShape &shape, bool overlapped);

/// Maximum number of chunks in flight per rank; a chunk is in flight from its forward pass to its weight gradient.
/// Counts microbatches if the schedule has no chunks.
std::vector<std::int64_t> in_flight(const PipelineShape &shape);

/// The virtual stages of a rank, in model order.
std::vector<std::int64_t> stages_of_rank(Schedule schedule, std::int64_t stages, std::int64_t chunks,
                                         std::int64_t rank);

} // namespace meshwright

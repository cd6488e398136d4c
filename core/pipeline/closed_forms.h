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
    std::int64_t chunks = 1; ///< number of virtual stages per rank; for Seq1F1B, number of slices per sequence
    std::int64_t group = 1; ///< microbatches per interleaving group
    double forward = 0;
    double input_gradient = 0;
    double weight_gradient = 0;
    double hop = 0; ///< time of one send
};

/// Bubble of the schedule in seconds, without sends: makespan minus microbatches x (forward + backward). Uses the
/// closed form in the schedule's definition, which names its source.
double bubble_seconds(const PipelineShape &shape);

/// Idle time within the busiest rank's own span, from its first operation to its last.
double span_bubble_seconds(const PipelineShape &shape);

/// Time that sends add to the makespan.
double send_seconds(const PipelineShape &shape, bool overlapped);

/// Peak number of chunks in flight per rank (of microbatches if there are no chunks), counted from the forward pass
/// until the weight gradient.
std::vector<std::int64_t> in_flight(const PipelineShape &shape);

/// The virtual stages of a rank, in model order.
std::vector<std::int64_t> stages_of_rank(Schedule schedule, std::int64_t stages, std::int64_t chunks,
                                         std::int64_t rank);

} // namespace meshwright

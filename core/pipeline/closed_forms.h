// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// What a schedule is run with. Times are those of one microbatch on one rank, all its chunks together.
struct PipelineShape {
    Schedule schedule = Schedule::one_f_one_b;
    std::int64_t stages = 1;
    std::int64_t microbatches = 1;
    std::int64_t chunks = 1; ///< slices for seq1f1b
    std::int64_t group = 1; ///< interleaving group
    double forward = 0;
    double input_gradient = 0;
    double weight_gradient = 0;
    double hop = 0; ///< one send
};

/// Idle time of the schedule in seconds, sends apart: makespan less microbatches x (forward + backward).
/// Closed forms of the schedules' papers: GPipe 1811.06965; 1F1B and interleaved 2104.04473; zero bubble 2401.10241;
/// V schedules 2405.15362; DualPipe 2412.19437; Chimera 2107.06925; Seq1F1B 2406.03488; breadth-first 2211.05953.
double bubble_seconds(const PipelineShape &shape);

/// Idle time inside the busiest rank's own span, from its first operation to its last.
double span_bubble_seconds(const PipelineShape &shape);

/// What sends add to the makespan.
double send_seconds(const PipelineShape &shape, bool overlapped);

/// Chunks (microbatches where there is one chunk) that a rank holds at most, from F until W.
std::vector<std::int64_t> in_flight(const PipelineShape &shape);

/// Virtual stages, in model order, that a rank holds.
std::vector<std::int64_t> stages_of_rank(Schedule schedule, std::int64_t stages, std::int64_t chunks,
                                         std::int64_t rank);

/// Whether a closed form of this schedule holds only where F, I and W take the same time.
bool needs_equal_times(Schedule schedule);

} // namespace meshwright

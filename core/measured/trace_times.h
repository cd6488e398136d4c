// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "measured/kineto_trace.h"

#include <array>
#include <cstddef>
#include <vector>

namespace meshwright {

/// How one GPU spends the profiled steps. Times are per step, or for the whole trace if no steps are marked. Kernel
/// times are sums over all streams. The other figures count overlapping kernels once.
struct TraceTimes {
    std::size_t steps = 0; ///< number of profiled steps; 0 if the trace marks none
    /// Length of the profiled window divided by its number of steps, or its whole length if no steps are marked.
    double step_seconds = 0;
    std::vector<double> each_step_seconds;
    std::array<double, kernel_class_count> kernel_seconds{};
    std::array<double, communication_kind_count> communication_seconds{};
    double compute_seconds = 0; ///< time with at least one GEMM, attention or memory-bound kernel running
    double communicating_seconds = 0; ///< time with at least one communication kernel running
    double exposed_communication_seconds = 0; ///< time with a communication kernel running and no compute kernel
    double copying_seconds = 0; ///< time with a copy running, but no compute or communication kernel
    double idle_seconds = 0;
    std::size_t device = 0; ///< index in KinetoTrace::devices of the GPU with the most kernel time
};

/// The sum of compute, exposed communication, copying and idle time is the step time. @pre the trace has spans
TraceTimes times_of(const KinetoTrace &trace);

} // namespace meshwright

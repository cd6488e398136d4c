// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "measured/kernel_class.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <streambuf>
#include <string>
#include <vector>

namespace meshwright {

/// One kernel, memcpy or memset on a GPU. Times are in microseconds since the first event, because doubles cannot hold
/// the fractions of absolute clock times.
struct GpuSpan {
    double begin = 0;
    double end = 0;
    std::uint32_t device = 0; ///< index in KinetoTrace::devices
    KernelClass kind = KernelClass::memory_bound;
    CommunicationKind communication = CommunicationKind::other;
    bool is_kernel = true; ///< false for a memcpy or memset
};

/// A step that torch.profiler marks, "ProfilerStep#551".
struct ProfilerStep {
    std::int64_t number = 0;
    double begin = 0; ///< microseconds
    double end = 0;
    bool is_of_gpu = false; ///< whether the mark is on the GPU's timeline rather than the CPU's
};

struct KernelTotal {
    std::size_t count = 0;
    double microseconds = 0;
};

/// Contents of a PyTorch profiler trace (Kineto, Chrome's trace event format).
struct KinetoTrace {
    std::size_t events = 0;
    std::vector<GpuSpan> spans; ///< kernels and copies in the order of the file
    std::vector<ProfilerStep> steps;
    std::map<std::string, KernelTotal> kernels; ///< totals by kernel name, for at most 2,000 names
    std::vector<double> devices; ///< ids of the GPUs that `spans` refer to
    std::string device_name;
    double device_bytes = 0; ///< 0 if the trace does not state it
    std::size_t listed_devices = 0;
    std::optional<double> rank;
    std::optional<double> world_size;
    std::string backend;
    std::map<std::string, std::size_t> others; ///< number of other events by category
};

/// Reads a trace event by event, so that only its spans are in memory.
/// @throws InputError if it is not JSON, is nested deeper than 64 levels, or has more than 3 million GPU events
KinetoTrace read_kineto_trace(std::streambuf &stream);

} // namespace meshwright

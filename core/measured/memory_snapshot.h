// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Contents of a PyTorch memory snapshot (torch.cuda.memory._dump_snapshot) for the device with the most reserved
/// memory.
struct MemorySnapshot {
    std::size_t segments = 0; ///< number of allocator segments on all devices
    std::size_t trace_events = 0; ///< number of trace events on all devices
    std::size_t devices = 0; ///< number of devices that have segments
    double device = 0;
    double reserved_bytes = 0; ///< bytes reserved when the snapshot was taken
    double allocated_bytes = 0;
    double active_bytes = 0; ///< bytes allocated, or freed but still in use by a stream
    /// Recorded allocations minus recorded frees, at their maximum. The sum starts at 0 when the recording begins.
    double peak_recorded_bytes = 0;
    /// peak_recorded_bytes plus the bytes allocated before the recording began.
    double peak_allocated_bytes = 0;
    bool is_recorded = false;
    std::size_t out_of_memory_events = 0;
    std::map<std::string, std::size_t> actions;
    std::vector<std::string> keys; ///< keys of the outermost dictionary
    std::string settings; ///< value of PYTORCH_CUDA_ALLOC_CONF
    bool expandable_segments = false;
};

bool is_pickle(std::string_view bytes);

/// Reads a pickle as data: nothing in it is imported or called.
/// @throws InputError if it is not a snapshot or has more than 2 million entries
MemorySnapshot read_memory_snapshot(std::string_view bytes);

} // namespace meshwright

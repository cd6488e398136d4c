// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_model.h"
#include "step/step_memory.h"

#include <limits>
#include <string>
#include <vector>

namespace meshwright {

/// Temporary buffers during an operation, in bytes.
struct RunningBuffers {
    double communication = 0;
    double gathered = 0; ///< gathered weights of two layers (ZeRO-3)
    double unreduced = 0; ///< gradients of one layer or chunk (ZeRO-2 and ZeRO-3)
    double head_gradient = 0; ///< gradient of the LM head, before accumulation
    double working = 0; ///< working set of the running backward operation
    double bucket = 0; ///< bucket for gathering updated weights
    double temporaries = 0; ///< temporaries of an unfused optimizer
    double total() const {
        return communication + gathered + unreduced + head_gradient + working + bucket + temporaries;
    }
};

/// A rank's memory at one point in time, in more detail than a MemoryPoint.
struct PeakState {
    static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();
    MemoryPoint point;
    RunningBuffers buffers;
    std::string working; ///< name of the running backward operation
    /// Microbatches (or slices) in flight per virtual stage, from forward pass until weight gradient.
    std::vector<std::int64_t> in_flight;
    std::size_t stage = 0;
    /// Index of the first layer whose activations the running backward pass has already freed for its microbatch.
    std::size_t without_from = nothing;
    bool frees = true; ///< false for an input gradient: only a later weight gradient frees activations
};

struct TensorSource {
    const Plan &plan;
    const LayerCosts &layers;
    const std::vector<std::vector<StageLayer>> &stages;
    double saved_factor; ///< fraction of the saved bytes on the device
};

/// All tensors in memory at this point in time, largest first.
std::vector<PeakTensors> peak_tensors_of(const TensorSource &source, const RankCost &rank, const RankMemory &memory,
                                         const PeakState &highest);

} // namespace meshwright

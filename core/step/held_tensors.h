// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_model.h"
#include "step/step_memory.h"

#include <limits>
#include <string>
#include <vector>

namespace meshwright {

/// What comes and goes beside activations while something runs, in bytes.
struct RunningBuffers {
    double communication = 0;
    double gathered = 0; ///< weights of two layers (ZeRO-3)
    double unreduced = 0; ///< gradients of one layer or chunk (ZeRO-2 and 3)
    double head_gradient = 0; ///< before it is added up
    double working = 0; ///< of the operation that runs backward
    double bucket = 0; ///< in which updated weights are gathered
    double temporaries = 0; ///< of an optimizer that is not fused
    double total() const {
        return communication + gathered + unreduced + head_gradient + working + bucket + temporaries;
    }
};

/// What a rank holds at one point, in more detail than a point says.
struct HeldAtPeak {
    static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();
    MemoryPoint point;
    RunningBuffers buffers;
    std::string working; ///< operation that runs backward
    std::vector<std::int64_t> held; ///< microbatches (slices) between F and W, of each virtual stage
    std::size_t stage = 0; ///< that runs
    std::size_t without_from = nothing; ///< from this layer of it on one microbatch less is held
    bool frees = true; ///< whether it is: a backward pass whose weight gradient is apart frees nothing
};

/// Where the names of tensors come from.
struct TensorSource {
    const Plan &plan;
    const LayerCosts &layers;
    const std::vector<std::vector<StageLayer>> &stages;
    double kept_share; ///< of what operations save
};

/// Everything that stands in memory then, largest first.
std::vector<HeldTensors> held_tensors(const TensorSource &source, const RankCost &rank, const RankMemory &memory,
                                      const HeldAtPeak &highest);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

enum class StepMemoryKind { weights, optimizer, gradients, activations, logits, buffers, runtime };
inline constexpr std::size_t memory_kind_count = 7;
/// "weights", "optimizer", ...
const std::vector<std::string> &memory_kind_names();

/// What a rank holds from a moment on, until the next one.
struct MemoryPoint {
    double seconds = 0; ///< from the start of the pipeline
    std::array<double, memory_kind_count> bytes{}; ///< indexed by StepMemoryKind
    std::string operation; ///< "forward 3: layer 17", "loss: cross-entropy", "optimizer step"
    double of(StepMemoryKind kind) const { return bytes[static_cast<std::size_t>(kind)]; }
    double total() const;
};

/// Something that stands in memory at the peak.
struct HeldTensors {
    std::string name; ///< "weights", "feed_forward.activation"
    StepMemoryKind kind = StepMemoryKind::weights;
    double bytes = 0; ///< of all layers and microbatches together
};

/// One rank's memory over a whole optimizer step.
struct StepMemory {
    double capacity_bytes = 0;
    std::vector<MemoryPoint> points; ///< in order of time; the last one is the end of the step
    std::size_t peak = 0; ///< index of the highest
    std::vector<HeldTensors> peak_tensors; ///< largest first; they add up to the peak
};

/// Memory of a valid plan's rank over a step, layer by layer: saved activations come with each layer's forward pass and
/// go with its backward pass (with its weight gradient, where that is apart), logits stand at the loss, gradients and
/// the optimizer's temporaries where the software holds them.
/// @throws InputError where the rank is not one of the plan's, or its schedule is too long to execute
StepMemory step_memory(const Plan &plan, std::int64_t rank);

} // namespace meshwright

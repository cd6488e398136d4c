// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/plan_pipeline.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

/// What a rank holds over a step is divided into; from what stays to what comes and goes.
enum class StepMemoryKind { runtime, weights, optimizer, gradients, activations, logits, buffers };
inline constexpr std::size_t step_memory_kind_count = 7;
/// "runtime", "weights", ...
const std::vector<std::string> &step_memory_kind_names();

/// What a rank does at a point of its step.
enum class StepMoment : std::uint8_t {
    start,
    forward, ///< of a layer
    forward_done,
    loss,
    loss_done,
    backward, ///< of a layer
    backward_done,
    weight_gradient,
    optimizer,
    end
};

/// What a rank holds from a moment on, until the next one.
struct MemoryPoint {
    double seconds = 0; ///< from the start of the pipeline
    std::array<double, step_memory_kind_count> bytes{}; ///< indexed by StepMemoryKind
    StepMoment moment = StepMoment::start;
    std::uint16_t working = 0; ///< index of the operation whose working set stands, in StepMemory::working; 0: none
    std::int32_t microbatch = -1;
    std::int32_t layer = -1; ///< of the model; -1: the stage as a whole
    double of(StepMemoryKind kind) const { return bytes[static_cast<std::size_t>(kind)]; }
    double total() const;
};

/// Layers of which each keeps the same of a microbatch.
struct HeldLayers {
    double microbatches = 0; ///< (slices) that they hold
    double layers = 0;
    double bytes = 0; ///< that one layer keeps of a whole microbatch
};

/// Something that stands in memory at the peak.
struct HeldTensors {
    std::string name; ///< "weights", "feed_forward.activation"
    StepMemoryKind kind = StepMemoryKind::weights;
    double bytes = 0; ///< of all layers and microbatches together
    /// Of what layers keep: `bytes` is StepMemory::kept_share of them all. Empty for the rest.
    std::vector<HeldLayers> layers;
};

/// One rank's memory over a whole optimizer step.
struct StepMemory {
    double capacity_bytes = 0;
    std::vector<MemoryPoint> points; ///< in order of time, at least one; the last one is the end of the step
    std::vector<std::string> working; ///< names of operations; the first one is empty
    std::size_t peak = 0; ///< index of the highest
    std::vector<HeldTensors> peak_tensors; ///< largest first; they add up to the peak
    double kept_share = 1; ///< of what layers keep: a slice's, on the device, with what allocation adds
    bool each_layer = true; ///< whether there are points within a pass; long schedules have one a pass

    /// "forward 3: layer 17", "loss: cross-entropy", "optimizer step"
    std::string operation(std::size_t point) const;
};

/// Most points that are noted.
inline constexpr std::size_t max_memory_points = 4'000'000;

/// Memory of a valid plan's rank over a step, layer by layer: saved activations come with each layer's forward pass and
/// go with its backward pass (with its weight gradient, where that is apart), logits stand at the loss, gathered
/// weights and what an operation works on while it runs, gradients and the optimizer's temporaries where the software
/// holds them.
/// @param pipeline  the plan's, executed
/// @throws InputError where the rank is not one of the plan's, or its schedule is too long
StepMemory step_memory(const Plan &plan, const PlanPipeline &pipeline, std::int64_t rank);
StepMemory step_memory(const Plan &plan, std::int64_t rank);

} // namespace meshwright

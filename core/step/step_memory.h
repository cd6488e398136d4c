// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/plan_pipeline.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

/// Kinds of memory of a rank over a step, from permanent to temporary.
enum class StepMemoryKind { runtime, weights, optimizer, gradients, activations, logits, buffers };
inline constexpr std::size_t step_memory_kind_count = 7;
/// Names of the kinds: "runtime", "weights", …
const std::vector<std::string> &step_memory_kind_names();

enum class StepMoment : std::uint8_t {
    start,
    forward,
    forward_done,
    loss,
    loss_done,
    backward,
    backward_done,
    weight_gradient,
    optimizer,
    end
};

/// A rank's memory from this moment until the next point.
struct MemoryPoint {
    double seconds = 0; ///< time since the start of the pipeline
    std::array<double, step_memory_kind_count> bytes{}; ///< indexed by StepMemoryKind
    StepMoment moment = StepMoment::start;
    /// Index in StepMemory::working of the operation whose working set is in memory; 0 for none.
    std::uint16_t working = 0;
    std::int32_t microbatch = -1;
    std::int32_t layer = -1; ///< index of the running layer in the model; -1 for the whole stage
    double of(StepMemoryKind kind) const { return bytes[static_cast<std::size_t>(kind)]; }
    double total() const;
};

/// Layers that save the same number of bytes per microbatch.
struct PeakLayers {
    double microbatches = 0; ///< microbatches (or slices) in memory
    double layers = 0;
    double bytes = 0; ///< bytes that one layer saves for a whole microbatch
};

/// All tensors of one name that are in memory at the peak.
struct PeakTensors {
    std::string name; ///< "weights", "feed_forward.activation"
    StepMemoryKind kind = StepMemoryKind::weights;
    double bytes = 0; ///< total over layers and microbatches
    /// Layers that saved these activations; empty for other tensors. `bytes` is StepMemory::saved_factor times the sum
    /// over these layers.
    std::vector<PeakLayers> layers;
};

struct StepMemory {
    double capacity_bytes = 0;
    std::vector<MemoryPoint> points; ///< in time order, at least one; the last is the end of the step
    std::vector<std::string> working; ///< names of operations; the first is empty
    std::size_t peak = 0; ///< index of the peak in `points`
    std::vector<PeakTensors> peak_tensors; ///< largest first; they add up to the peak
    /// Bytes allocated on the device divided by bytes saved for backward per microbatch. Includes slices, offloading
    /// and allocator overhead.
    double saved_factor = 1;
    bool each_layer = true; ///< whether there are points within passes; long schedules have only one point per pass

    /// Text for the operation at a point: "forward 3: layer 17", "loss: cross-entropy", "optimizer step".
    std::string operation(std::size_t point) const;
};

inline constexpr std::size_t max_memory_points = 4'000'000;

/// Memory of a valid plan's rank over a step, layer by layer. Saved activations are allocated by each layer's forward
/// pass and freed by its backward pass (or its weight gradient, if separate). Logits exist while the loss is computed;
/// gathered weights and working sets exist while their operation runs. The training software determines when gradients
/// and the optimizer's temporaries exist.
/// @param pipeline the plan's simulated pipeline
/// @throws InputError if the rank is not one of the plan's, or its schedule is too long
StepMemory step_memory(const Plan &plan, const PlanPipeline &pipeline, std::int64_t rank);
StepMemory step_memory(const Plan &plan, std::int64_t rank);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_model.h"
#include "pipeline/order.h"

#include <array>
#include <vector>

namespace meshwright {

/// Change in a rank's memory while one operation runs, in bytes.
struct RunningBytes {
    double activations = 0; ///< negative if a backward pass frees activations before its peak
    double logits = 0; ///< negative in the backward pass that uses the logits saved since the loss
    double buffers = 0;
    double total() const { return activations + logits + buffers; }
};

/// Memory that the passes of one virtual stage allocate, in bytes per microbatch (or slice).
struct StageBytes {
    double saved = 0; ///< bytes saved for backward, on the device or offloaded
    /// Saved bytes on the device, with allocator overhead. The forward pass allocates them. The weight-gradient pass
    /// frees them if it runs separately, otherwise the backward pass.
    double on_device = 0;
    double waiting_logits = 0; ///< logits that stay in memory from the loss until the backward pass
    double gradients = 0; ///< gradients that the first backward pass allocates; 0 if they are always allocated
    std::array<RunningBytes, operation_kinds> running;
};

/// @param buffers buffers of the rank that owns the stage
StageBytes stage_bytes(const Plan &plan, const LayerCosts &layers, const StageCost &stage, const RankBuffers &buffers,
                       const Assumptions &assumptions);
/// stage_bytes() of every virtual stage, in model order.
std::vector<StageBytes> bytes_of_stages(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions);

struct RankPeak {
    double saved = 0; ///< saved bytes of all chunks in flight, minus what the running backward pass has freed
    double on_device = 0;
    double logits = 0;
    double buffers = 0;
    double missing_gradients = 0; ///< gradients that no backward pass has allocated yet
    /// Number of microbatches whose logits are in memory, excluding the one whose loss is running.
    double waiting_microbatches = 0;
    double max_saved = 0; ///< maximum over the step of the saved bytes of all chunks in flight
    std::size_t stage = 0; ///< virtual stage that runs at the peak
    OperationKind kind = OperationKind::forward;
    double total() const { return on_device + logits + buffers - missing_gradients; }
};

/// Peak memory of a rank over its operations. It depends on their order, not their times. Takes linear time.
RankPeak peak_of_rank(const OperationOrder &order, std::int64_t rank, const std::vector<StageBytes> &stages);
RankPeak peak_of_rank(const ExecutedOrder &executed, std::int64_t rank, const std::vector<StageBytes> &stages);

} // namespace meshwright

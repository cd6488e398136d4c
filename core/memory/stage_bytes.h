// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_model.h"
#include "pipeline/order.h"

#include <array>
#include <vector>

namespace meshwright {

/// Temporary change in a rank's memory while one operation runs, in bytes.
struct RunningBytes {
    double activations = 0; ///< negative if a backward pass frees activations before its peak
    double logits = 0; ///< negative in the backward pass that uses the waiting logits
    double buffers = 0;
    double total() const { return activations + logits + buffers; }
};

/// Memory held by the operations of one virtual stage, in bytes per microbatch or slice.
struct StageBytes {
    double saved = 0; ///< saved for backward, on the device or offloaded
    double kept = 0; ///< part on the device, from F until W or B
    double waiting_logits = 0; ///< from the loss until the backward pass
    double gradients = 0; ///< allocated by the first backward pass; 0 if allocated permanently
    std::array<RunningBytes, operation_kinds> running; ///< indexed by OperationKind
};

/// @param buffers of the stage's rank
StageBytes stage_bytes(const Plan &plan, const LayerCosts &layers, const StageCost &stage, const RankBuffers &buffers,
                       const Assumptions &assumptions);
/// For every virtual stage, in model order.
std::vector<StageBytes> bytes_of_stages(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions);

/// The peak of a rank's memory over its operations.
struct RankPeak {
    double saved = 0; ///< of everything in flight, minus the part freed by the running backward pass
    double kept = 0; ///< part on the device
    double logits = 0;
    double buffers = 0;
    double missing_gradients = 0; ///< not yet allocated by any backward pass
    double waiting_microbatches = 0; ///< whose logits wait, not counting the running loss
    double max_saved = 0; ///< of everything in flight, maximum over time
    std::size_t stage = 0; ///< virtual stage that runs at the peak
    OperationKind kind = OperationKind::forward;
    double total() const { return kept + logits + buffers - missing_gradients; }
};

/// Peak memory of a rank from its order of operations. Their times do not matter. Runs in linear time.
RankPeak peak_of_rank(const OperationOrder &order, std::int64_t rank, const std::vector<StageBytes> &stages);
RankPeak peak_of_rank(const ExecutedOrder &executed, std::int64_t rank, const std::vector<StageBytes> &stages);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_model.h"
#include "pipeline/order.h"

#include <array>
#include <vector>

namespace meshwright {

/// What one operation changes in its rank's memory while it runs, in bytes.
struct RunningBytes {
    double activations = 0; ///< less than nothing where a backward pass has freed some before memory stands highest
    double logits = 0; ///< less than nothing in the backward pass that they waited for
    double buffers = 0;
    double total() const { return activations + logits + buffers; }
};

/// What the operations of one virtual stage hold in its rank's memory, in bytes of one microbatch or slice.
struct StageBytes {
    double saved = 0; ///< for the backward pass, wherever it is kept
    double kept = 0; ///< of it, on the device, from F until W or B
    double waiting_logits = 0; ///< from the loss until the backward pass
    double gradients = 0; ///< that come with the first backward pass; 0 where they stand all the time
    std::array<RunningBytes, operation_kinds> running; ///< indexed by OperationKind
};

/// @param buffers  of the stage's rank
StageBytes stage_bytes(const Plan &plan, const LayerCosts &layers, const StageCost &stage, const RankBuffers &buffers,
                       const Assumptions &assumptions);
/// Of every virtual stage, in model order.
std::vector<StageBytes> bytes_of_stages(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions);

/// The highest point of a rank's memory among its operations.
struct RankPeak {
    double saved = 0; ///< of all that is in flight, less what the running backward pass has freed
    double kept = 0; ///< of it, on the device
    double logits = 0;
    double buffers = 0;
    double missing_gradients = 0; ///< that no backward pass has made yet
    double waiting_microbatches = 0; ///< whose logits wait; that of a running loss not counted
    double max_saved = 0; ///< of all that is in flight, at any time
    std::size_t stage = 0; ///< virtual stage that runs
    OperationKind kind = OperationKind::forward;
    double total() const { return kept + logits + buffers - missing_gradients; }
};

/// What a rank's own order makes of its memory: times do not matter to it. In time linear in its operations.
RankPeak peak_of_rank(const OperationOrder &order, std::int64_t rank, const std::vector<StageBytes> &stages);
RankPeak peak_of_rank(const ExecutedOrder &executed, std::int64_t rank, const std::vector<StageBytes> &stages);

} // namespace meshwright

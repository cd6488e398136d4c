// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_model.h"
#include "pipeline/idle_shares.h"
#include "pipeline/simulation.h"

namespace meshwright {

/// A simulated pipeline of a plan: the operations of every rank over time, with the times and bytes of the plan's own
/// stages.
struct PlanPipeline {
    OperationOrder order;
    PipelineWork work;
    Timeline timeline;
    std::vector<RankMemory> memory; ///< each rank's memory at its peak
    ExposedCauses exposed; ///< how much the step time would fall if one cost were zero
    IdleShares idle; ///< idle time of all ranks by cause, summed over idle_intervals() of the timeline
    double message_bytes = 0; ///< bytes per send
};

/// Request for the plan's operation order, with the times of an average stage.
OrderRequest order_request(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs);

/// Times of the plan's stages, including exposed communication. Kernel times include the straggler factor of the step's
/// compute term. As in the memory model, activations are allocated until the weight gradient. Logits, buffers and
/// working sets are allocated while their operation runs, everything else throughout.
PipelineWork pipeline_work(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                           const std::vector<RankMemory> &memory, const Assumptions &assumptions);

/// @throws InputError if the plan is invalid, or its schedule has more than `max_operations` operations
PlanPipeline simulate_pipeline(const Plan &plan);
/// Simulates the pipeline with given costs instead of the plan's own. @pre the plan is valid
PlanPipeline simulate_pipeline(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                               const Assumptions &assumptions);

} // namespace meshwright

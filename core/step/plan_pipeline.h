// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/memory_model.h"
#include "pipeline/idle_shares.h"
#include "pipeline/simulation.h"

namespace meshwright {

/// A plan's pipeline executed: what every rank does and when, with the times and bytes of the plan's own stages.
struct PlanPipeline {
    OperationOrder order;
    PipelineWork work;
    Timeline timeline;
    std::vector<RankMemory> memory; ///< of each rank at its peak
    ExposedCauses exposed; ///< of the step
    IdleShares idle; ///< of all ranks, by cause: what idle_intervals() of the timeline add up to
    double message_bytes = 0; ///< of one send
};

/// What the plan's order is made for: times of the mean stage.
OrderRequest order_request(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs);

/// What its stages take, traffic that compute does not hide included. Kernels carry the straggler factor of the step's
/// compute term. Activations are kept until the weight gradient, as in the memory model; logits, buffers and what an
/// operation works on are there while it runs, what else a rank holds all the time.
PipelineWork pipeline_work(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                           const std::vector<RankMemory> &memory, const Assumptions &assumptions);

/// @throws InputError if the plan is not valid, or its schedule has more than `max_operations`
PlanPipeline simulate_pipeline(const Plan &plan);
/// The same with other costs than the plan's own. @pre the plan is valid
PlanPipeline simulate_pipeline(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                               const Assumptions &assumptions);

} // namespace meshwright

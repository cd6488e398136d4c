// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/peak_bytes.h"
#include "memory/state_bytes.h"
#include "pipeline/executed_order.h"
#include "pipeline/stages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

struct RankMemory {
    double weights_bytes = 0;
    double gradients_bytes = 0;
    double master_bytes = 0;
    double moments_bytes = 0;
    double activations_bytes = 0;
    double logits_bytes = 0;
    double buffers_bytes = 0;
    double outer_bytes = 0;
    double runtime_bytes = 0; ///< CUDA context, NCCL buffers, library workspace, allocator fragmentation
    double outside_bytes = 0; ///< part of runtime_bytes outside PyTorch's allocator: CUDA context and communicators
    double host_bytes = 0;
    double parts_in_flight = 0; ///< saved bytes at the memory peak, relative to those of an average chunk (or slice)
    /// Maximum of parts_in_flight over the step. It determines the host memory needed for offloading.
    double max_parts_in_flight = 0;
    double waiting_microbatches = 0; ///< number of microbatches whose logits stay in memory until their backward pass
    /// Working set of the running operation for one microbatch; null if none runs. LayerCosts owns it.
    const WorkingSet *working = nullptr;
    double reserved_bytes = 0; ///< memory that the driver reports once the allocator's pool has its full size
    PeakMoment peak_moment = PeakMoment::backward;
    std::string peak_operation; ///< peak_moment as text, with the layer's operation, such as "backward: attention"

    double total_bytes() const {
        return weights_bytes + gradients_bytes + master_bytes + moments_bytes + activations_bytes + logits_bytes
            + buffers_bytes + outer_bytes + runtime_bytes;
    }
    /// Adds the categories in the order of StageMemory, so that the sum equals its total bit for bit.
    double stage_total_bytes() const {
        return weights_bytes + gradients_bytes + (master_bytes + moments_bytes) + activations_bytes + logits_bytes
            + buffers_bytes + outer_bytes + runtime_bytes;
    }
};

/// Peak memory of every pipeline rank. If `order` is null, closed forms give the microbatches in flight. ZeRO stages
/// follow Rajbhandari et al. 2020 (arXiv 1910.02054, section 5): stage 1 shards master weights and Adam states over the
/// data-parallel ranks, stage 2 also shards gradients, and stage 3 also shards weights.
std::vector<RankMemory> memory_of_ranks(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions, const ExecutedOrder *order = nullptr);

/// Buffers of one pipeline rank.
RankBuffers buffers_of_rank(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                            const Assumptions &assumptions, std::size_t rank);

/// Peak memory of the rank with the highest peak. Omits operation names, because it is for searches over many
/// configurations.
double peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                  const Assumptions &assumptions);

/// Peak memory of one rank with the given number of chunks in flight, whatever its schedule.
double rank_peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                       const Assumptions &assumptions, std::size_t rank, std::int64_t in_flight);

} // namespace meshwright

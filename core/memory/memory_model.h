// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/state_bytes.h"
#include "pipeline/executed_order.h"
#include "pipeline/stages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

/// Memory of one pipeline rank where it stands highest.
struct RankMemory {
    double weights_bytes = 0;
    double gradients_bytes = 0;
    double master_bytes = 0;
    double moments_bytes = 0;
    double activations_bytes = 0;
    double logits_bytes = 0;
    double buffers_bytes = 0;
    double outer_bytes = 0;
    double runtime_bytes = 0; ///< context, communicators, libraries' workspace, allocator's slack
    double outside_bytes = 0; ///< of it outside the allocator: context and communicators
    double host_bytes = 0; ///< offloaded
    double held_parts = 0; ///< chunks or slices of mean size whose activations these are
    double max_held_parts = 0; ///< of them at any moment: what host memory must take
    double waiting_microbatches = 0; ///< whose logits wait for their backward pass
    double working_bytes = 0; ///< of a microbatch, of the operation that runs
    double reserved_bytes = 0; ///< what the driver shows once the allocator's pool has grown
    std::string peak_operation;

    double total_bytes() const {
        return weights_bytes + gradients_bytes + master_bytes + moments_bytes + activations_bytes + logits_bytes
            + buffers_bytes + outer_bytes + runtime_bytes;
    }
    /// The same, added up in the order of a result's stage: to the bit what a result says.
    double stage_total_bytes() const {
        return weights_bytes + gradients_bytes + (master_bytes + moments_bytes) + activations_bytes + logits_bytes
            + buffers_bytes + outer_bytes + runtime_bytes;
    }
};

/// Memory of every pipeline rank: where its own order has its highest point, or by closed forms of what is in flight.
/// ZeRO stages after Rajbhandari et al. 2020 (arXiv 1910.02054, section 5): stage 1
/// shards master copy and moments over the data-parallel ranks, stage 2 also gradients, stage 3 also weights.
std::vector<RankMemory> memory_of_ranks(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions, const ExecutedOrder *order = nullptr);

/// Kept for each logit at the loss.
double bytes_per_logit(const Plan &plan, const RankShape &shape);

/// Peers of a rank's all-to-all in its own node; 0 without one.
double peers_in_node(const Plan &plan, const LayerCosts &layers);

/// What a rank holds beside its activations while something runs, in bytes.
struct RankBuffers {
    double gathered_weights = 0; ///< ZeRO-3: of the layer that runs and the next
    double unreduced_gradients = 0; ///< ZeRO-2 and 3: of one layer (or chunk), while a backward pass runs
    double communication = 0; ///< received from neighbouring stages, gathered by tensor parallelism
    double head_gradient = 0; ///< of the LM head's weight at the loss, before it is added to the accumulators
    double waiting_gradient = 0; ///< the same until the backward pass ends, where it waits for the embedding's
    double bucket = 0; ///< in which updated weights are gathered when the optimizer runs
};
RankBuffers rank_buffers(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, std::size_t rank);

/// What the fullest rank holds, without names: for searches that look at many layouts.
double peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                  const Assumptions &assumptions);

/// What one rank holds when so many chunks are in flight, whatever its schedule says of them.
double rank_peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                       const Assumptions &assumptions, std::size_t rank, std::int64_t in_flight);

} // namespace meshwright

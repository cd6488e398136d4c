// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

/// Bytes of one kind for each parameter that a rank would hold without sharding.
struct StateBytes {
    double weights = 0;
    double gradients = 0;
    double master = 0;
    double moments = 0;
};

/// State of the plan's optimizer and formats. AdamW keeps two moments; 8-bit Adam two of one byte with block scales
/// (arXiv 2110.02861); Muon one (arXiv 2502.16982); Adafactor rows and columns (arXiv 1804.04235), taken as none; SGD
/// its momentum.
StateBytes state_bytes(const Plan &plan);

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
    double runtime_bytes = 0;
    double host_bytes = 0; ///< offloaded
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

/// Memory of every pipeline rank. ZeRO stages after Rajbhandari et al. 2020 (arXiv 1910.02054, section 5): stage 1
/// shards master copy and moments over the data-parallel ranks, stage 2 also gradients, stage 3 also weights.
std::vector<RankMemory> memory_of_ranks(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions);

/// What a rank holds beside its activations while something runs, in bytes.
struct RankBuffers {
    double gathered_weights = 0; ///< ZeRO-3: of the layer that runs and the next
    double unreduced_gradients = 0; ///< ZeRO-2 and 3: of one layer, while a backward pass runs
    double communication = 0; ///< received from neighbouring stages, gathered by tensor parallelism
    double bucket = 0; ///< in which updated weights are gathered when the optimizer runs
};
RankBuffers rank_buffers(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, std::size_t rank);

/// What the fullest rank holds, without names: for searches that look at many layouts.
double peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                  const Assumptions &assumptions);

/// Weights, gradients, master copy and moments of a rank with so many parameters, on its device: linear in them.
double device_state_bytes(const Plan &plan, const RankParameters &parameters);

/// What one rank holds when so many chunks are in flight, whatever its schedule says of them.
double rank_peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                       const Assumptions &assumptions, std::size_t rank, std::int64_t in_flight);

} // namespace meshwright

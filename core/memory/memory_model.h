// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/state_bytes.h"
#include "pipeline/executed_order.h"
#include "pipeline/stages.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

/// The moment of a step when a rank's memory peaks.
enum class PeakMoment { forward, loss, backward, weight_gradient, optimizer };

/// Memory of one pipeline rank at its peak.
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
    double host_bytes = 0; ///< bytes offloaded to host memory
    double parts_in_flight = 0; ///< chunks (or slices) in flight at the memory peak, in units of the average chunk
    /// Maximum of parts_in_flight over the step, which determines the host memory needed for offloading.
    double max_parts_in_flight = 0;
    double waiting_microbatches = 0; ///< microbatches whose logits stay in memory until their backward pass
    /// Working set of the running operation for one microbatch, owned by LayerCosts; null if none runs.
    const WorkingSet *working = nullptr;
    double reserved_bytes = 0; ///< memory reported by the driver after the allocator's pool has grown to its full size
    PeakMoment peak_moment = PeakMoment::backward;
    std::string peak_operation; ///< text for peak_moment, with the operation of the layer: "backward: attention"

    double total_bytes() const {
        return weights_bytes + gradients_bytes + master_bytes + moments_bytes + activations_bytes + logits_bytes
            + buffers_bytes + outer_bytes + runtime_bytes;
    }
    /// Sum of all kinds, added in the order of StageMemory, so that the result equals the sum of a StageMemory bit for
    /// bit.
    double stage_total_bytes() const {
        return weights_bytes + gradients_bytes + (master_bytes + moments_bytes) + activations_bytes + logits_bytes
            + buffers_bytes + outer_bytes + runtime_bytes;
    }
};

/// Peak memory of every pipeline rank, from its executed order of operations if that is given, otherwise from closed
/// forms for the microbatches in flight. ZeRO stages follow Rajbhandari et al. 2020 (arXiv 1910.02054, section 5):
/// stage 1 shards master weights and moments over the data-parallel ranks, stage 2 also shards gradients, and stage 3
/// also shards weights.
std::vector<RankMemory> memory_of_ranks(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                        const Assumptions &assumptions, const ExecutedOrder *order = nullptr);

/// Bytes allocated per logit at the loss.
double bytes_per_logit(const Plan &plan, const RankShape &shape);

/// Number of a rank's all-to-all peers in the same node; 0 without expert parallelism.
double peers_in_node(const Plan &plan, const LayerCosts &layers);

/// Bytes that a rank holds in addition to activations while operations run.
struct RankBuffers {
    double gathered_weights = 0; ///< weights of the current and the next layer, with ZeRO-3
    double unreduced_gradients = 0; ///< gradients of one layer (or chunk) in a backward pass, with ZeRO-2 and ZeRO-3
    double communication = 0; ///< activations received from neighboring stages or gathered by tensor parallelism
    double head_gradient = 0; ///< gradient of the LM head at the loss, before accumulation
    /// Gradient of a tied LM head, stored until the end of the backward pass, when the embedding's gradient is ready.
    double waiting_gradient = 0;
    double bucket = 0; ///< bucket for gathering updated weights during the optimizer step
    double update_temporaries = 0; ///< temporaries of an optimizer step that is not fused
};
RankBuffers rank_buffers(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, std::size_t rank);

/// Peak memory of the rank with the highest peak, without operation names, for searches over many configurations.
double peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                  const Assumptions &assumptions);

/// Peak memory of one rank for a given number of chunks in flight, regardless of its schedule.
double rank_peak_bytes(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                       const Assumptions &assumptions, std::size_t rank, std::int64_t in_flight);

} // namespace meshwright

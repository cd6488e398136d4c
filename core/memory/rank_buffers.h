// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "memory/state_bytes.h"

namespace meshwright {

/// Bytes that a rank needs on top of saved activations while operations run.
template <Number N>
struct BasicRankBuffers {
    N gathered_weights = 0; ///< ZeRO-3: weights of the current and the next layer
    N unreduced_gradients = 0; ///< ZeRO-2 and ZeRO-3: gradients of one layer (or chunk) in a backward pass
    N received = 0; ///< activations received from neighboring stages
    N gathered_input = 0; ///< activations gathered by tensor parallelism before a GEMM
    N head_gradient = 0; ///< gradient of the LM head at the loss, before it is accumulated
    /// Gradient of a tied LM head. It stays until the embedding's gradient is ready, at the end of the backward pass.
    N waiting_gradient = 0;
    N bucket = 0; ///< buffer that gathers updated weights during the optimizer step
    N update_temporaries = 0; ///< temporary tensors of an optimizer that is not fused
    N communication() const { return received + gathered_input; }
};
using RankBuffers = BasicRankBuffers<double>;

/// The sizes that determine a rank's buffers.
template <Number N>
struct BasicRankHolding {
    N parameters = 0; ///< parameters of the rank, before ZeRO
    N weights_bytes = 0;
    N gradients_bytes = 0; ///< all of the rank's gradients, allocated or not
    N moments_bytes = 0; ///< on the device
    N sharded_unit = 0; ///< parameters that ZeRO gathers or reduces at once
    N largest_chunk = 0; ///< parameters of the largest virtual stage
    bool is_sharded = false; ///< whether several ranks shard the dense weights' states (ZeRO)
    bool has_head = false;
    bool has_both_ends = false; ///< whether a virtual stage holds both the embedding and the LM head
};
template <Number N>
BasicRankBuffers<N> rank_buffers(const Plan &plan, const BasicLayerCosts<N> &layers, const BasicRankHolding<N> &holding,
                                 const Assumptions &assumptions);

/// Outer parameters, momentum and error feedback of a rank in FP32, and one fragment in transfer.
template <Number N>
struct BasicOuterBytes {
    N state = 0;
    N fragment = 0;
};
/// @param parameters  parameters of the rank
/// @pre the plan has an outer loop
template <Number N>
BasicOuterBytes<N> outer_bytes(const Plan &plan, const N &parameters);
/// Whether the outer state is in host memory.
bool offloads_outer(const Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/weights.h"
#include "formulas/traced.h"
#include "plan/plan.h"

#include <optional>
#include <string>
#include <type_traits>

namespace meshwright {

/// Forward FLOPs per token by kind of operation. A multiply-add counts as two.
template <Number N>
struct BasicForwardFlops {
    N matrices = 0; ///< all GEMMs with weights, including the LM head and MTP modules
    N attention = 0; ///< attention core under the causal mask
    N attention_full = 0; ///< attention core without the mask, counting all pairs
    N head = 0; ///< the LM head's part of `matrices`
};
using ForwardFlops = BasicForwardFlops<double>;

/// @param sequence sequence length in tokens
/// Source: Kaplan et al. 2020 (arXiv 2001.08361, section 2.1) for 2 x parameters; Narayanan et al. 2021 (arXiv
/// 2104.04473, appendix) for attention and head; recurrent mixers as in layer_operations.
template <Number N = double>
BasicForwardFlops<N> forward_flops(const Model &model, const std::type_identity_t<N> &sequence);

/// Forward FLOPs per token of one layer of this kind.
template <Number N = double>
BasicForwardFlops<N> forward_flops(const Model &model, const Block &block, const std::type_identity_t<N> &sequence);

/// The weight of a layer's last GEMM, whose output only the next layer reads. Checkpointing with early stopping does
/// not recompute this GEMM. Empty if the layer has none.
std::optional<Weight> last_matrix(const Model &model, const Block &block);
/// Forward FLOPs per token of the last GEMM of every layer, including MTP modules.
template <Number N = double>
N last_matrix_flops(const Model &model);

/// Recomputed fraction of the GEMMs that use a layer's weight, for plans that recompute individual operations or
/// modules.
template <Number N = double>
N recomputed_fraction(const Plan &plan, const Weight &weight);
/// Recomputed forward FLOPs per token.
template <Number N = double>
N recomputed_flops(const Plan &plan);

/// Name of a block in formulas: "dense_layer", "block_0_layer".
std::string name_of_block(const Model &model, std::size_t index);
/// Reads the number of layers of one virtual stage from the plan's pipeline layout or from an even split. @param number
/// number of layers of this virtual stage
template <Number N>
N layers_of_virtual_stage(const Plan &plan, std::size_t stage, std::int64_t number);

} // namespace meshwright

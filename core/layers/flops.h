// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/weights.h"
#include "plan/plan.h"

#include <optional>

namespace meshwright {

/// Forward FLOPs per token by kind of operation. A multiply-add counts as two.
struct ForwardFlops {
    double matrices = 0; ///< all GEMMs with weights, including the LM head and MTP modules
    double attention = 0; ///< attention core under the causal mask
    double attention_full = 0; ///< attention core without the mask: all pairs counted
    double head = 0; ///< the LM head's part of `matrices`
};

/// @param sequence sequence length in tokens
/// Source: Kaplan et al. 2020 (arXiv 2001.08361, section 2.1) for 2 x parameters; Narayanan et al. 2021 (arXiv
/// 2104.04473, appendix) for attention and head; recurrent mixers as in layer_operations.
ForwardFlops forward_flops(const Model &model, double sequence);

/// FLOPs of one layer of this block.
ForwardFlops forward_flops(const Model &model, const Block &block, double sequence);

/// The matrix of a layer whose output only the next layer reads. Checkpointing with early stopping does not recompute
/// it. Empty if the layer has none.
std::optional<Weight> last_matrix(const Model &model, const Block &block);
/// Forward FLOPs per token in the last matrices of all layers, including MTP modules.
double last_matrix_flops(const Model &model);

/// Recomputed fraction of the GEMMs with a layer's weight, for plans that recompute single operations or modules.
double recomputed_fraction(const Plan &plan, const Weight &weight);
/// Whether the plan recomputes the attention core without recomputing whole layers.
bool repeats_attention(const Plan &plan);
/// Recomputed forward FLOPs per token.
double recomputed_flops(const Plan &plan);

} // namespace meshwright

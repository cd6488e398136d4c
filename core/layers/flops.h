// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/weights.h"
#include "plan/plan.h"

#include <optional>

namespace meshwright {

/// Forward floating-point operations of one token, by what does them. A multiply-add counts two.
struct ForwardFlops {
    double matrices = 0; ///< all matrix multiplies with weights, LM head and prediction modules included
    double attention = 0; ///< scores and their use, under the causal mask
    double attention_full = 0; ///< the same without the mask: every pair counted
    double head = 0; ///< the LM head's share of `matrices`
};

/// @param sequence tokens of one sequence
/// Source: Kaplan et al. 2020 (arXiv 2001.08361, section 2.1) for 2 x parameters; Narayanan et al. 2021 (arXiv
/// 2104.04473, appendix) for attention and head; recurrent mixers as layer_operations.
ForwardFlops forward_flops(const Model &model, double sequence);

/// Of one layer of this kind.
ForwardFlops forward_flops(const Model &model, const Block &block, double sequence);

/// The matrix of a layer whose product nothing but the next layer reads; checkpointing that stops early does not redo
/// it. Nothing where the layer has none.
std::optional<Weight> last_matrix(const Model &model, const Block &block);
/// Forward FLOPs of one token in the last matrices of all layers, prediction modules included.
double last_matrix_flops(const Model &model);

/// Share of the multiplies with a layer's weight that are done again where the plan recomputes operations or modules.
double recomputed_fraction(const Plan &plan, const Weight &weight);
/// Whether they do the attention core again.
bool repeats_attention(const Plan &plan);
/// Forward operations that the plan's recomputation does again, a token.
double recomputed_flops(const Plan &plan);

} // namespace meshwright

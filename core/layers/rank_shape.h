// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/weights.h"
#include "formulas/traced.h"
#include "plan/plan.h"

namespace meshwright {

/// Shapes of one microbatch on one rank.
template <Number N>
struct BasicRankShape {
    N tokens = 0; ///< tokens of a microbatch on one context-parallel rank
    N sequence = 0; ///< full sequence length
    N context = 1; ///< slices it is split into
    N tensor = 1;
    /// ranks that norms and residuals are split across: tensor with sequence parallelism, else 1
    N sequence_ways = 1;
    N expert_ways = 1; ///< ranks that tokens are split across before the router, as above
    N logits_ways = 1; ///< ranks that logits are split across
    N expert = 1;
    N expert_tensor = 1;
    N activation_bytes = 2; ///< bytes per saved activation
    bool operator==(const BasicRankShape &) const = default;
};
using RankShape = BasicRankShape<double>;

template <Number N = double>
BasicRankShape<N> rank_shape(const Plan &plan);

/// Activations of a microbatch between two layers, on all tensor-parallel ranks together.
template <Number N>
N hidden_state_bytes(const BasicRankShape<N> &shape, const Model &model);

/// Output features of a weight's GEMM per tensor-parallel rank. Groups that cannot be split are replicated.
template <Number N>
N outputs_per_rank(const Weight &weight, const N &ways);
template <Number N>
N inputs_per_rank(const Weight &weight, const N &ways);
/// Parameters of all copies of the weight that one rank holds, before ZeRO.
template <Number N>
N parameters_per_rank(const Weight &weight, const BasicRankShape<N> &shape);

/// Parameters by the set of data-parallel ranks that they are sharded over.
template <Number N>
struct BasicRankParameters {
    N dense = 0; ///< sharded and reduced over data x context
    N experts = 0; ///< sharded and reduced over tensor x context x data / (expert x expert_tensor)
    N total() const { return dense + experts; }
    void add(const BasicRankParameters &other, double times) {
        dense += times * other.dense;
        experts += times * other.experts;
    }
    BasicRankParameters &operator+=(const BasicRankParameters &other) {
        add(other, 1);
        return *this;
    }
};
using RankParameters = BasicRankParameters<double>;
RankParameters rank_parameters(const std::vector<Weight> &weights, const RankShape &shape);
/// Parameters per rank of the largest weight. A routed-expert weight counts with all experts of the rank.
double largest_weight(const std::vector<Weight> &weights, const RankShape &shape);

} // namespace meshwright

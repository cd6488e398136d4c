// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/weights.h"
#include "formulas/traced.h"
#include "plan/plan.h"

namespace meshwright {

template <Number N>
struct BasicRankShape {
    N tokens = 0; ///< tokens of a microbatch on one context-parallel rank
    N sequence = 0; ///< length of the full sequence
    N context = 1; ///< number of slices into which context parallelism splits the sequence
    N tensor = 1;
    /// Number of ranks across which norms and residuals are sharded: the tensor degree with sequence parallelism,
    /// otherwise 1.
    N sequence_ways = 1;
    /// Number of ranks across which tokens are split before the router: the tensor degree with sequence parallelism,
    /// otherwise 1.
    N expert_ways = 1;
    N logits_ways = 1;
    N expert = 1;
    N expert_tensor = 1;
    N activation_bytes = 2;
    bool operator==(const BasicRankShape &) const = default;
};
using RankShape = BasicRankShape<double>;

template <Number N = double>
BasicRankShape<N> rank_shape(const Plan &plan);

/// Bytes of a microbatch's activations between two layers, over all tensor-parallel ranks.
template <Number N>
N hidden_state_bytes(const BasicRankShape<N> &shape, const Model &model);

/// Number of output features of a weight's GEMM per tensor-parallel rank. Groups that do not divide evenly among the
/// ranks are replicated.
template <Number N>
N outputs_per_rank(const Weight &weight, const N &ways);
template <Number N>
N inputs_per_rank(const Weight &weight, const N &ways);
/// Number of parameters of a weight on one rank, over all its copies and before ZeRO.
template <Number N>
N parameters_per_rank(const Weight &weight, const BasicRankShape<N> &shape);

/// Numbers of parameters, by the group of data-parallel ranks across which they are sharded.
template <Number N>
struct BasicRankParameters {
    N dense = 0; ///< number of parameters sharded over data x context
    N experts = 0; ///< number of parameters sharded over tensor x context x data / (expert x expert_tensor)
    N total() const { return dense + experts; }
    void add(const BasicRankParameters &other, const N &times) {
        dense += times * other.dense;
        experts += times * other.experts;
    }
    BasicRankParameters &operator+=(const BasicRankParameters &other) {
        add(other, 1);
        return *this;
    }
};
using RankParameters = BasicRankParameters<double>;
template <Number N>
BasicRankParameters<N> rank_parameters(const std::vector<Weight> &weights, const BasicRankShape<N> &shape);
/// Number of parameters of the largest weight on one rank, before ZeRO. A routed-expert weight includes all experts on
/// the rank.
template <Number N>
N largest_weight(const std::vector<Weight> &weights, const BasicRankShape<N> &shape);

} // namespace meshwright

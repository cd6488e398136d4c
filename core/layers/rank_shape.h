// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/weights.h"
#include "plan/plan.h"

namespace meshwright {

/// Shapes of one microbatch on one rank.
struct RankShape {
    double tokens = 0; ///< per microbatch, after context parallelism
    double sequence = 0; ///< full length
    double context = 1; ///< slices it is split into
    double tensor = 1;
    /// ranks that norms and residuals are split across: tensor with sequence parallelism, else 1
    double sequence_ways = 1;
    double expert_ways = 1; ///< ranks that tokens are split across before the router, as above
    double logits_ways = 1; ///< ranks that logits are split across
    double expert = 1;
    double expert_tensor = 1;
    double activation_bytes = 2; ///< per saved activation
    bool operator==(const RankShape &) const = default;
};

RankShape rank_shape(const Plan &plan);

/// Activations of a microbatch between two layers, on all tensor-parallel ranks together.
double hidden_state_bytes(const RankShape &shape, const Model &model);

/// Output features of a weight's GEMM per tensor-parallel rank. Groups that cannot be split are replicated.
double outputs_per_rank(const Weight &weight, double ways);
double inputs_per_rank(const Weight &weight, double ways);
/// Parameters of all copies of the weight that one rank holds, before ZeRO.
double parameters_per_rank(const Weight &weight, const RankShape &shape);

/// Parameters by the set of data-parallel ranks that they are sharded over.
struct RankParameters {
    double dense = 0; ///< sharded and reduced over data x context
    double experts = 0; ///< over tensor x context x data / (expert x expert_tensor)
    double total() const { return dense + experts; }
    void add(const RankParameters &other, double times) {
        dense += times * other.dense;
        experts += times * other.experts;
    }
    RankParameters &operator+=(const RankParameters &other) {
        add(other, 1);
        return *this;
    }
};
RankParameters rank_parameters(const std::vector<Weight> &weights, const RankShape &shape);
/// Parameters per rank of the largest weight. A routed-expert weight counts with all experts of the rank.
double largest_weight(const std::vector<Weight> &weights, const RankShape &shape);

} // namespace meshwright

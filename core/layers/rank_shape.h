// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/weights.h"
#include "plan/plan.h"

namespace meshwright {

/// What one rank sees of one microbatch.
struct RankShape {
    double tokens = 0; ///< of a microbatch after context parallelism
    double sequence = 0; ///< whole length
    double context = 1; ///< slices that it comes in
    double tensor = 1;
    double sequence_ways = 1; ///< tensor with sequence parallelism, else 1: how often norms and residuals are split
    double expert_ways = 1; ///< how often a rank's tokens are split before the router: as above
    double logits_ways = 1; ///< ranks among which a token's logits are split
    double expert = 1;
    double expert_tensor = 1;
    double activation_bytes = 2; ///< of a stored activation
    bool operator==(const RankShape &) const = default;
};

RankShape rank_shape(const Plan &plan);

/// Activations of a microbatch between two layers, on all tensor-parallel ranks together.
double hidden_state_bytes(const RankShape &shape, const Model &model);

/// Outputs of a weight's matrix multiply on one tensor-parallel rank; groups that cannot be divided are copied.
double outputs_per_rank(const Weight &weight, double ways);
double inputs_per_rank(const Weight &weight, double ways);
/// Parameters of all its copies that one rank of the plan's layout holds, before ZeRO.
double parameters_per_rank(const Weight &weight, const RankShape &shape);

/// Groups of weights that are sharded over different sets of data-parallel ranks.
struct RankParameters {
    double dense = 0; ///< sharded and reduced over data x context
    double experts = 0; ///< over tensor x context x data / (expert x expert_tensor)
    double total() const { return dense + experts; }
    RankParameters &operator+=(const RankParameters &other) {
        dense += other.dense;
        experts += other.experts;
        return *this;
    }
};
RankParameters rank_parameters(const std::vector<Weight> &weights, const RankShape &shape);
/// Parameters of the largest of them on the rank; a weight of routed experts counts with all experts of the rank.
double largest_weight(const std::vector<Weight> &weights, const RankShape &shape);

} // namespace meshwright

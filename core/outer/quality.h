// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "quantities/sentence.h"

#include <string>
#include <vector>

namespace meshwright {

/// Loss increase relative to data-parallel training, as a range {low, high}.
struct LossPenalty {
    double low = 0;
    double high = 0;
};
LossPenalty loss_penalty(const Plan &plan, double parameters);

/// A starting value for a hyperparameter search, and the range of the best published values.
struct Suggestion {
    double value = 0;
    double low = 0;
    double high = 0;
    std::string source;
};

struct OuterQuality {
    LossPenalty penalty;
    std::string penalty_source;
    std::vector<Sentence> outside_evidence; ///< aspects of the plan that are outside the range of published results
    std::vector<std::string> warnings; ///< settings that were observed to harm quality
    Suggestion outer_learning_rate; ///< suggested outer learning rate with Nesterov momentum 0.9
    /// Optimal batch size of one site, in tokens. Under the joint law of arXiv 2503.09799, the optimal batch of M sites
    /// together, for a model of N parameters, is 0.00709 N^0.4695 M^0.3399 sequences of 2,048 tokens.
    double batch_tokens = 0;
    /// Effective compute, {worst, best}: the compute that reaches the same loss without the loss penalty, as a fraction
    /// of the compute spent. The first range uses the power law loss ~ compute^-0.0477 (arXiv 2503.09799); the second
    /// uses the compute-optimal frontier of Besiroglu et al.'s law, which has an irreducible loss (arXiv 2404.10102).
    LossPenalty effective_by_power_law;
    LossPenalty effective_by_parametric_law;
};
/// @param flops FLOPs of the whole run
OuterQuality outer_quality(const Plan &plan, double parameters, double flops);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"
#include "quantities/sentence.h"

#include <string>
#include <vector>

namespace meshwright {

/// Relative growth of the loss against data-parallel training, as a band: {low, high}.
struct LossPenalty {
    double low = 0;
    double high = 0;
};
LossPenalty loss_penalty(const Plan &plan, double parameters);

/// A value to start a search of one's own at, and the range that papers found best values in.
struct Suggestion {
    double value = 0;
    double low = 0;
    double high = 0;
    std::string source;
};

/// What the outer loop means for the model, with where that is known from.
struct OuterQuality {
    LossPenalty penalty;
    std::string penalty_source;
    std::vector<Sentence> outside_evidence; ///< each way in which the plan is beyond what was published
    std::vector<std::string> warnings; ///< what was seen to harm
    Suggestion outer_learning_rate; ///< of Nesterov's momentum 0.9
    /// A site's best step by the joint law of arXiv 2503.09799: 0.00709 N^0.4695 M^0.3399 sequences of 2,048 over all
    /// sites.
    double batch_tokens = 0;
    /// Computation of the run that counts once the penalty is paid, as a share of what was spent: {worst, best} by
    /// L ~ C^-0.0477 (arXiv 2503.09799), and by the law with an irreducible loss of Besiroglu and others (arXiv
    /// 2404.10102), along its compute-optimal frontier.
    LossPenalty effective_by_power_law;
    LossPenalty effective_by_parametric_law;
};
/// @param parameters  of the model
/// @param flops       of the whole run
OuterQuality outer_quality(const Plan &plan, double parameters, double flops);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/plan_comparison.h"

#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// Predefined comparisons for a plan's model and cluster.
enum class TradeOff {
    sharding, ///< FSDP, DeepSpeed ZeRO-3 and Megatron, each with the best configuration of its kind
    precision, ///< BF16 and FP8 compute, with nothing else changed
    sparsity ///< a dense model and a mixture of experts with equal predicted loss
};

struct TradeOffPlans {
    std::vector<NamedPlan> plans; ///< plans to compare with the plan itself; none of them equals it
    std::vector<std::string> notes; ///< sentences on how the plans were chosen, and on kinds without a plan
};

/// Searches for the plans; takes up to `seconds` for each. When stopped, returns what was found so far.
/// @throws InputError if the plan is not valid, or the comparison makes no sense for it
TradeOffPlans trade_off_plans(TradeOff which, const Plan &plan, const Library &library,
                              const std::stop_token &stop = {}, double seconds = 6);

/// The other kind of model with the same predicted loss after the same number of tokens: for a dense model, a mixture
/// with 64 experts per layer, 8 of them active; for a mixture of experts, a dense model. Layers, attention and
/// vocabulary stay the same. A mixture counts as a dense model with the geometric mean of its total and active
/// parameters: a rule of thumb, because no published law covers these sizes. @throws InputError for a model without
/// feed-forward layers
Model equal_loss_model(const Model &model);
/// Number of parameters of the equivalent dense model under the same rule of thumb.
double dense_equivalent_parameters(const Model &model);

} // namespace meshwright

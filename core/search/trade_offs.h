// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/plan_comparison.h"

#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

class Library;

enum class TradeOff {
    sharding, ///< FSDP, DeepSpeed ZeRO-3 and Megatron, each with its best configuration
    precision, ///< BF16 and FP8 compute, everything else equal
    sparsity ///< a dense model and a mixture of experts with the same predicted loss
};

struct TradeOffPlans {
    std::vector<NamedPlan> plans; ///< plans to compare with the plan itself; none equals it
    std::vector<std::string> notes; ///< sentences that explain how the plans were chosen and why some are missing
};

/// Searches for the plans, at most `seconds` for each. When stopped, returns what was found so far.
/// @throws InputError if the plan is not valid, or the comparison does not apply to it
TradeOffPlans trade_off_plans(TradeOff which, const Plan &plan, const Library &library,
                              const std::stop_token &stop = {}, double seconds = 6);

/// The other type of model with the same predicted loss after the same number of tokens: for a dense model, a mixture
/// with 64 experts per layer, 8 of them active; for a mixture of experts, a dense model. Layers, attention and
/// vocabulary stay the same. A mixture counts as a dense model with the geometric mean of its total and active
/// parameters. That is a rule of thumb, because no published law covers these sizes. @throws InputError for a model
/// without feed-forward layers
Model equal_loss_model(const Model &model);
/// Number of parameters of the equivalent dense model, by the same rule of thumb.
double dense_equivalent_parameters(const Model &model);

} // namespace meshwright

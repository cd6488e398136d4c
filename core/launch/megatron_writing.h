// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"
#include "launch/written_option.h"

#include <vector>

namespace meshwright {

struct Result;

/// A plan in Megatron-LM's options, which MegatronReading turns back into the plan. The options leave out data,
/// tokenizer, learning rate and paths, which a plan does not contain.
/// @param target  from megatron_target(); receives the parts of the plan's communication overlap that the options
/// cannot express
/// @param result  result of evaluating the plan
std::vector<WrittenOption> megatron_options(TargetPlan &target, const Result &result);

} // namespace meshwright

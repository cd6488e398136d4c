// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"
#include "launch/written_option.h"

#include <vector>

namespace meshwright {

struct Result;

/// A plan in Megatron-LM's options, which MegatronReading turns back into the plan. Data, tokenizer, learning rate and
/// paths are not in a plan and not among them.
/// @param target  of megatron_target(); gets what the options cannot say of the plan's overlap
/// @param result  of the plan, as it was evaluated
std::vector<WrittenOption> megatron_options(TargetPlan &target, const Result &result);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"
#include "launch/written_option.h"

#include <vector>

namespace meshwright {

struct Result;

/// Writes a plan as Megatron-LM's options, from which MegatronReading reads the same plan. Data, tokenizer, learning
/// rate and paths are not part of a plan and therefore not among the options.
/// @param target  from megatron_target(); receives the losses of overlap that the options cannot express
/// @param result  result of evaluating the plan
std::vector<WrittenOption> megatron_options(TargetPlan &target, const Result &result);

} // namespace meshwright

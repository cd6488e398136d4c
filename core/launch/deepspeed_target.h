// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"

namespace meshwright {

class Library;

/// A plan as Megatron-DeepSpeed (commit 4efb479d5317) runs it with DeepSpeed (commit edaa72212672). DeepSpeed's JSON
/// describes neither the model nor tensor and pipeline parallelism, so a plan also needs Megatron-DeepSpeed's options.
/// @throws InputError as target_plan()
TargetPlan deepspeed_target(const Plan &plan, const Library &library);

} // namespace meshwright

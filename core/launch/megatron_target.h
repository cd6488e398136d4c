// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"

namespace meshwright {

/// A plan as Megatron-LM runs it. Implements the rules of Megatron-LM at d98e8a64ddf3 that a stack's capabilities
/// cannot express (validate_args in megatron/training/arguments.py, OptimizerConfig and TransformerConfig in
/// megatron/core).
/// @param software  the stack of Megatron-Core or Megatron-Bridge, with the name to use in messages
/// @throws InputError like target_plan(), and for Mamba layers that tensor parallelism cannot divide
TargetPlan megatron_target(const Plan &plan, Stack software);

/// The plan as Megatron-Bridge runs it, by the rules above and those of its model providers at 067f987df03b.
/// @param software  the stack of Megatron-Bridge, with the name to use in messages
/// @throws InputError like target_plan()
TargetPlan megatron_bridge_target(const Plan &plan, Stack software);

/// Whether Megatron uses its own FSDP, which it needs to shard gradients (ZeRO-2) or weights (ZeRO-3).
bool uses_megatron_fsdp(const Plan &plan);

} // namespace meshwright

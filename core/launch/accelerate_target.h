// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"

namespace meshwright {

class Library;

enum class AccelerateEngine {
    replicas, ///< PyTorch's distributed data parallelism
    fsdp, ///< PyTorch's FSDP 2, with tensor and context parallelism
    deepspeed, ///< DeepSpeed's ZeRO, for plans whose software is DeepSpeed
    megatron ///< Accelerate's Megatron-LM integration, the only backend with pipeline parallelism
};

/// A plan as Hugging Face's Trainer runs it with Accelerate (commit 16cb6eb80dd9).
struct AccelerateTarget {
    TargetPlan target;
    AccelerateEngine engine = AccelerateEngine::fsdp;
};

/// @throws InputError like target_plan(), and with the pointer of the pipeline degree if Accelerate cannot give the
/// model to Megatron-LM
AccelerateTarget accelerate_target(const Plan &plan, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"

#include <string>

namespace meshwright {

class Library;

/// A plan as torchtitan v0.2.2 (commit 73a0e6979dd1) runs it, with the model's name in torchtitan.
struct TorchtitanTarget {
    TargetPlan target;
    std::string model; ///< model family: "llama3", "qwen3", "deepseek_v3"; "llama3_ft" if it is split into fragments
    std::string flavor; ///< name of the flavor within its family
    /// Whether the sizes need a custom flavor, because no flavor of torchtitan has them.
    bool is_own_flavor() const { return flavor == "meshwright"; }
    /// Whether the custom flavor's file also registers pipeline parallelism, because the family itself does not.
    bool registers_pipeline() const;
    /// Whether the schedule's overlap of exchanges between experts has to be off: v0.2.2 refuses it with recomputation.
    bool exchanges_alone() const;
};

/// torchtitan recomputes one layer in N. Returns the N that gives the plan's number of recomputed layers in each stage,
/// or 0 if there is no such N or if the plan does not recompute by layers.
std::int64_t layers_per_recomputed(const Plan &plan);

/// Applies rules that a stack's capabilities cannot express. They are from torchtitan/distributed/parallel_dims.py,
/// torchtitan/train.py and the code of each model family.
/// @throws InputError as target_plan() does, and if the tensor or context degree does not divide what it shards
TorchtitanTarget torchtitan_target(const Plan &plan, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/network.h"
#include "plan/plan.h"

namespace meshwright {

/// The communication groups of a plan, where its placement puts them. Dimensions are nested innermost first; where
/// expert parallelism is wider than tensor x context, the data-parallel ranks that it spans lie at its own place and
/// the rest of data parallelism at data's.
struct Groups {
    Group tensor;
    Group context;
    Group expert;
    Group expert_tensor;
    Group data; ///< gradients of dense weights: data x context
    Group expert_data; ///< gradients of routed experts
    std::int64_t pipeline_stride = 1;
};

Groups groups_of(const Plan &plan);
/// The ranks of one pipeline, stage by stage.
Group pipeline_line(const Plan &plan, const Groups &groups);

/// Ranks that share the optimizer states of dense weights and of routed experts (ZeRO). A shard group cuts both alike:
/// expert parallelism lies inside it (Megatron-Core, num_distributed_optimizer_instances; torchtitan, HSDP).
struct ShardGroups {
    double dense = 1;
    double experts = 1;
};
/// @param groups  of the plan
ShardGroups shard_groups_of(const Plan &plan, const Groups &groups);
ShardGroups shard_groups_of(const Plan &plan);

/// Ranks of one pipeline that hold a copy of each stage: two where microbatches enter at both ends.
double stage_copies(const Plan &plan);

/// Microbatches whose gradients a rank adds up before ZeRO-2 reduces them. A rank that runs one chunk backward for
/// several microbatches in a row keeps that chunk's gradients for so long: a round of interleaving, all microbatches
/// where chunks go breadth first. Source: Breadth-First Pipeline Parallelism, arXiv 2211.05953, section 4.
std::int64_t microbatches_a_reduction(const Plan &plan);

/// Whether ranks of a pipeline keep the weights that ZeRO-3 gathered until the step's end. Source: torchtitan,
/// fsdp_reshard_after_forward: with pipelines never, to spare a gathering for every microbatch.
bool keeps_gathered_weights(const Plan &plan);
/// Whether ranks add the gradients of a step's microbatches up whole, though ZeRO shards them, and reduce them with the
/// last one. Source: PyTorch, FSDPModule.set_requires_gradient_sync, and no_sync before it.
bool adds_gradients_up(const Plan &plan);

/// Whether there is anything that ZeRO could share out.
bool has_shards(const Plan &plan);

} // namespace meshwright

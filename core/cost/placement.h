// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/network.h"
#include "formulas/traced.h"
#include "plan/plan.h"

namespace meshwright {

/// The communication groups of a plan, as its placement orders them. Dimensions are nested, innermost first. If the
/// expert degree exceeds tensor x context, expert groups also include some data-parallel ranks, which are then ordered
/// in the expert dimension instead of the data dimension.
struct Groups {
    Group tensor;
    Group context;
    Group expert;
    Group expert_tensor;
    Group data; ///< reduces gradients of dense weights: data x context
    Group expert_data; ///< reduces gradients of routed experts
    std::int64_t pipeline_stride = 1;
};

Groups groups_of(const Plan &plan);
/// The ranks of one pipeline, in order of their stages.
Group pipeline_line(const Plan &plan, const Groups &groups);

/// Number of ranks that shard the optimizer states of dense weights and of routed experts (ZeRO). A shard group limits
/// both in proportion, because expert parallelism lies inside it (Megatron-Core, num_distributed_optimizer_instances;
/// torchtitan, HSDP).
template <Number N>
struct BasicShardGroups {
    N dense = 1;
    N experts = 1;
    N copies = 1; ///< ranks that split a stage's optimizer update: stage_copies()
};
using ShardGroups = BasicShardGroups<double>;
ShardGroups shard_groups_of(const Plan &plan, const Groups &groups);
ShardGroups shard_groups_of(const Plan &plan);

/// Number of ranks in a pipeline that hold a copy of each stage: two in bidirectional schedules.
double stage_copies(const Plan &plan);

/// Number of microbatches for which a rank accumulates gradients before ZeRO-2 reduces them. A rank that runs a chunk
/// backward for several consecutive microbatches holds that chunk's gradients during this time: one microbatch group in
/// interleaved schedules, all microbatches in breadth-first ones. Source: Breadth-First Pipeline Parallelism, arXiv
/// 2211.05953, section 4.
std::int64_t microbatches_a_reduction(const Plan &plan);

/// Whether pipeline ranks keep the weights gathered by ZeRO-3 until the end of the step. Source: torchtitan,
/// fsdp_reshard_after_forward: weights are never resharded with pipelines, which avoids an all-gather per microbatch.
bool keeps_gathered_weights(const Plan &plan);
/// Whether ranks accumulate full gradients over a step's microbatches although ZeRO shards them, and reduce them with
/// the last microbatch. Source: PyTorch, FSDPModule.set_requires_gradient_sync, and no_sync before it.
bool adds_gradients_up(const Plan &plan);

/// Whether ZeRO has anything to shard.
bool has_shards(const Plan &plan);

} // namespace meshwright

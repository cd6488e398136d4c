// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Rules that determine what software can run, each a predicate of a few numbers. `cannot_run` applies them to a plan;
/// the search applies them to its candidates. Unknown capabilities count as supported.
namespace meshwright {

/// A plan's placement in the notation of stacks: "tensor-context-expert-data-pipeline".
std::string spelled(const std::vector<Dimension> &placement);
/// Whether the software supports the order of the dimensions that have more than one rank. A plan's default placement
/// is the software's own order.
bool runs_placement(const Capabilities &can_run, const Parallelism &parallelism);

bool runs_context(const Capabilities &can_run, std::int64_t context, std::int64_t sequence_length);
bool runs_context_with(const Capabilities &can_run, std::int64_t context, std::int64_t tensor, std::int64_t pipeline);
/// @param experts  number of routed experts of the model; 0 for a dense model
bool runs_sequence_sharding(const Capabilities &can_run, std::int64_t tensor, bool sequence_parallel,
                            std::int64_t experts);
bool runs_expert_tensor(const Capabilities &can_run, std::int64_t expert_tensor, std::int64_t tensor);
bool runs_experts(const Capabilities &can_run, std::int64_t expert, std::int64_t context);

/// Minimum number of KV heads among the layers with grouped-query attention; 0 if there is none.
std::int64_t min_kv_heads(const Model &model);
bool runs_kv_heads(const Capabilities &can_run, std::int64_t tensor, std::int64_t kv_heads);

bool runs_schedule(const Capabilities &can_run, Schedule schedule, std::int64_t pipeline);
/// @param group  microbatches per group, set in the plan or chosen automatically
bool runs_group(const Capabilities &can_run, std::int64_t pipeline, std::int64_t microbatches, std::int64_t group);
/// The most restrictive kind of split that permits these layers per virtual stage.
LayerSplit split_of(const std::vector<std::int64_t> &layers);
/// The software's default split if a plan gives no pipeline layout: equal stages, or some with one more layer.
LayerSplit split_of(const Stack &stack, std::int64_t layers, std::int64_t virtual_stages);
bool runs_split(const Capabilities &can_run, LayerSplit split);

struct ShardingCase {
    std::int64_t ranks = 1; ///< number of data-parallel x context-parallel ranks
    bool with_pipeline = false;
    bool with_others = false; ///< whether there is tensor, context or pipeline parallelism
    bool needs_sharded_states = false; ///< whether the plan offloads the optimizer or has states that are not FP32
};
ShardingCase sharding_case_of(const Plan &plan);
bool needs_sharded_states(const Plan &plan);
bool runs_zero_stage(const Capabilities &can_run, const ShardingCase &given, std::int64_t stage);
/// @param group  size of the shard group; 0 for all ranks
bool runs_shard_group(const Capabilities &can_run, std::int64_t ranks, std::int64_t stage, std::int64_t group);

bool runs_recompute(const Capabilities &can_run, RecomputeMode mode);
bool runs_modules(const Capabilities &can_run, const std::vector<std::string> &modules);
bool runs_formats(const Capabilities &can_run, const Precision &precision);
bool runs_offload(const std::optional<OffloadShare> &known, double share);

/// Replaces number formats, offloading and placement by supported ones if the plan's software does not support them.
/// The search varies these settings only on request.
void make_settings_runnable(Plan &plan);
/// Whether the plan's software supports its number formats, offloading and placement, regardless of degrees.
bool runs_settings(const Plan &plan);

/// The first word in a stack's lists that is not a valid value in plans: "schedules: 1f2b"; empty if there is none. The
/// catalog does not depend on plans, so it cannot check this when it reads the lists.
std::string unknown_word(const Capabilities &can_run);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Each rule of what software can run, as one question of a few numbers: `cannot_run` asks them of a plan, the search's
/// space of what it is about to list. What is not known is held against nothing.
namespace meshwright {

/// The order of a plan's placement as stacks spell it: "tensor-context-expert-data-pipeline".
std::string spelled(const std::vector<Dimension> &placement);
/// Whether the software has the order, as far as dimensions of more than one rank stand in it. The default of a plan
/// stands for the software's own order.
bool runs_placement(const Capabilities &can_run, const Parallelism &parallelism);

bool runs_context(const Capabilities &can_run, std::int64_t context, std::int64_t sequence_length);
/// @param experts  routed experts of the model, 0 for a dense one
bool runs_sequence_sharding(const Capabilities &can_run, std::int64_t tensor, bool sequence_parallel,
                            std::int64_t experts);
bool runs_expert_tensor(const Capabilities &can_run, std::int64_t expert_tensor, std::int64_t tensor);
bool runs_experts(const Capabilities &can_run, std::int64_t expert, std::int64_t context);

/// The fewest key-value heads that share query heads; 0: none do.
std::int64_t min_kv_heads(const Model &model);
bool runs_kv_heads(const Capabilities &can_run, std::int64_t tensor, std::int64_t kv_heads);

bool runs_schedule(const Capabilities &can_run, Schedule schedule, std::int64_t pipeline);
/// @param group  of microbatches, as the plan gives it or as it is chosen
bool runs_group(const Capabilities &can_run, std::int64_t pipeline, std::int64_t microbatches, std::int64_t group);
/// The least freedom that splits layers so over virtual stages.
LayerSplit split_of(const std::vector<std::int64_t> &layers);
/// Where a plan gives no layout: what the software does by itself, in equal stages or with a longer one.
LayerSplit split_of(const Stack &stack, std::int64_t layers, std::int64_t virtual_stages);
bool runs_split(const Capabilities &can_run, LayerSplit split);

/// What decides which ZeRO stages run.
struct ShardingCase {
    std::int64_t ranks = 1; ///< data x context
    bool with_pipeline = false;
    bool with_others = false; ///< tensor, context or pipeline parallelism
    bool needs_sharded_states = false; ///< offloads the optimizer, or keeps states that are not FP32
};
ShardingCase sharding_case_of(const Plan &plan);
/// Whether formats or offloading ask for sharded states, where the software ties the two together.
bool needs_sharded_states(const Plan &plan);
bool runs_zero_stage(const Capabilities &can_run, const ShardingCase &given, std::int64_t stage);
/// @param group  0: all ranks
bool runs_shard_group(const Capabilities &can_run, std::int64_t ranks, std::int64_t stage, std::int64_t group);

bool runs_recompute(const Capabilities &can_run, RecomputeMode mode);
bool runs_modules(const Capabilities &can_run, const std::vector<std::string> &modules);
bool runs_formats(const Capabilities &can_run, const Precision &precision);
bool runs_offload(const std::optional<OffloadShare> &known, double share);

/// A plan with formats, offloading and placement that its software can run: what the search varies only when asked to.
/// Each that it cannot run is replaced by the usual one that it can.
void make_settings_runnable(Plan &plan);
/// Whether they are runnable as they stand, whatever the degrees.
bool runs_settings(const Plan &plan);

/// The first word in a stack's lists that no plan can say: "schedules: 1f2b"; empty where there is none. The catalogue,
/// which reads the lists, does not know a plan's words.
std::string unknown_word(const Capabilities &can_run);

} // namespace meshwright

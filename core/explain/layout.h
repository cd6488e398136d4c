// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/context.h"
#include "layers/operations.h"

#include <functional>
#include <string>

namespace meshwright {

/// The part of the plan that determines a communication group. Different degrees may yield groups with the same
/// members, such as tensor 8 and expert 8.
enum class RankSet {
    site,
    tensor,
    context,
    pipeline,
    expert,
    expert_tensor,
    data,
    data_shard, ///< the data-parallel ranks that shard dense weights
    data_replicas, ///< the data-parallel ranks that hold the same shard of dense weights
    expert_data,
    expert_data_shard,
    expert_data_replicas
};
TracedGroup traced_group(const ExplainContext &context, RankSet set);

/// A parallel degree of the plan.
/// @param which  name of the degree as in plans: "tensor"
Derivation degree(const ExplainContext &context, const char *which);
/// The schedule, as its index in the list of schedules.
Derivation schedule_field(const ExplainContext &context);
/// Text of a condition on the symbol `schedule` (the index of a schedule): true for the schedules for which `holds` is
/// true.
std::string schedules_that(const std::function<bool(const ScheduleDefinition &)> &holds);
/// Number of ranks that shard the states of dense weights or of routed experts.
Derivation dense_shards(const ExplainContext &context, std::string name);
Derivation expert_shards(const ExplainContext &context, std::string name);
/// Number of ranks in a pipeline that hold each stage: 2 if microbatches enter at both ends, otherwise 1.
Derivation copies_of_stage(const ExplainContext &context, std::string name);

/// Number of layers of one virtual stage: from the plan's pipeline layout, or an even split.
Derivation layers_of_virtual_stage(const ExplainContext &context, std::int64_t stage, std::string name);

} // namespace meshwright

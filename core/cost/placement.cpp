// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/placement.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

Groups groups_of(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    const std::int64_t model_ranks = parallelism.tensor * parallelism.context;
    const std::int64_t expert_ranks = parallelism.expert * parallelism.expert_tensor;
    // Number of data-parallel ranks that an expert-parallel group spans. The group also spans the tensor x context
    // ranks.
    const std::int64_t reached =
        std::clamp<std::int64_t>(expert_ranks / std::max<std::int64_t>(1, model_ranks), 1, parallelism.data);
    Groups groups;
    std::int64_t stride = 1;
    std::int64_t data_stride = 0;
    std::int64_t expert_stride = 1;
    for (const Dimension dimension : parallelism.placement) {
        switch (dimension) {
        case Dimension::tensor:
            groups.tensor = {.members = parallelism.tensor, .stride = stride};
            stride *= parallelism.tensor;
            break;
        case Dimension::context:
            groups.context = {.members = parallelism.context, .stride = stride};
            stride *= parallelism.context;
            break;
        case Dimension::expert:
            expert_stride = stride;
            stride *= reached;
            break;
        case Dimension::pipeline:
            groups.pipeline_stride = stride;
            stride *= parallelism.pipeline;
            break;
        case Dimension::data:
            data_stride = stride;
            stride *= parallelism.data / reached;
            break;
        }
    }
    const std::int64_t inner = std::min(parallelism.expert_tensor, parallelism.tensor);
    groups.expert_tensor = {.members = parallelism.expert_tensor, .stride = groups.tensor.stride};
    // Experts are spread first over the tensor x context ranks that remain after expert tensor parallelism, then over
    // data-parallel ranks.
    groups.expert = {.members = parallelism.expert,
                     .stride = model_ranks > inner ? groups.tensor.stride * inner : expert_stride};
    groups.data = {.members = parallelism.data * parallelism.context,
                   .stride = parallelism.context > 1 ? groups.context.stride
                       : reached > 1                 ? expert_stride
                                                     : data_stride};
    groups.expert_data = {
        .members = std::max<std::int64_t>(1, model_ranks * parallelism.data / std::max<std::int64_t>(1, expert_ranks)),
        .stride = reached > 1 || expert_ranks >= model_ranks ? data_stride : groups.tensor.stride * expert_ranks};
    // A group that spans several dimensions has the stride of one dimension, limited so that the group ends within the
    // site.
    for (Group *group : {&groups.expert, &groups.expert_tensor, &groups.data, &groups.expert_data})
        group->stride =
            std::min(group->stride, std::max<std::int64_t>(1, stride / std::max<std::int64_t>(1, group->members)));
    return groups;
}

ShardGroups shard_groups_of(const Plan &plan) {
    return shard_groups_of(plan, groups_of(plan));
}

ShardGroups shard_groups_of(const Plan &plan, const Groups &groups) {
    ShardGroups shards{.dense = static_cast<double>(groups.data.members),
                       .experts = static_cast<double>(groups.expert_data.members),
                       .copies = stage_copies(plan)};
    if (plan.parallelism.shard_group) {
        const double group = std::min(shards.dense, static_cast<double>(*plan.parallelism.shard_group));
        shards.experts = std::max(1.0, std::floor(shards.experts * group / shards.dense));
        shards.dense = group;
    }
    return shards;
}

double stage_copies(const Plan &plan) {
    return plan.parallelism.pipeline > 1 && runs_both_ways(plan.parallelism.schedule) ? 2 : 1;
}

std::int64_t microbatches_a_reduction(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    const std::int64_t all = std::max<std::int64_t>(1, plan.microbatches());
    if (adds_gradients_up(plan))
        return all;
    if (parallelism.pipeline == 1 || plan.layer_chunks() == 1)
        return 1;
    const ScheduleDefinition &definition = definition_of(parallelism.schedule);
    if (definition.forward_first)
        return all;
    return definition.takes_groups ? std::clamp<std::int64_t>(parallelism.group.value_or(parallelism.pipeline), 1, all)
                                   : 1;
}

bool keeps_gathered_weights(const Plan &plan) {
    return plan.stack.gathers_once_in_pipelines && plan.parallelism.zero_stage >= 3 && plan.parallelism.pipeline > 1;
}

bool adds_gradients_up(const Plan &plan) {
    const bool once =
        plan.stack.reduces_gradients_once || (plan.stack.gathers_once_in_pipelines && plan.parallelism.pipeline > 1);
    return once && plan.parallelism.zero_stage >= 2 && plan.microbatches() > 1;
}

bool has_shards(const Plan &plan) {
    const ShardGroups shards = shard_groups_of(plan);
    const bool experts = std::any_of(plan.model.blocks.begin(), plan.model.blocks.end(), [](const Block &block) {
        return std::holds_alternative<Experts>(block.transform);
    });
    return shards.dense > 1 || (experts && shards.experts > 1) || stage_copies(plan) > 1;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/placement.h"

#include "formulas/function.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr std::string_view stride_title = "rank stride between group members";

Label stride_by(std::string_view source) {
    return {"stride", stride_title, Quantity::count, source};
}

template <Number N>
struct Degrees {
    explicit Degrees(const Parallelism &parallelism)
        : tensor(parallel_degree<N>(parallelism.tensor, "tensor"))
        , context(parallel_degree<N>(parallelism.context, "context"))
        , expert(parallel_degree<N>(parallelism.expert, "expert"))
        , expert_tensor(parallel_degree<N>(parallelism.expert_tensor, "expert_tensor"))
        , data(parallel_degree<N>(parallelism.data, "data")) {
        using formula::floor;
        using formula::min;
        if (expert_ranks >= 2 * model_ranks)
            reached = label(min(floor(expert_ranks / model_ranks), data),
                            {"reached", "data-parallel ranks that an expert-parallel group spans", Quantity::count,
                             "experts are spread over tensor- and context-parallel ranks first"});
    }

    N tensor;
    N context;
    N expert;
    N expert_tensor;
    N data;
    N model_ranks = tensor * context;
    N expert_ranks = expert * expert_tensor;
    /// Number of data-parallel ranks that an expert-parallel group spans, in addition to tensor x context ranks.
    N reached = 1;
};

/// Rank stride of each dimension.
template <Number N>
struct Strides {
    Strides(const Plan &plan, const Degrees<N> &degrees) {
        using formula::floor;
        for (const Dimension dimension : plan.parallelism.placement) {
            switch (dimension) {
            case Dimension::tensor:
                place(tensor, degrees.tensor);
                break;
            case Dimension::context:
                place(context, degrees.context);
                break;
            case Dimension::expert:
                place(expert, degrees.reached);
                break;
            case Dimension::pipeline:
                place(pipeline, pipeline_degree<N>(plan));
                break;
            case Dimension::data:
                place(data, degrees.reached == N(1) ? degrees.data : floor(degrees.data / degrees.reached));
                break;
            }
        }
    }

    N innermost = published_number<N>(1, "stride", stride_title, Quantity::count,
                                      "ranks are numbered along the innermost dimension first");
    N all = innermost; ///< product of the dimensions: number of ranks of the site
    N tensor = all;
    N context = all;
    N expert = all;
    N pipeline = all;
    N data = all;

private:
    void place(N &dimension, const N &degree) {
        dimension = all;
        all = label(all * degree, stride_by("product of the dimensions that precede this one in rank order"));
    }
};

} // namespace

template <Number N>
BasicGroups<N> groups_of(const Plan &plan) {
    using formula::floor;
    using formula::max;
    using formula::min;
    using enum Quantity;
    const Degrees<N> degrees(plan.parallelism);
    const Strides<N> strides(plan, degrees);
    // A group that spans several dimensions has the stride of one dimension, limited so that the group ends within the
    // site.
    const auto within_site = [&](const N &members, const N &stride) {
        const bool fits = value_of(stride) <= std::floor(value_of(strides.all) / std::max(1.0, value_of(members)));
        return group_of(members,
                        fits ? stride
                             : label(max(1, floor(strides.all / members)),
                                     stride_by("limited so that the group ends within the site")));
    };
    const N inner = min(degrees.expert_tensor, degrees.tensor);
    const bool spans_data = degrees.reached > N(1);
    return {.tensor = group_of(degrees.tensor, strides.tensor),
            .context = group_of(degrees.context, strides.context),
            // Experts are spread first over the tensor x context ranks that remain after expert tensor parallelism,
            // then over data-parallel ranks.
            .expert = within_site(
                degrees.expert,
                degrees.model_ranks > inner
                    ? label(strides.tensor * inner, stride_by("an expert's tensor-parallel ranks are adjacent"))
                    : strides.expert),
            .expert_tensor = within_site(degrees.expert_tensor, strides.tensor),
            .data = within_site(label(degrees.data * degrees.context,
                                      {"members", "data-parallel group size for dense weights", count,
                                       "gradients are averaged over data and context parallelism"}),
                                degrees.context > N(1) ? strides.context
                                    : spans_data       ? strides.expert
                                                       : strides.data),
            .expert_data = within_site(label(max(1, floor(degrees.model_ranks * degrees.data / degrees.expert_ranks)),
                                             {"members", "data-parallel group size for routed experts", count,
                                              "expert parallelism uses the ranks of the other dimensions"}),
                                       spans_data || degrees.expert_ranks >= degrees.model_ranks
                                           ? strides.data
                                           : label(strides.tensor * degrees.expert_ranks,
                                                   stride_by("the ranks of an expert-parallel group are adjacent"))),
            .pipeline = group_of(pipeline_degree<N>(plan), strides.pipeline),
            .site = group_of(site_accelerators<N>(plan), strides.innermost)};
}
template Groups groups_of(const Plan &);
template BasicGroups<Traced> groups_of(const Plan &);

ShardGroups shard_groups_of(const Plan &plan) {
    return shard_groups_of(plan, groups_of(plan));
}

template <Number N>
BasicShardGroups<N> shard_groups_of(const Plan &plan, const BasicGroups<N> &groups) {
    using formula::floor;
    using formula::max;
    using formula::min;
    using enum Quantity;
    BasicShardGroups<N> shards{
        .dense = groups.data.count(), .experts = groups.expert_data.count(), .copies = stage_copies<N>(plan)};
    if (plan.parallelism.shard_group) {
        const N group = label(min(shards.dense,
                                  read<N>(static_cast<double>(*plan.parallelism.shard_group),
                                          {Origin::plan, "shard_group", "size of the sharding group", count,
                                           "/parallelism/shard_group"})),
                              {"shards", "ranks that shard dense weights", count, "hybrid sharding"});
        shards.experts = label(max(1, floor(shards.experts * group / shards.dense)),
                               {"expert_shards", "ranks that shard routed experts", count,
                                "hybrid sharding: each expert-parallel group lies within a sharding group"});
        shards.dense = group;
    }
    return shards;
}
template ShardGroups shard_groups_of(const Plan &, const Groups &);
template BasicShardGroups<Traced> shard_groups_of(const Plan &, const BasicGroups<Traced> &);

template <Number N>
N stage_copies(const Plan &plan) {
    if (plan.parallelism.pipeline <= 1 || !runs_both_ways(plan.parallelism.schedule))
        return 1;
    return read<N>(2,
                   {Origin::plan, "copies", "ranks per pipeline that hold the same stage", Quantity::count,
                    "/parallelism/schedule", "the plan: microbatches enter at both ends of the pipeline"});
}
template double stage_copies(const Plan &);
template Traced stage_copies(const Plan &);

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
    return shards.dense > 1 || (experts && shards.experts > 1) || shards.copies > 1;
}

} // namespace meshwright

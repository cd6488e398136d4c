// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layout.h"

#include "explain/quantity_names.h"
#include "formulas/rank_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

double degree_of(const Parallelism &parallelism, std::string_view which) {
    const std::pair<std::string_view, std::int64_t> degrees[] = {
        {"tensor", parallelism.tensor}, {"context", parallelism.context}, {"pipeline", parallelism.pipeline},
        {"chunks", parallelism.chunks}, {"expert", parallelism.expert},   {"expert_tensor", parallelism.expert_tensor},
        {"data", parallelism.data}};
    const auto *const found =
        std::find_if(std::begin(degrees), std::end(degrees), [&](const auto &each) { return each.first == which; });
    return static_cast<double>(found->second);
}

Derivation data_ranks(const ExplainContext &context, std::string name) {
    return product_of({std::move(name), "data-parallel group size for dense weights", count},
                      "gradients are averaged over data and context parallelism",
                      {degree(context, "data"), degree(context, "context")});
}

Derivation expert_data_ranks(const ExplainContext &context, std::string name) {
    return derived({std::move(name), "data-parallel group size for routed experts", count},
                   static_cast<double>(context.layers.groups().expert_data.members),
                   "max(1, floor(tensor * context * data / (expert * expert_tensor)))",
                   "expert parallelism uses the ranks of the other dimensions",
                   {degree(context, "tensor"), degree(context, "context"), degree(context, "data"),
                    degree(context, "expert"), degree(context, "expert_tensor")});
}

struct PlannedGroup {
    RankSet set = RankSet::site;
    Group ranks;
};
PlannedGroup planned_group(const ExplainContext &context, RankSet set);

/// Rank stride between members of a group: the product of the dimensions that precede it in rank order.
Derivation stride_of(const ExplainContext &context, const PlannedGroup &group) {
    const auto of_dimension = [&](const char *dimension) {
        return by_simulation({"stride", "rank stride between group members", count},
                             static_cast<double>(group.ranks.stride), fmt::format("stride_of_{}", dimension),
                             "product of the dimensions that precede this one in rank order",
                             {degree(context, "tensor"), degree(context, "context"), degree(context, "expert"),
                              degree(context, "expert_tensor"), degree(context, "pipeline"), degree(context, "data")});
    };
    const auto of_replicas = [&](RankSet shared, Derivation shards) {
        return product_of({"stride", "rank stride between group members", count},
                          "each replica spans one sharding group",
                          {named("of_a_share", stride_of(context, planned_group(context, shared))), std::move(shards)});
    };
    switch (group.set) {
    case RankSet::tensor:
        return of_dimension("tensor");
    case RankSet::context:
        return of_dimension("context");
    case RankSet::pipeline:
        return of_dimension("pipeline");
    case RankSet::expert:
        return of_dimension("expert");
    case RankSet::expert_tensor:
        return of_dimension("expert_tensor");
    case RankSet::data:
    case RankSet::data_shard:
        return of_dimension("data");
    case RankSet::expert_data:
    case RankSet::expert_data_shard:
        return of_dimension("expert_data");
    case RankSet::data_replicas:
        return of_replicas(RankSet::data, dense_shards(context, "shards"));
    case RankSet::expert_data_replicas:
        return of_replicas(RankSet::expert_data, expert_shards(context, "shards"));
    case RankSet::site:
        break;
    }
    return published({"stride", "rank stride between group members", count}, 1, "all accelerators of the site");
}

Derivation replicas_of_shards(const PlannedGroup &group, std::string name, Derivation ranks, Derivation shards) {
    return derived({std::move(name), "replicas of a shard", count}, static_cast<double>(group.ranks.members),
                   "all_ranks / shards", "hybrid sharding", {std::move(ranks), std::move(shards)});
}

Group replicas_in(Group group, double shards) {
    const auto members = static_cast<std::int64_t>(shards);
    return {.members = group.members / members, .stride = group.stride * members};
}

} // namespace

Derivation degree(const ExplainContext &context, const char *which) {
    const bool is_ways = std::string_view(which) != "chunks" && std::string_view(which) != "pipeline";
    const std::string title = is_ways ? fmt::format("{}-parallel ranks", identifier(which)) : std::string(which);
    return plan_field({which, std::string_view(which) == "pipeline" ? "pipeline stages" : title, count},
                      degree_of(context.plan.parallelism, which), fmt::format("/parallelism/{}", which));
}

Derivation schedule_field(const ExplainContext &context) {
    return plan_field({"schedule", "pipeline schedule"}, static_cast<double>(context.plan.parallelism.schedule),
                      "/parallelism/schedule");
}

std::string schedules_that(const std::function<bool(const ScheduleDefinition &)> &holds) {
    std::vector<std::string> places;
    for (const Schedule each : all_schedules())
        if (holds(definition_of(each)))
            places.push_back(fmt::format("schedule == {}", static_cast<int>(each)));
    return places.empty() ? "0" : fmt::format("{}", fmt::join(places, " || "));
}

Derivation dense_shards(const ExplainContext &context, std::string name) {
    Derivation ranks = data_ranks(context, std::move(name));
    const std::optional<std::int64_t> group = context.plan.parallelism.shard_group;
    if (!group)
        return ranks;
    const Labelled what{ranks.name, ranks.title, count};
    return derived(what, shard_groups_of(context.plan).dense, "min(all_ranks, shard_group)", "hybrid sharding",
                   {named("all_ranks", std::move(ranks)),
                    plan_field({"shard_group", "size of the sharding group", count}, static_cast<double>(*group),
                               "/parallelism/shard_group")});
}

Derivation expert_shards(const ExplainContext &context, std::string name) {
    Derivation ranks = expert_data_ranks(context, std::move(name));
    if (!context.plan.parallelism.shard_group)
        return ranks;
    const Labelled what{ranks.name, ranks.title, count};
    return derived(
        what, shard_groups_of(context.plan).experts, "max(1, floor(all_ranks * sharing / dense_ranks))",
        "hybrid sharding: each expert-parallel group lies within a sharding group",
        {named("all_ranks", std::move(ranks)), dense_shards(context, "sharing"), data_ranks(context, "dense_ranks")});
}

Derivation copies_of_stage(const ExplainContext &context, std::string name) {
    return derived({std::move(name), "ranks per pipeline that hold the same stage", count}, stage_copies(context.plan),
                   fmt::format("pipeline > 1 && ({}) ? 2 : 1", schedules_that([](const ScheduleDefinition &each) {
                                   return each.placement == StagePlacement::both_ways;
                               })),
                   "2 if microbatches enter at both ends (DualPipe and Chimera), otherwise 1",
                   {degree(context, "pipeline"), schedule_field(context)});
}

namespace {

PlannedGroup planned_group(const ExplainContext &context, RankSet set) {
    const Groups &groups = context.layers.groups();
    const ShardGroups shards = shard_groups_of(context.plan, groups);
    switch (set) {
    case RankSet::tensor:
        return {set, groups.tensor};
    case RankSet::context:
        return {set, groups.context};
    case RankSet::pipeline:
        return {set, pipeline_line(context.plan, groups)};
    case RankSet::expert:
        return {set, groups.expert};
    case RankSet::expert_tensor:
        return {set, groups.expert_tensor};
    case RankSet::data:
        return {set, groups.data};
    case RankSet::data_shard:
        return {set, {static_cast<std::int64_t>(shards.dense), groups.data.stride}};
    case RankSet::data_replicas:
        return {set, replicas_in(groups.data, shards.dense)};
    case RankSet::expert_data:
        return {set, groups.expert_data};
    case RankSet::expert_data_shard:
        return {set, {static_cast<std::int64_t>(shards.experts), groups.expert_data.stride}};
    case RankSet::expert_data_replicas:
        return {set, replicas_in(groups.expert_data, shards.experts)};
    case RankSet::site:
        break;
    }
    return {RankSet::site, {context.plan.site_accelerators(), 1}};
}

Derivation members_of(const ExplainContext &context, const PlannedGroup &group, std::string name) {
    switch (group.set) {
    case RankSet::tensor:
        return named(std::move(name), degree(context, "tensor"));
    case RankSet::context:
        return named(std::move(name), degree(context, "context"));
    case RankSet::pipeline:
        return named(std::move(name), degree(context, "pipeline"));
    case RankSet::expert:
        return named(std::move(name), degree(context, "expert"));
    case RankSet::expert_tensor:
        return named(std::move(name), degree(context, "expert_tensor"));
    case RankSet::data:
        return data_ranks(context, std::move(name));
    case RankSet::data_shard:
        return dense_shards(context, std::move(name));
    case RankSet::data_replicas:
        return replicas_of_shards(group, std::move(name), data_ranks(context, "all_ranks"),
                                  dense_shards(context, "shards"));
    case RankSet::expert_data:
        return expert_data_ranks(context, std::move(name));
    case RankSet::expert_data_shard:
        return expert_shards(context, std::move(name));
    case RankSet::expert_data_replicas:
        return replicas_of_shards(group, std::move(name), expert_data_ranks(context, "all_ranks"),
                                  expert_shards(context, "shards"));
    case RankSet::site:
        break;
    }
    return named(std::move(name), context.site_accelerators());
}

} // namespace

TracedGroup traced_group(const ExplainContext &context, RankSet set) {
    const PlannedGroup group = planned_group(context, set);
    return {group.ranks, Traced(members_of(context, group, "members")), Traced(stride_of(context, group))};
}

Derivation layers_of_virtual_stage(const ExplainContext &context, std::int64_t stage, std::string name) {
    const auto index = static_cast<std::size_t>(stage);
    return layers_of_virtual_stage<Traced>(context.plan, index, context.costs.stages[index].layers)
        .derivation({std::move(name), {}}, {});
}

} // namespace meshwright

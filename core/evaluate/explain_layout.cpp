// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layout.h"

#include "evaluate/quantity_names.h"

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
    return product_of({std::move(name), "data-parallel ranks of dense weights", count},
                      "gradients are averaged over data and context parallelism",
                      {degree(context, "data"), degree(context, "context")});
}

Derivation expert_data_ranks(const ExplainContext &context, std::string name) {
    return derived({std::move(name), "data-parallel ranks of routed experts", count},
                   static_cast<double>(context.layers.groups().expert_data.members),
                   "max(1, floor(tensor * context * data / (expert * expert_tensor)))",
                   "expert parallelism uses the ranks of the other dimensions",
                   {degree(context, "tensor"), degree(context, "context"), degree(context, "data"),
                    degree(context, "expert"), degree(context, "expert_tensor")});
}

bool same(Group a, Group b) {
    return a.members == b.members && a.stride == b.stride;
}

/// Whether the group is all accelerators of a site, contiguous.
bool is_whole_site(const ExplainContext &context, Group group) {
    return group.stride == 1 && group.members == context.plan.site_accelerators();
}

/// Ranks between neighbors of a group: the product of the dimensions inside it. Data-parallel groups of other sizes lie
/// within the data-parallel group, or hold one replica of each shard.
Derivation stride_of(const ExplainContext &context, Group group) {
    const Groups &groups = context.layers.groups();
    const std::pair<const char *, std::int64_t> strides[] = {
        {"tensor", groups.tensor.stride},     {"context", groups.context.stride},
        {"expert", groups.expert.stride},     {"expert_tensor", groups.expert_tensor.stride},
        {"data", groups.data.stride},         {"expert_data", groups.expert_data.stride},
        {"pipeline", groups.pipeline_stride}, {"copies", group.stride}};
    const auto *const own = std::find_if(std::begin(strides), std::end(strides),
                                         [&](const auto &each) { return each.second == group.stride; });
    const Labelled what{"stride", "ranks between neighbors of the group", count};
    if (std::string_view(own->first) != "copies")
        return by_simulation(what, static_cast<double>(group.stride), fmt::format("stride_of_{}", own->first),
                             "the dimensions that the placement puts inside it, innermost first",
                             {degree(context, "tensor"), degree(context, "context"), degree(context, "expert"),
                              degree(context, "expert_tensor"), degree(context, "pipeline"), degree(context, "data")});
    const bool dense = group.stride % groups.data.stride == 0
        && static_cast<double>(group.stride)
            == static_cast<double>(groups.data.stride) * shard_groups_of(context.plan).dense;
    return product_of(what, "one replica per group of shards",
                      {named("of_a_share", stride_of(context, dense ? groups.data : groups.expert_data)),
                       dense ? dense_shards(context, "shards") : expert_shards(context, "shards")});
}

} // namespace

Derivation degree(const ExplainContext &context, const char *which) {
    const bool is_ways = std::string_view(which) != "chunks" && std::string_view(which) != "pipeline";
    const std::string title = is_ways ? fmt::format("{}-parallel ranks", identifier(which)) : std::string(which);
    return plan_field({which, std::string_view(which) == "pipeline" ? "pipeline stages" : title, count},
                      degree_of(context.plan.parallelism, which), fmt::format("/parallelism/{}", which));
}

Derivation schedule_field(const ExplainContext &context) {
    return plan_field({"schedule", "index of the schedule"}, static_cast<double>(context.plan.parallelism.schedule),
                      "/parallelism/schedule");
}

std::string schedules_that(const std::function<bool(const ScheduleDefinition &)> &holds) {
    std::vector<std::string> places;
    for (const Schedule each : all_schedules())
        if (holds(definition_of(each)))
            places.push_back(fmt::format("schedule == {}", static_cast<int>(each)));
    return places.empty() ? "0" : fmt::format("{}", fmt::join(places, " || "));
}

Derivation format_bytes(Labelled what, DataType type, std::string pointer) {
    return plan_field(std::move(what), bytes_of(type), std::move(pointer));
}

Derivation wide_element_bytes(const ExplainContext &context, std::string name) {
    Derivation format =
        format_bytes({"format_bytes", fmt::format("bytes of {}", name_of(context.plan.precision.compute)), bytes},
                     context.plan.precision.compute, "/precision/compute");
    const double value = std::max(2.0, format.value);
    if (value == format.value)
        return named(std::move(name), std::move(format));
    return derived({std::move(name), "bytes per element", bytes}, value, "max(2, format_bytes)",
                   "operations other than matmuls use at least 16 bits", {std::move(format)});
}

Derivation sequence_ways(const ExplainContext &context, std::string name) {
    const bool split = context.plan.parallelism.sequence_parallel;
    return derived({std::move(name), "ranks that share a microbatch's tokens", count},
                   context.layers.shape().sequence_ways, "sequence_parallel ? tensor : 1",
                   "Korthikanti and others, arXiv 2205.05198, section 4.2.2",
                   {plan_field({"sequence_parallel", "1 if norms and residuals are split too (sequence parallelism)"},
                               split ? 1 : 0, "/parallelism/sequence_parallel"),
                    degree(context, "tensor")});
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
        "hybrid sharding: expert parallelism is inside the sharding group",
        {named("all_ranks", std::move(ranks)), dense_shards(context, "sharing"), data_ranks(context, "dense_ranks")});
}

Derivation copies_of_stage(const ExplainContext &context, std::string name) {
    return derived({std::move(name), "ranks of a pipeline that hold each stage", count}, stage_copies(context.plan),
                   fmt::format("pipeline > 1 && ({}) ? 2 : 1", schedules_that([](const ScheduleDefinition &each) {
                                   return each.placement == StagePlacement::both_ways;
                               })),
                   "two where microbatches enter at both ends: DualPipe and Chimera",
                   {degree(context, "pipeline"), schedule_field(context)});
}

Derivation members_of(const ExplainContext &context, Group group, std::string name) {
    const Groups &groups = context.layers.groups();
    for (const auto &[own, which] : {std::pair{groups.tensor, "tensor"},
                                     {groups.context, "context"},
                                     {groups.expert, "expert"},
                                     {groups.expert_tensor, "expert_tensor"},
                                     {Group{context.plan.parallelism.pipeline, groups.pipeline_stride}, "pipeline"}})
        if (same(own, group))
            return named(std::move(name), degree(context, which));
    const ShardGroups shards = shard_groups_of(context.plan);
    const auto members = static_cast<double>(group.members);
    if (same(group, groups.data))
        return data_ranks(context, std::move(name));
    if (same(group, groups.expert_data))
        return expert_data_ranks(context, std::move(name));
    if (group.stride == groups.data.stride && members == shards.dense)
        return dense_shards(context, std::move(name));
    if (group.stride == groups.expert_data.stride && members == shards.experts)
        return expert_shards(context, std::move(name));
    if (is_whole_site(context, group))
        return named(std::move(name), context.site_accelerators());
    const bool dense = members * shards.dense == static_cast<double>(groups.data.members);
    return derived({std::move(name), "replicas of a shard", count}, members, "all_ranks / shards", "hybrid sharding",
                   {dense ? data_ranks(context, "all_ranks") : expert_data_ranks(context, "all_ranks"),
                    dense ? dense_shards(context, "shards") : expert_shards(context, "shards")});
}

Derivation members_held(const ExplainContext &context, Group group, std::size_t tier, std::string name) {
    return by_formula({std::move(name), "members inside one group of the tier", count}, "tier-of-a-group",
                      "members_inside",
                      {plan_field({"accelerators", "accelerators per group of the tier", count},
                                  static_cast<double>(context.plan.cluster.tiers[tier].accelerators),
                                  fmt::format("/cluster/tiers/{}/accelerators", tier)),
                       stride_of(context, group), members_of(context, group, "members")});
}

Derivation members_inside(const ExplainContext &context, Group group, std::size_t tier, std::string name) {
    if (tier > 0)
        return members_held(context, group, tier - 1, std::move(name));
    return published({std::move(name), "members per accelerator", count}, 1, "definition");
}

Derivation layers_of_virtual_stage(const ExplainContext &context, std::int64_t stage, std::string name) {
    const auto layers = static_cast<double>(context.costs.stages[static_cast<std::size_t>(stage)].layers);
    const Labelled what{std::move(name), fmt::format("layers of virtual stage {}", stage), count};
    if (!context.plan.parallelism.layout.empty())
        return plan_field(what, layers, fmt::format("/parallelism/layout/{}", stage));
    return by_simulation(what, layers, "even_spread",
                         context.plan.stack.balances_stages
                             ? "stages of equal weight, counting the LM head's parameters"
                             : "an even split; remaining layers go to stages between the first and the last",
                         {model_fact({"layers", "layers of the model", count},
                                     static_cast<double>(context.plan.model.layer_count()), "the model's shape"),
                          degree(context, "pipeline"), degree(context, "chunks"),
                          counted({"place", "index of the virtual stage"}, static_cast<double>(stage),
                                  "virtual stages, numbered from 0", "/parallelism/pipeline")});
}

Derivation weight_state_bytes(const ExplainContext &context, std::string name) {
    const DataType type = context.plan.precision.weights;
    const Labelled what{std::move(name), "bytes per parameter", bytes};
    if (const double value = state_bytes(context.plan).weights; value != bytes_of(type))
        return nothing(what, "FSDP's sharded weights are the master weights", "/precision/master");
    return format_bytes(what, type, "/precision/weights");
}

Derivation gradient_state_bytes(const ExplainContext &context, std::string name) {
    const Precision &precision = context.plan.precision;
    const Labelled what{std::move(name), "bytes per parameter", bytes};
    if (state_bytes(context.plan).gradients == bytes_of(precision.gradients))
        return format_bytes(what, precision.gradients, "/precision/gradients");
    return sum_of(
        what, "gradients of the current pass exist in addition to the accumulators",
        {format_bytes({"accumulated", "gradient accumulators", bytes}, precision.gradients, "/precision/gradients"),
         format_bytes({"of_the_pass", "gradients in the weights' format", bytes}, precision.weights,
                      "/precision/weights")});
}

Derivation master_state_bytes(const ExplainContext &context, std::string name) {
    const DataType type = context.plan.precision.master;
    const Labelled what{std::move(name), "bytes per parameter", bytes};
    if (state_bytes(context.plan).master == bytes_of(type))
        return format_bytes(what, type, "/precision/master");
    return sum_of(what, "the optimizer step works in FP32: it copies accumulators in other formats",
                  {format_bytes({"copy", "master weights", bytes}, type, "/precision/master"),
                   context.stack_fact({"update", "copy for the optimizer step", bytes},
                                      context.plan.stack.update_bytes_per_parameter, "update_bytes_per_parameter")});
}

Derivation moment_state_bytes(const ExplainContext &context, std::string name) {
    const DataType type = context.plan.precision.moments;
    const Labelled what{std::move(name), "bytes per parameter", bytes};
    const double value = state_bytes(context.plan).moments;
    if (value == 0)
        return nothing(what, "this optimizer has no moments", "/optimizer/name");
    if (value == bytes_of(type))
        return format_bytes(what, type, "/precision/moments");
    if (value == 2 * bytes_of(type))
        return derived(what, value, "2 * moment", "AdamW, arXiv 1711.05101: momentum and variance",
                       {format_bytes({"moment", "one moment", bytes}, type, "/precision/moments")});
    return published(what, value, "8-bit optimizers, arXiv 2110.02861: two bytes, and an FP32 scale per 2,048 values");
}

Derivation groups_of_multiply(const ExplainContext &context, const Block *block, const GemmShape &shape) {
    const Labelled what{"groups", "matmuls in one grouped GEMM", count};
    const auto *experts = block == nullptr ? nullptr : std::get_if<Experts>(&block->transform);
    if (shape.groups == 1 || experts == nullptr)
        return published(what, shape.groups, "definition: a single matrix");
    return derived(what, shape.groups, "experts / expert", "experts per rank",
                   {shape_fact("experts", "routed experts of the layer", experts->experts), degree(context, "expert")});
}

Derivation element_bytes(const ExplainContext &context, MatrixUnits units) {
    if (units == MatrixUnits::half)
        return wide_element_bytes(context, "element_bytes");
    return format_bytes({"element_bytes", "bytes per input element", Quantity::bytes}, context.plan.precision.compute,
                        "/precision/compute");
}

} // namespace meshwright

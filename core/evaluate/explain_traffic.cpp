// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr Quantity time = Quantity::seconds;
constexpr Quantity bytes = Quantity::bytes;
constexpr Quantity count = Quantity::count;

/// What the group crosses on each tier, by the tiers' names.
template <typename OnTier>
std::vector<Derivation> on_tiers(const ExplainContext &context, Group group, OnTier on_tier) {
    std::vector<Derivation> nodes;
    const std::vector<Network::TierLinks> tiers = context.layers.network().tiers_of(group);
    for (std::size_t i = 0; i < tiers.size(); ++i)
        if (tiers[i].within > tiers[i].inside)
            nodes.push_back(on_tier(tiers[i], i));
    number_repeats(nodes);
    return nodes;
}

std::string tier_name(const ExplainContext &context, std::size_t index) {
    return identifier("tier_" + context.plan.cluster.tiers[index].name);
}

Derivation members(Group group) {
    return counted({"members", "members of the group", count}, static_cast<double>(group.members), "the plan's degrees",
                   "/parallelism");
}

Derivation inside(const Network::TierLinks &tier) {
    return counted({"inside", "members that the tier inside joins", count}, tier.inside,
                   "where the placement puts them", "/parallelism");
}

Derivation within(const Network::TierLinks &tier) {
    return counted({"within", "members that this tier joins", count}, tier.within, "where the placement puts them",
                   "/parallelism");
}

Derivation sustained(const ExplainContext &context, const Network::TierLinks &tier, std::size_t index) {
    const ConstantId share = index == 0 ? ConstantId::link_efficiency : ConstantId::network_efficiency;
    return product_of({"bandwidth", "sustained bandwidth of an accelerator", Quantity::bytes_per_second},
                      "what large collectives reach of it",
                      {hardware_fact({"links", "bandwidth of the tier's links", Quantity::bytes_per_second},
                                     tier.bandwidth, "the cluster", fmt::format("/cluster/tiers/{}", index)),
                       context.constant("efficiency", share)});
}

Derivation bus_bandwidth(const ExplainContext &context, Group group) {
    std::vector<Derivation> tiers = on_tiers(context, group, [&](const Network::TierLinks &tier, std::size_t index) {
        return by_formula(
            {tier_name(context, index), "what the tier carries for the group", Quantity::bytes_per_second},
            "tier-of-a-group", "tier_bandwidth", {inside(tier), sustained(context, tier, index)});
    });
    std::string formula;
    double slowest = 0;
    for (const Derivation &tier : tiers) {
        formula += (formula.empty() ? "min(" : ", ") + tier.name;
        slowest = slowest == 0 ? tier.value : std::min(slowest, tier.value);
    }
    return derived({"bandwidth", "of the slowest tier that the group crosses", Quantity::bytes_per_second}, slowest,
                   formula + ")", "the slowest tier decides", std::move(tiers));
}

enum class Hops { ring, tree };

Derivation hops(const ExplainContext &context, Group group, Hops kind) {
    std::vector<Derivation> tiers = on_tiers(context, group, [&](const Network::TierLinks &tier, std::size_t index) {
        Derivation latency = hardware_fact({"latency", "one hop, with the network's health", time}, tier.hop_seconds,
                                           "the cluster", fmt::format("/cluster/tiers/{}", index));
        const Labelled what{tier_name(context, index), "hops on the tier", time};
        if (kind == Hops::ring)
            return by_formula(what, "tier-of-a-group", "ring_seconds",
                              {members(group), inside(tier), within(tier), std::move(latency)});
        return by_formula(what, "tier-of-a-group", index == 0 ? "chain_seconds" : "tree_seconds",
                          {inside(tier), within(tier), std::move(latency)});
    });
    return sum_of({kind == Hops::ring ? "ring_seconds" : "tree_seconds",
                   kind == Hops::ring ? "hops round the ring" : "hops down a tree", time},
                  "tier by tier", std::move(tiers));
}

Derivation base(const ExplainContext &context, Group group) {
    const double seconds = context.layers.network().links_of(group).base_seconds;
    Derivation constant = context.constant("base_seconds", ConstantId::collective_base_seconds);
    if (constant.value == seconds)
        return constant;
    return counted({"base_seconds", "launch and handshake", time}, seconds, "constants of the registry",
                   "/assumptions");
}

Derivation ranks(Group group) {
    return named("ranks", members(group));
}

/// Activations of a microbatch between two layers.
Derivation hidden_bytes(const ExplainContext &context, std::string name) {
    const RankShape &shape = context.layers.shape();
    return by_formula(
        {std::move(name), "activations of a microbatch between two layers", bytes}, "kept-activation", "bytes",
        {counted({"rows", "tokens of a microbatch on the rank", count}, shape.tokens,
                 "micro-batch x sequence over context parallelism", "/batch/micro_sequences"),
         shape_fact("width", "hidden size", context.plan.model.hidden),
         plan_field({"element_bytes", "bytes of an element", bytes}, shape.activation_bytes, "/precision/compute")});
}

/// Split parts of a layer: attention and feed-forward, one where they run side by side.
double split_parts(const Block &block) {
    const auto *experts = std::get_if<Experts>(&block.transform);
    const bool has_mixer = !std::holds_alternative<Nothing>(block.mixer);
    const bool split =
        std::holds_alternative<FeedForward>(block.transform) || (experts != nullptr && experts->shared_hidden > 0);
    return (has_mixer ? 1 : 0) + (split && !(block.parallel && has_mixer) ? 1 : 0);
}

/// What of a formula's traffic is seen where a device waits for its host: links run on meanwhile.
Derivation seen(Labelled what, double value, Derivation whole) {
    if (whole.value == 0 || std::abs(whole.value - value) <= 1e-12 * std::abs(value))
        return {.name = what.name,
                .title = what.title,
                .value = whole.value,
                .quantity = whole.quantity,
                .origin = whole.origin,
                .formula = whole.formula,
                .source = whole.source,
                .field = whole.field,
                .inputs = whole.inputs,
                .calculator = whole.calculator,
                .result = whole.result,
                .figure = whole.figure};
    const double share = value / whole.value;
    return product_of(std::move(what), "launches hide the rest",
                      {named("traffic", std::move(whole)),
                       counted({"seen", "share that the host's launches leave to be seen", Quantity::share}, share,
                               "launch-bound layer with and without the traffic", "/stack")});
}

Derivation overlap(const ExplainContext &context, double value, const char *field) {
    return context.stack_fact({"overlap", "share that is hidden", Quantity::share}, value, field);
}

Derivation tensor_pass(const ExplainContext &context, const Block &block, Pass pass, std::string name, double value) {
    const Group group = context.layers.groups().tensor;
    const Labelled what{std::move(name), pass == Pass::forward ? "forward" : "backward", time};
    Derivation parts =
        counted({"parts", "split parts of the layer"}, split_parts(block), "the model's shape", "/model");
    if (!context.plan.parallelism.sequence_parallel)
        return seen(what, value,
                    by_formula({"traffic", "all-reduces", time}, "tensor-exposed", "reduced_seconds",
                               {std::move(parts),
                                reduce_seconds(context, {"reduce_seconds", "one all-reduce", time}, group,
                                               hidden_bytes(context, "bytes"))}));
    return seen(what, value,
                by_formula({"traffic", "all-gathers and reduce-scatters", time}, "tensor-exposed",
                           pass == Pass::forward ? "forward_seconds" : "backward_seconds",
                           {std::move(parts),
                            gather_seconds(context, {"gather_seconds", "one all-gather or reduce-scatter", time}, group,
                                           hidden_bytes(context, "bytes")),
                            overlap(context, context.plan.stack.tensor_overlap, "tensor_overlap")}));
}

Derivation expert_pass(const ExplainContext &context, const Block &block, std::string name, double value) {
    const auto *experts = std::get_if<Experts>(&block.transform);
    const Labelled what{std::move(name), "there and back", time};
    if (experts == nullptr)
        return counted(what, 0, "no experts in this layer", "/model");
    const RankShape &shape = context.layers.shape();
    const Network &network = context.layers.network();
    const auto copies = static_cast<double>(experts->experts_per_token);
    const Group group = context.layers.groups().expert;
    const double sent = hidden_state_bytes(shape, context.plan.model) / shape.expert_ways * copies;
    const double dispatch = network.all_to_all_seconds(group, sent, copies);
    Labelled dispatched{"dispatch_seconds", "tokens to their experts", time};
    const Network::DispatchTiers tiers = network.dispatch_tiers(group);
    Derivation way = dispatch == 0
        ? plan_field(dispatched, 0, "/parallelism/expert")
        : by_formula(dispatched, "expert-dispatch", "seconds",
                     {counted({"inside", "ranks of the group in a node", count}, tiers.inside,
                              "where the placement puts them", "/parallelism"),
                      counted({"nodes", "nodes that the group lies on", count}, tiers.nodes,
                              "where the placement puts them", "/parallelism"),
                      counted({"bytes", "copies that a rank distributes", bytes}, sent,
                              "tokens x experts of a token x hidden", "/batch/micro_sequences"),
                      shape_fact("copies", "experts of a token", experts->experts_per_token),
                      sustained(context, network.tiers_of(group).front(), 0),
                      hardware_fact({"network_bandwidth", "of a rank between nodes", Quantity::bytes_per_second},
                                    tiers.network_bandwidth, "the cluster", "/cluster/tiers"),
                      context.constant("efficiency", ConstantId::all_to_all_efficiency), base(context, group)});
    const Group tensor = context.layers.groups().expert_tensor;
    const Labelled gathered{"gather_seconds", "gathering for expert tensor parallelism", time};
    Derivation gather = tensor.members <= 1
        ? plan_field(gathered, 0, "/parallelism/expert_tensor")
        : gather_seconds(context, gathered, tensor,
                         counted({"bytes", "tokens of all ranks that share an expert", bytes},
                                 sent * shape.expert_tensor, "copies of all of them", "/parallelism/expert_tensor"));
    return seen(what, value,
                by_formula({"traffic", "dispatch and combine", time}, "expert-exposed", "seconds",
                           {std::move(way), std::move(gather),
                            overlap(context, context.plan.stack.expert_overlap, "expert_overlap")}));
}

/// Sums one kind of traffic over the layers that a microbatch passes on the busiest rank.
template <typename OneLayer>
Derivation over_layers(const ExplainContext &context, Labelled what, double value, OneLayer one_layer) {
    if (value == 0)
        return counted(std::move(what), 0, "no such traffic in this plan", "/parallelism");
    std::vector<Derivation> inputs;
    std::string formula;
    for (const auto &[index, passed] : layers_passed(context))
        for (const bool recomputed : {false, true}) {
            const double times = recomputed ? passed.recomputed : passed.stored;
            if (times == 0)
                continue;
            const BlockCost &cost = context.layers.of_block(index);
            const std::string name = name_of_block(context.plan.model, index) + (recomputed ? "_recomputed" : "");
            Derivation layer = one_layer(index, recomputed ? cost.recomputed : cost.stored, name);
            formula += fmt::format("{}{}s * {}", formula.empty() ? "" : " + ", name, name);
            inputs.push_back(counted({name + "s", "how many of them a microbatch passes on the busiest rank", count},
                                     times, "layout of layers over stages", "/parallelism/pipeline"));
            inputs.push_back(std::move(layer));
        }
    double sum = 0;
    for (std::size_t i = 0; i + 1 < inputs.size(); i += 2)
        sum += inputs[i].value * inputs[i + 1].value;
    if (sum < value * (1 - 1e-12)) {
        inputs.push_back(
            counted({"modules", "prediction modules", time}, value - sum, "layers like the model's own", "/model"));
        formula += " + modules";
    }
    return derived(std::move(what), value, std::move(formula), "sum over the rank's layers", std::move(inputs));
}

/// Forward, backward and what a recomputed forward pass repeats.
Derivation passes_of(std::string name, std::string title, std::vector<Derivation> passes, double repeated) {
    if (repeated > 0)
        passes.push_back(counted({"again", "repeated with the recomputed forward pass", time}, repeated,
                                 "as the forward pass", "/recompute"));
    return sum_of({std::move(name), std::move(title), time}, "of one microbatch", std::move(passes));
}

} // namespace

Derivation gather_seconds(const ExplainContext &context, Labelled what, Group group, Derivation tensor) {
    if (group.members <= 1 || tensor.value <= 0)
        return plan_field(std::move(what), 0, "/parallelism");
    return by_formula(std::move(what), "tiers-all-gather", "seconds",
                      {ranks(group), named("bytes", std::move(tensor)), bus_bandwidth(context, group),
                       hops(context, group, Hops::ring), base(context, group)});
}

Derivation reduce_seconds(const ExplainContext &context, Labelled what, Group group, Derivation tensor) {
    if (group.members <= 1 || tensor.value <= 0)
        return plan_field(std::move(what), 0, "/parallelism");
    return by_formula(std::move(what), "tiers-all-reduce", "seconds",
                      {ranks(group), named("bytes", std::move(tensor)), bus_bandwidth(context, group),
                       hops(context, group, Hops::ring), hops(context, group, Hops::tree), base(context, group)});
}

Derivation microbatch_tensor(const ExplainContext &context) {
    return over_layers(context, {"seconds", "seen tensor traffic of a microbatch", time},
                       context.costs.ranks[context.step.rank].cost.tensor.total(),
                       [&](std::size_t index, const LayerCost &cost, const std::string &name) {
                           const Block &block = context.plan.model.blocks[index];
                           return passes_of(
                               name, "seen tensor traffic of one such layer",
                               {tensor_pass(context, block, Pass::forward, "forward", cost.tensor.forward),
                                tensor_pass(context, block, Pass::input_gradient, "backward", cost.tensor.backward)},
                               cost.tensor.recompute);
                       });
}

Derivation microbatch_context(const ExplainContext &context) {
    return over_layers(context, {"seconds", "seen context traffic of a microbatch", time},
                       context.costs.ranks[context.step.rank].cost.context.total(),
                       [&](std::size_t, const LayerCost &cost, const std::string &name) {
                           const auto pass = [](const char *which, double value) {
                               return counted({which, which, time}, value,
                                              "keys and values round the ring, less attention beside them: formula "
                                              "ring-exposed",
                                              "/parallelism/context");
                           };
                           return passes_of(
                               name, "seen context traffic of one such layer",
                               {pass("forward", cost.context.forward), pass("backward", cost.context.backward)},
                               cost.context.recompute);
                       });
}

Derivation microbatch_expert(const ExplainContext &context) {
    const LayerCost &rank = context.costs.ranks[context.step.rank].cost;
    const double visible = seen_expert_seconds(context.plan, rank);
    const double all = rank.expert.total();
    Derivation whole = over_layers(context, {"seconds", "seen expert traffic of a microbatch", time}, all,
                                   [&](std::size_t index, const LayerCost &cost, const std::string &name) {
                                       const Block &block = context.plan.model.blocks[index];
                                       return passes_of(name, "seen expert traffic of one such layer",
                                                        {expert_pass(context, block, "forward", cost.expert.forward),
                                                         expert_pass(context, block, "backward", cost.expert.backward)},
                                                        cost.expert.recompute);
                                   });
    const Schedule schedule = context.plan.parallelism.schedule;
    if (all == 0 || (schedule != Schedule::dualpipe && schedule != Schedule::dualpipe_v))
        return whole;
    Derivation paired = by_formula(
        {"seconds", "seen expert traffic of a microbatch, two of them side by side", time}, "expert-exposed",
        "paired_seconds",
        {named("seen_seconds", std::move(whole)), overlap(context, context.plan.stack.expert_overlap, "expert_overlap"),
         counted({"rest_seconds", "everything else of a microbatch", time}, rank.seconds() - all,
                 "the other terms of the rank", "/parallelism/pipeline")});
    paired.value = visible;
    return paired;
}

} // namespace meshwright

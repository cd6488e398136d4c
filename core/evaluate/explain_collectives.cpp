// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layers.h"
#include "evaluate/explain_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr Quantity time = Quantity::seconds;

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

using Algorithm = Network::Algorithm;
using Protocol = Network::Protocol;

/// Registry constants of a protocol that is not the plain one.
struct ProtocolConstants {
    const char *name;
    ConstantId bandwidth;
    ConstantId link_latency;
    ConstantId network_latency;
};

std::optional<ProtocolConstants> constants_of(Protocol protocol) {
    using enum ConstantId;
    switch (protocol) {
    case Protocol::ll128:
        return ProtocolConstants{"LL128", ll128_bandwidth_share, ll128_link_latency_share, ll128_network_latency_share};
    case Protocol::ll:
        return ProtocolConstants{"LL", ll_bandwidth_share, ll_link_latency_share, ll_network_latency_share};
    default:
        return std::nullopt;
    }
}

Derivation nominal_bandwidth(const ExplainContext &context, Group group) {
    std::vector<Derivation> tiers = on_tiers(context, group, [&](const Network::TierLinks &tier, std::size_t index) {
        return by_formula(
            {tier_name(context, index), "what the tier carries for the group", Quantity::bytes_per_second},
            "tier-of-a-group", "tier_bandwidth",
            {members_inside(context, group, index, "inside"), sustained_bandwidth(context, tier, index)});
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

/// What the protocol and the algorithm leave of it.
Derivation bus_bandwidth(const ExplainContext &context, Group group, const Network::Way &way) {
    Derivation nominal = nominal_bandwidth(context, group);
    const std::optional<ProtocolConstants> protocol = constants_of(way.protocol);
    std::vector<Derivation> parts{named("tiers", std::move(nominal))};
    if (protocol)
        parts.push_back(context.constant("protocol", protocol->bandwidth));
    if (way.algorithm == Algorithm::trees)
        parts.push_back(context.constant("trees", ConstantId::tree_bandwidth_share));
    if (parts.size() == 1)
        return named("bandwidth", std::move(parts.front()));
    return product_of({"bandwidth", "what the collective reaches", Quantity::bytes_per_second},
                      fmt::format("{}{}", protocol ? protocol->name : "Simple",
                                  way.algorithm == Algorithm::trees ? ", down two trees" : ""),
                      std::move(parts));
}

Derivation hop_of(const ExplainContext &context, const Network::TierLinks &tier, std::size_t index, Protocol protocol) {
    Derivation latency = hardware_fact({"latency", "one hop, with the network's health", time}, tier.hop_seconds,
                                       "the cluster", fmt::format("/cluster/tiers/{}", index));
    const std::optional<ProtocolConstants> quick = constants_of(protocol);
    if (!quick)
        return latency;
    return product_of({"latency", fmt::format("one hop with {}", quick->name), time}, "a quicker protocol",
                      {named("plain", std::move(latency)),
                       context.constant("protocol", index == 0 ? quick->link_latency : quick->network_latency)});
}

Derivation hops(const ExplainContext &context, Group group, const Network::Way &way) {
    const bool is_ring = way.algorithm == Algorithm::ring;
    std::vector<Derivation> tiers = on_tiers(context, group, [&](const Network::TierLinks &tier, std::size_t index) {
        Derivation latency = hop_of(context, tier, index, way.protocol);
        const Labelled what{tier_name(context, index), "hops on the tier", time};
        if (is_ring)
            return by_formula(what, "tier-of-a-group", "ring_seconds",
                              {members_of(context, group, "members"), members_inside(context, group, index, "inside"),
                               members_held(context, group, index, "within"), std::move(latency)});
        return by_formula(what, "tier-of-a-group", index == 0 ? "chain_seconds" : "tree_seconds",
                          {members_inside(context, group, index, "inside"),
                           members_held(context, group, index, "within"), std::move(latency)});
    });
    return sum_of(
        {is_ring ? "ring_seconds" : "tree_seconds", is_ring ? "hops round the ring" : "hops down a tree", time},
        "tier by tier", std::move(tiers));
}

Derivation switch_bandwidth(const ExplainContext &context) {
    const Network::TierLinks links = context.layers.network().tiers_of({.members = 1}).front();
    const bool is_hopper = context.plan.cluster.accelerator.architecture == "hopper";
    return product_of({"bandwidth", "sustained, with sums in the switch", Quantity::bytes_per_second},
                      "what such all-reduces reach of the links",
                      {hardware_fact({"links", "bandwidth of the tier's links", Quantity::bytes_per_second},
                                     links.bandwidth, "the cluster", "/cluster/tiers/0"),
                       context.constant("efficiency",
                                        is_hopper ? ConstantId::switch_sum_efficiency_hopper
                                                  : ConstantId::switch_sum_efficiency_blackwell)});
}

std::optional<double> value_of(const std::optional<Derivation> &pieces) {
    return pieces ? std::optional(pieces->value) : std::nullopt;
}

/// As often as the bytes come in pieces.
Derivation in_pieces(Derivation seconds, const std::optional<Derivation> &pieces) {
    if (!pieces)
        return seconds;
    const Labelled what{seconds.name, seconds.title + ", of all pieces", seconds.quantity};
    return product_of(what, "pieces go one after another", {*pieces, named("one", std::move(seconds))});
}

} // namespace

Derivation collective_base(const ExplainContext &context, Group group, bool beside_computation) {
    Derivation inside = context.constant("base_seconds", ConstantId::collective_base_seconds);
    const Network &network = context.layers.network();
    if (context.plan.cluster.health == NetworkHealth::nominal || network.widest_tier(group) == 0)
        return inside;
    return sum_of(
        {"base_seconds", "launch and handshake", time}, "on a network that is not ideal",
        {named("inside", std::move(inside)),
         beside_computation
             ? context.constant("between_nodes", ConstantId::measured_collective_seconds)
             : by_formula({"between_nodes", "for each further node", time}, "tier-of-a-group", "between_seconds",
                          {nodes_of(context, group, "nodes"),
                           context.constant("latency", ConstantId::measured_collective_seconds)})});
}

Derivation nodes_of(const ExplainContext &context, Group group, std::string name) {
    return derived({std::move(name), "nodes that the group lies on", Quantity::count},
                   context.layers.network().dispatch_tiers(group).nodes, "members / within", "definition",
                   {members_of(context, group, "members"), members_held(context, group, 0, "within")});
}

Derivation sustained_bandwidth(const ExplainContext &context, const Network::TierLinks &tier, std::size_t index) {
    const ConstantId share = index == 0 ? ConstantId::link_efficiency : ConstantId::network_efficiency;
    return product_of({"bandwidth", "sustained bandwidth of an accelerator", Quantity::bytes_per_second},
                      "what large collectives reach of it",
                      {hardware_fact({"links", "bandwidth of the tier's links", Quantity::bytes_per_second},
                                     tier.bandwidth, "the cluster", fmt::format("/cluster/tiers/{}", index)),
                       context.constant("efficiency", share)});
}

std::string tier_name(const ExplainContext &context, std::size_t index) {
    return identifier("tier_" + context.plan.cluster.tiers[index].name);
}

Derivation gather_seconds(const ExplainContext &context, Labelled what, Group group, Derivation tensor,
                          const std::optional<Derivation> &pieces) {
    if (group.members <= 1 || tensor.value <= 0)
        return nothing(std::move(what), group.members <= 1 ? "nobody to send to" : "nothing to send", "/parallelism");
    const Network::Way way = context.layers.network().all_gather_way(group, tensor.value, value_of(pieces));
    return by_formula(std::move(what), "tiers-all-gather", "seconds",
                      {members_of(context, group, "ranks"), named("bytes", std::move(tensor)),
                       bus_bandwidth(context, group, way), in_pieces(hops(context, group, way), pieces),
                       in_pieces(collective_base(context, group, pieces.has_value()), pieces)});
}

Derivation reduce_seconds(const ExplainContext &context, Labelled what, Group group, Derivation tensor,
                          const std::optional<Derivation> &pieces) {
    if (group.members <= 1 || tensor.value <= 0)
        return nothing(std::move(what), group.members <= 1 ? "nobody to send to" : "nothing to send", "/parallelism");
    const Network::Way way = context.layers.network().all_reduce_way(group, tensor.value, value_of(pieces));
    Derivation base = in_pieces(collective_base(context, group, pieces.has_value()), pieces);
    if (way.algorithm == Algorithm::in_switch)
        return by_formula(
            std::move(what), "tiers-all-reduce", "switch_sum_seconds",
            {members_of(context, group, "ranks"), named("bytes", std::move(tensor)), switch_bandwidth(context),
             in_pieces(context.constant("switch_seconds", ConstantId::switch_sum_seconds), pieces), std::move(base)});
    const bool is_ring = way.algorithm == Algorithm::ring;
    std::vector<Derivation> inputs{named("bytes", std::move(tensor)), bus_bandwidth(context, group, way),
                                   in_pieces(hops(context, group, way), pieces), std::move(base)};
    if (is_ring)
        inputs.insert(inputs.begin(), members_of(context, group, "ranks"));
    return by_formula(std::move(what), "tiers-all-reduce", is_ring ? "seconds" : "trees_seconds", std::move(inputs));
}

} // namespace meshwright

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

Derivation bus_bandwidth(const ExplainContext &context, Group group) {
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

enum class Hops { ring, tree };

Derivation hops(const ExplainContext &context, Group group, Hops kind) {
    std::vector<Derivation> tiers = on_tiers(context, group, [&](const Network::TierLinks &tier, std::size_t index) {
        Derivation latency = hardware_fact({"latency", "one hop, with the network's health", time}, tier.hop_seconds,
                                           "the cluster", fmt::format("/cluster/tiers/{}", index));
        const Labelled what{tier_name(context, index), "hops on the tier", time};
        if (kind == Hops::ring)
            return by_formula(what, "tier-of-a-group", "ring_seconds",
                              {members_of(context, group, "members"), members_inside(context, group, index, "inside"),
                               members_held(context, group, index, "within"), std::move(latency)});
        return by_formula(what, "tier-of-a-group", index == 0 ? "chain_seconds" : "tree_seconds",
                          {members_inside(context, group, index, "inside"),
                           members_held(context, group, index, "within"), std::move(latency)});
    });
    return sum_of({kind == Hops::ring ? "ring_seconds" : "tree_seconds",
                   kind == Hops::ring ? "hops round the ring" : "hops down a tree", time},
                  "tier by tier", std::move(tiers));
}

/// As often as the bytes come in pieces.
Derivation in_pieces(Derivation seconds, const std::optional<Derivation> &pieces) {
    if (!pieces)
        return seconds;
    const Labelled what{seconds.name, seconds.title + ", of all pieces", seconds.quantity};
    return product_of(what, "pieces go one after another", {*pieces, named("one", std::move(seconds))});
}

} // namespace

Derivation collective_base(const ExplainContext &context, Group group) {
    Derivation inside = context.constant("base_seconds", ConstantId::collective_base_seconds);
    const Network &network = context.layers.network();
    if (context.plan.cluster.health == NetworkHealth::nominal || network.widest_tier(group) == 0)
        return inside;
    return sum_of({"base_seconds", "launch and handshake", time}, "on a network that is not ideal",
                  {named("inside", std::move(inside)),
                   context.constant("between_nodes", ConstantId::measured_collective_seconds)});
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
    return by_formula(std::move(what), "tiers-all-gather", "seconds",
                      {members_of(context, group, "ranks"), named("bytes", std::move(tensor)),
                       bus_bandwidth(context, group), in_pieces(hops(context, group, Hops::ring), pieces),
                       in_pieces(collective_base(context, group), pieces)});
}

Derivation reduce_seconds(const ExplainContext &context, Labelled what, Group group, Derivation tensor,
                          const std::optional<Derivation> &pieces) {
    if (group.members <= 1 || tensor.value <= 0)
        return nothing(std::move(what), group.members <= 1 ? "nobody to send to" : "nothing to send", "/parallelism");
    return by_formula(std::move(what), "tiers-all-reduce", "seconds",
                      {members_of(context, group, "ranks"), named("bytes", std::move(tensor)),
                       bus_bandwidth(context, group), in_pieces(hops(context, group, Hops::ring), pieces),
                       in_pieces(hops(context, group, Hops::tree), pieces),
                       in_pieces(collective_base(context, group), pieces)});
}

} // namespace meshwright

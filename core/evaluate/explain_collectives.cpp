// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layers.h"
#include "evaluate/explain_layout.h"

#include "evaluate/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

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

Derivation axes_share(const ExplainContext &context, Group group, const Network::TierLinks &tier, std::size_t index) {
    Derivation joined = hardware_fact({"accelerators", "that the tier joins", Quantity::count}, tier.accelerators,
                                      "the cluster", fmt::format("/cluster/tiers/{}/accelerators", index));
    if (index > 0)
        joined = derived({"accelerators", "that the tier joins, each of the tier inside once", Quantity::number},
                         tier.accelerators / context.plan.cluster.tiers[index - 1].accelerators, "tier / inside",
                         "definition",
                         {named("tier", joined),
                          hardware_fact({"inside", "that the tier inside joins", Quantity::count},
                                        static_cast<double>(context.plan.cluster.tiers[index - 1].accelerators),
                                        "the cluster", fmt::format("/cluster/tiers/{}/accelerators", index - 1))});
    return by_formula(
        {"axes_share", "links that lie along the group", Quantity::share}, "torus-axes", "axes_share",
        {derived({"ranks", "members on the tier", Quantity::number}, tier.within / tier.inside, "within / inside",
                 "definition",
                 {members_held(context, group, index, "within"), members_inside(context, group, index, "inside")}),
         std::move(joined)});
}

Derivation tier_bandwidth(const ExplainContext &context, Group group, const Network::TierLinks &tier,
                          std::size_t index) {
    std::vector<Derivation> inputs{members_inside(context, group, index, "inside"),
                                   sustained_bandwidth(context, tier, index)};
    if (tier.torus)
        inputs.push_back(axes_share(context, group, tier, index));
    return by_formula({tier_name(context, index), "what the tier carries for the group", Quantity::bytes_per_second},
                      "tier-of-a-group", "tier_bandwidth", std::move(inputs));
}

Derivation nominal_bandwidth(const ExplainContext &context, Group group) {
    std::vector<Derivation> tiers = on_tiers(context, group, [&](const Network::TierLinks &tier, std::size_t index) {
        return tier_bandwidth(context, group, tier, index);
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

/// Groups that send over a node's links at once, one for each place in it that a member of the group does not have.
Derivation groups_at_once(const ExplainContext &context, Group group, std::size_t tier) {
    const double full = static_cast<double>(context.plan.cluster.tiers[tier - 1].accelerators);
    Derivation inside = members_inside(context, group, tier, "inside");
    const double groups = full / inside.value;
    return derived({"groups", "groups that share a node's links", Quantity::count}, groups, "accelerators / inside",
                   "all accelerators of a node send at once",
                   {hardware_fact({"accelerators", "that the tier inside joins", Quantity::count}, full, "the cluster",
                                  fmt::format("/cluster/tiers/{}/accelerators", tier - 1)),
                    std::move(inside)});
}

/// A bus bandwidth as measured with one number of ranks: between two sizes, or at the first or last of them.
Derivation measured_by_size(const ExplainContext &context, const MeasuredBandwidth::BySize &by_size,
                            const Derivation &at, std::string name, std::size_t tier) {
    const auto measured = [&](std::string as, double value, Quantity quantity) {
        return hardware_fact({std::move(as), "measured", quantity}, value,
                             fmt::format("{}: its measured bus bandwidths", context.plan.cluster.tiers[tier].name),
                             fmt::format("/cluster/tiers/{}/bus_bandwidth", tier));
    };
    constexpr Quantity rate = Quantity::bytes_per_second;
    const BusBandwidth &below = *by_size.below;
    const BusBandwidth &above = *by_size.above;
    const Labelled what{std::move(name), fmt::format("measured with {} ranks", below.ranks), rate};
    if (at.value < below.bytes)
        return derived(what, by_size.bytes_per_second, "below_bandwidth * at / below",
                       "fewer bytes take no longer than the fewest that were measured",
                       {measured("below_bandwidth", below.bytes_per_second, rate), at,
                        measured("below", below.bytes, Quantity::bytes)});
    if (below.bytes == above.bytes)
        return measured(what.name, by_size.bytes_per_second, rate);
    return by_formula(what, "measured-bandwidth", "bandwidth",
                      {measured("below", below.bytes, Quantity::bytes),
                       measured("below_bandwidth", below.bytes_per_second, rate),
                       measured("above", above.bytes, Quantity::bytes),
                       measured("above_bandwidth", above.bytes_per_second, rate), at});
}

/// What a collective reaches where its tier's bus bandwidths are measured.
Derivation measured_bandwidth(const ExplainContext &context, Collective collective, Group group,
                              const Derivation &tensor, const std::optional<Derivation> &pieces) {
    const Network &network = context.layers.network();
    const std::size_t tier = network.widest_tier(group);
    const Network::SharedReading shared =
        network.measured(collective, group, tensor.value / (pieces ? pieces->value : 1));
    std::vector<Derivation> factors{named("tensor", tensor)};
    if (tier > 0)
        factors.push_back(groups_at_once(context, group, tier));
    if (pieces)
        factors.push_back(named("pieces", *pieces));
    const Derivation at = derived({"at", "bytes that a node's groups send at once", Quantity::bytes}, shared.bytes,
                                  fmt::format("tensor{}{}", tier > 0 ? " * groups" : "", pieces ? " / pieces" : ""),
                                  "definition", factors);
    const MeasuredBandwidth::Reading &reading = shared.reading;
    const bool is_between = reading.fewer.below->ranks != reading.more.below->ranks;
    Derivation bus = measured_by_size(context, is_between ? reading.fewer : reading.more, at, "below_bandwidth", tier);
    if (is_between) {
        const auto ranks = [&](const char *name, const MeasuredBandwidth::BySize &of) {
            return hardware_fact({name, "ranks of the measurement", Quantity::count},
                                 static_cast<double>(of.below->ranks), "the cluster",
                                 fmt::format("/cluster/tiers/{}/bus_bandwidth", tier));
        };
        bus = by_formula({"below_bandwidth", "between the measured ranks", Quantity::bytes_per_second},
                         "measured-bandwidth", "bandwidth",
                         {ranks("below", reading.fewer), std::move(bus), ranks("above", reading.more),
                          measured_by_size(context, reading.more, at, "above_bandwidth", tier),
                          product_of({"at", "ranks on as many nodes", Quantity::count}, "all of a node's groups",
                                     {members_of(context, group, "members"), groups_at_once(context, group, tier)})});
    }
    if (shared.groups == 1)
        return named("bandwidth", std::move(bus));
    return by_formula({"bandwidth", "what the collective reaches", Quantity::bytes_per_second}, "measured-bandwidth",
                      "shared_bandwidth", {std::move(bus), groups_at_once(context, group, tier)});
}

/// All that a measured collective takes beside its bytes is in what was measured.
Derivation in_measurement(std::string name) {
    return nothing({std::move(name), "in what was measured", time}, "measured bus bandwidths count it in",
                   "/cluster/health");
}

Derivation bandwidth_between(const ExplainContext &context, Group group, const Network::Way &way) {
    const double bandwidth = context.layers.network().bandwidth_between(group);
    std::vector<Derivation> tiers;
    const std::vector<Network::TierLinks> links = context.layers.network().tiers_of(group);
    for (std::size_t i = 1; i < links.size(); ++i)
        if (links[i].within > links[i].inside)
            tiers.push_back(tier_bandwidth(context, group, links[i], i));
    number_repeats(tiers);
    std::string formula;
    for (const Derivation &tier : tiers)
        formula += (formula.empty() ? "min(" : ", ") + tier.name;
    std::vector<Derivation> parts{derived({"tiers", "of the slowest tier between nodes", Quantity::bytes_per_second},
                                          bandwidth, formula + ")", "the slowest tier decides", std::move(tiers)),
                                  context.constant("trees", ConstantId::tree_bandwidth_share)};
    if (const std::optional<ProtocolConstants> protocol = constants_of(way.protocol))
        parts.push_back(context.constant("protocol", protocol->bandwidth));
    return product_of({"bandwidth", "between nodes, down two trees", Quantity::bytes_per_second},
                      "what trees and protocol leave", std::move(parts));
}

/// Levels of the trees between nodes.
Derivation hops_between(const ExplainContext &context, Group group, const Network::Way &way) {
    std::vector<Derivation> tiers;
    const std::vector<Network::TierLinks> links = context.layers.network().tiers_of(group);
    for (std::size_t i = 1; i < links.size(); ++i)
        if (links[i].within > links[i].inside)
            tiers.push_back(
                by_formula({tier_name(context, i), "hops on the tier", time}, "tier-of-a-group", "tree_seconds",
                           {members_inside(context, group, i, "inside"), members_held(context, group, i, "within"),
                            hop_of(context, links[i], i, way.protocol)}));
    number_repeats(tiers);
    return sum_of({"tree_seconds", "hops down a tree", time}, "tier by tier", std::move(tiers));
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
    if (network.between_nodes_seconds() == 0 || network.widest_tier(group) == 0)
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
    if (tier.measured)
        return hardware_fact({"bandwidth", "sustained bandwidth of an accelerator", Quantity::bytes_per_second},
                             tier.sustained, "the most of the tier's measured bus bandwidths, an accelerator",
                             fmt::format("/cluster/tiers/{}/bus_bandwidth", index));
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
    if (way.algorithm == Algorithm::as_measured)
        return by_formula(std::move(what), "tiers-all-gather", "seconds",
                          {members_of(context, group, "ranks"), named("bytes", tensor),
                           measured_bandwidth(context, Collective::all_gather, group, tensor, pieces),
                           in_measurement("ring_seconds"), in_measurement("base_seconds")});
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
    if (way.algorithm == Algorithm::as_measured)
        return by_formula(std::move(what), "tiers-all-reduce", "seconds",
                          {members_of(context, group, "ranks"), named("bytes", tensor),
                           measured_bandwidth(context, Collective::all_reduce, group, tensor, pieces),
                           in_measurement("ring_seconds"), in_measurement("base_seconds")});
    Derivation base = in_pieces(collective_base(context, group, pieces.has_value()), pieces);
    if (way.algorithm == Algorithm::switch_trees)
        return by_formula(std::move(what), "tiers-all-reduce", "switch_trees_seconds",
                          {members_held(context, group, 0, "inside"), named("bytes", std::move(tensor)),
                           named("switch_bandwidth", switch_bandwidth(context)),
                           by_formula({"passes", "of the data over a node's network", Quantity::number},
                                      "tiers-all-reduce", "tree_passes", {nodes_of(context, group, "nodes")}),
                           bandwidth_between(context, group, way), in_pieces(hops_between(context, group, way), pieces),
                           in_pieces(context.constant("switch_seconds", ConstantId::switch_sum_seconds), pieces),
                           std::move(base)});
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

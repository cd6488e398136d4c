// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/layers.h"
#include "explain/layout.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// One input for each tier that the group spans, named after the tier.
template <typename OnTier>
std::vector<Derivation> on_tiers(const ExplainContext &context, const PlannedGroup &group, OnTier on_tier) {
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

/// Registry constants of a low-latency protocol of NCCL, LL or LL128. The Simple protocol needs none.
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

Derivation axes_share(const ExplainContext &context, const PlannedGroup &group, const Network::TierLinks &tier,
                      std::size_t index) {
    Derivation joined =
        hardware_fact({"accelerators", "accelerators per domain of the tier", Quantity::count}, tier.accelerators,
                      "the cluster", fmt::format("/cluster/tiers/{}/accelerators", index));
    if (index > 0)
        joined = derived({"accelerators", "inner-tier domains per domain of the tier", Quantity::number},
                         tier.accelerators / context.plan.cluster.tiers[index - 1].accelerators, "tier / inside",
                         "definition",
                         {named("tier", joined),
                          hardware_fact({"inside", "accelerators per inner-tier domain", Quantity::count},
                                        static_cast<double>(context.plan.cluster.tiers[index - 1].accelerators),
                                        "the cluster", fmt::format("/cluster/tiers/{}/accelerators", index - 1))});
    return by_formula(
        {"axes_share", "fraction of links along the group's torus axes", Quantity::share}, "torus-axes", "axes_share",
        {derived({"ranks", "inner-tier domains that the group spans", Quantity::number}, tier.within / tier.inside,
                 "within / inside", "definition",
                 {members_in_tier(context, group, index, "within"), members_inside(context, group, index, "inside")}),
         std::move(joined)});
}

Derivation tier_bandwidth(const ExplainContext &context, const PlannedGroup &group, const Network::TierLinks &tier,
                          std::size_t index) {
    std::vector<Derivation> inputs{members_inside(context, group, index, "inside"),
                                   sustained_bandwidth(context, tier, index)};
    if (tier.torus)
        inputs.push_back(axes_share(context, group, tier, index));
    return by_formula({tier_name(context, index), "tier bandwidth available to the group", Quantity::bytes_per_second},
                      "tier-of-a-group", "tier_bandwidth", std::move(inputs));
}

Derivation nominal_bandwidth(const ExplainContext &context, const PlannedGroup &group) {
    std::vector<Derivation> tiers = on_tiers(context, group, [&](const Network::TierLinks &tier, std::size_t index) {
        return tier_bandwidth(context, group, tier, index);
    });
    std::string formula;
    double slowest = 0;
    for (const Derivation &tier : tiers) {
        formula += (formula.empty() ? "min(" : ", ") + tier.name;
        slowest = slowest == 0 ? tier.value : std::min(slowest, tier.value);
    }
    return derived({"bandwidth", "bandwidth of the slowest tier that the group spans", Quantity::bytes_per_second},
                   slowest, formula + ")", "the slowest tier is the bottleneck", std::move(tiers));
}

/// Fraction of the link bandwidth that the protocol and algorithm achieve.
Derivation bus_bandwidth(const ExplainContext &context, const PlannedGroup &group, const Network::Way &way) {
    Derivation nominal = nominal_bandwidth(context, group);
    const std::optional<ProtocolConstants> protocol = constants_of(way.protocol);
    std::vector<Derivation> parts{named("tiers", std::move(nominal))};
    if (protocol)
        parts.push_back(context.constant("protocol", protocol->bandwidth));
    if (way.algorithm == Algorithm::trees)
        parts.push_back(context.constant("trees", ConstantId::tree_bandwidth_share));
    if (parts.size() == 1)
        return named("bandwidth", std::move(parts.front()));
    return product_of({"bandwidth", "bus bandwidth of the collective", Quantity::bytes_per_second},
                      fmt::format("{}{}", protocol ? protocol->name : "Simple",
                                  way.algorithm == Algorithm::trees ? ", two trees" : ""),
                      std::move(parts));
}

Derivation hop_of(const ExplainContext &context, const Network::TierLinks &tier, std::size_t index, Protocol protocol) {
    Derivation latency = hardware_fact({"latency", "latency of one hop, adjusted for network health", time},
                                       tier.hop_seconds, "the cluster", fmt::format("/cluster/tiers/{}", index));
    const std::optional<ProtocolConstants> quick = constants_of(protocol);
    if (!quick)
        return latency;
    return product_of({"latency", fmt::format("latency of one hop with {}", quick->name), time},
                      "a low-latency protocol",
                      {named("plain", std::move(latency)),
                       context.constant("protocol", index == 0 ? quick->link_latency : quick->network_latency)});
}

Derivation hops(const ExplainContext &context, const PlannedGroup &group, const Network::Way &way) {
    const bool is_ring = way.algorithm == Algorithm::ring;
    std::vector<Derivation> tiers = on_tiers(context, group, [&](const Network::TierLinks &tier, std::size_t index) {
        Derivation latency = hop_of(context, tier, index, way.protocol);
        const Labelled what{tier_name(context, index), "latency of the hops on the tier", time};
        if (is_ring)
            return by_formula(what, "tier-of-a-group", "ring_seconds",
                              {members_of(context, group, "members"), members_inside(context, group, index, "inside"),
                               members_in_tier(context, group, index, "within"), std::move(latency)});
        return by_formula(what, "tier-of-a-group", index == 0 ? "chain_seconds" : "tree_seconds",
                          {members_inside(context, group, index, "inside"),
                           members_in_tier(context, group, index, "within"), std::move(latency)});
    });
    return sum_of({is_ring ? "ring_seconds" : "tree_seconds",
                   is_ring ? "latency of the ring's hops" : "latency of the tree's hops", time},
                  "sum over tiers", std::move(tiers));
}

Derivation switch_bandwidth(const ExplainContext &context) {
    const Network::TierLinks links = context.layers.network().tiers_of({.members = 1}).front();
    const Architecture &architecture = architecture_of(context.plan.cluster.accelerator.architecture);
    return product_of({"bandwidth", "sustained bandwidth with in-switch reduction", Quantity::bytes_per_second},
                      "fraction of the link bandwidth that in-switch all-reduces achieve",
                      {hardware_fact({"links", "bandwidth of the tier's links", Quantity::bytes_per_second},
                                     links.bandwidth, "the cluster", "/cluster/tiers/0"),
                       context.constant("efficiency", *architecture.switch_sum_efficiency)});
}

/// Number of groups that share a node's links: the node's accelerators divided by the group's members in the node.
Derivation groups_at_once(const ExplainContext &context, const PlannedGroup &group, std::size_t tier) {
    const double full = static_cast<double>(context.plan.cluster.tiers[tier - 1].accelerators);
    Derivation inside = members_inside(context, group, tier, "inside");
    const double groups = full / inside.value;
    return derived({"groups", "groups that share a node's links", Quantity::count}, groups, "accelerators / inside",
                   "all accelerators of a node send at the same time",
                   {hardware_fact({"accelerators", "accelerators per inner-tier domain", Quantity::count}, full,
                                  "the cluster", fmt::format("/cluster/tiers/{}/accelerators", tier - 1)),
                    std::move(inside)});
}

/// Bus bandwidth from measurements that all have the same number of ranks: interpolated between two sizes, or the value
/// of the smallest or largest size.
Derivation measured_by_size(const ExplainContext &context, const MeasuredBandwidth::BySize &by_size,
                            const Derivation &at, std::string name, std::size_t tier) {
    const auto measured = [&](std::string as, double value, Quantity quantity) {
        return hardware_fact({std::move(as), "measured", quantity}, value,
                             fmt::format("{}: measured bus bandwidths", context.plan.cluster.tiers[tier].name),
                             fmt::format("/cluster/tiers/{}/bus_bandwidth", tier));
    };
    constexpr Quantity rate = Quantity::bytes_per_second;
    const BusBandwidth &below = *by_size.below;
    const BusBandwidth &above = *by_size.above;
    const Labelled what{std::move(name), fmt::format("bus bandwidth measured with {} ranks", below.ranks), rate};
    if (at.value < below.bytes)
        return derived(what, by_size.bytes_per_second, "below_bandwidth * at / below",
                       "smaller messages take as long as the smallest one measured",
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

Derivation measured_bandwidth(const ExplainContext &context, Collective collective, const PlannedGroup &group,
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
    const Derivation at = derived({"at", "bytes sent by all groups that share a node", Quantity::bytes}, shared.bytes,
                                  fmt::format("tensor{}{}", tier > 0 ? " * groups" : "", pieces ? " / pieces" : ""),
                                  "definition", factors);
    const MeasuredBandwidth::Reading &reading = shared.reading;
    const bool is_between = reading.fewer.below->ranks != reading.more.below->ranks;
    Derivation bus = measured_by_size(context, is_between ? reading.fewer : reading.more, at, "below_bandwidth", tier);
    if (is_between) {
        const auto ranks = [&](const char *name, const MeasuredBandwidth::BySize &of) {
            return hardware_fact({name, "ranks in the measurement", Quantity::count},
                                 static_cast<double>(of.below->ranks), "the cluster",
                                 fmt::format("/cluster/tiers/{}/bus_bandwidth", tier));
        };
        bus =
            by_formula({"below_bandwidth", "bus bandwidth interpolated between measurements with fewer and more ranks",
                        Quantity::bytes_per_second},
                       "measured-bandwidth", "bandwidth",
                       {ranks("below", reading.fewer), std::move(bus), ranks("above", reading.more),
                        measured_by_size(context, reading.more, at, "above_bandwidth", tier),
                        product_of({"at", "ranks of all groups that share the nodes", Quantity::count},
                                   "members per group times number of groups",
                                   {members_of(context, group, "members"), groups_at_once(context, group, tier)})});
    }
    if (shared.groups == 1)
        return named("bandwidth", std::move(bus));
    return by_formula({"bandwidth", "bus bandwidth of the collective", Quantity::bytes_per_second},
                      "measured-bandwidth", "shared_bandwidth", {std::move(bus), groups_at_once(context, group, tier)});
}

/// Fixed cost of 0, because measured bus bandwidths include all fixed costs of a collective.
Derivation in_measurement(std::string name, std::string title) {
    return nothing({std::move(name), std::move(title), time},
                   "fixed costs are already included in the measured bus bandwidth", "/cluster/health");
}

Derivation measured_seconds(const ExplainContext &context, Labelled what, std::string_view formula,
                            Collective collective, const PlannedGroup &group, const Derivation &tensor,
                            const std::optional<Derivation> &pieces) {
    return by_formula(std::move(what), formula, "seconds",
                      {members_of(context, group, "ranks"), named("bytes", tensor),
                       measured_bandwidth(context, collective, group, tensor, pieces),
                       in_measurement("ring_seconds", "latency of the ring's steps"),
                       in_measurement("base_seconds", "base latency")});
}

Derivation bandwidth_between(const ExplainContext &context, const PlannedGroup &group, const Network::Way &way) {
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
    std::vector<Derivation> parts{
        derived({"tiers", "bandwidth of the slowest tier between nodes", Quantity::bytes_per_second}, bandwidth,
                formula + ")", "the slowest tier is the bottleneck", std::move(tiers)),
        context.constant("trees", ConstantId::tree_bandwidth_share)};
    if (const std::optional<ProtocolConstants> protocol = constants_of(way.protocol))
        parts.push_back(context.constant("protocol", protocol->bandwidth));
    return product_of({"bandwidth", "bandwidth between nodes over two trees", Quantity::bytes_per_second},
                      "efficiency of trees and protocol", std::move(parts));
}

/// Latency of the tree levels between nodes.
Derivation hops_between(const ExplainContext &context, const PlannedGroup &group, const Network::Way &way) {
    std::vector<Derivation> tiers;
    const std::vector<Network::TierLinks> links = context.layers.network().tiers_of(group);
    for (std::size_t i = 1; i < links.size(); ++i)
        if (links[i].within > links[i].inside)
            tiers.push_back(by_formula(
                {tier_name(context, i), "latency of the hops on the tier", time}, "tier-of-a-group", "tree_seconds",
                {members_inside(context, group, i, "inside"), members_in_tier(context, group, i, "within"),
                 hop_of(context, links[i], i, way.protocol)}));
    number_repeats(tiers);
    return sum_of({"tree_seconds", "latency of the tree's hops", time}, "sum over tiers", std::move(tiers));
}

std::optional<double> value_of(const std::optional<Derivation> &pieces) {
    return pieces ? std::optional(pieces->value) : std::nullopt;
}

Derivation in_pieces(Derivation seconds, const std::optional<Derivation> &pieces) {
    if (!pieces)
        return seconds;
    const Labelled what{seconds.name, seconds.title + ", all pieces", seconds.quantity};
    return product_of(what, "pieces are sent one after another", {*pieces, named("one", std::move(seconds))});
}

} // namespace

Derivation collective_base(const ExplainContext &context, const PlannedGroup &group, bool overlaps_compute) {
    Derivation inside = context.constant("base_seconds", ConstantId::collective_base_seconds);
    const Network &network = context.layers.network();
    if (network.between_nodes_seconds() == 0 || network.widest_tier(group) == 0)
        return inside;
    return sum_of({"base_seconds", "launch and handshake time", time},
                  "includes extra start-up time across nodes, unless network health is nominal",
                  {named("inside", std::move(inside)),
                   overlaps_compute
                       ? context.constant("between_nodes", ConstantId::measured_collective_seconds)
                       : by_formula({"between_nodes", "extra start-up time of the additional nodes", time},
                                    "tier-of-a-group", "between_seconds",
                                    {nodes_of(context, group, "nodes"),
                                     context.constant("latency", ConstantId::measured_collective_seconds)})});
}

Derivation nodes_of(const ExplainContext &context, const PlannedGroup &group, std::string name) {
    return derived({std::move(name), "nodes that the group spans", Quantity::count},
                   context.layers.network().dispatch_tiers(group).nodes, "members / within", "definition",
                   {members_of(context, group, "members"), members_in_tier(context, group, 0, "within")});
}

Derivation sustained_bandwidth(const ExplainContext &context, const Network::TierLinks &tier, std::size_t index) {
    if (tier.measured)
        return hardware_fact({"bandwidth", "sustained bandwidth per accelerator", Quantity::bytes_per_second},
                             tier.sustained, "the highest of the tier's measured bus bandwidths, per accelerator",
                             fmt::format("/cluster/tiers/{}/bus_bandwidth", index));
    const ConstantId share = index == 0 ? ConstantId::link_efficiency : ConstantId::network_efficiency;
    return product_of({"bandwidth", "sustained bandwidth per accelerator", Quantity::bytes_per_second},
                      "fraction of the link bandwidth that large collectives achieve",
                      {hardware_fact({"links", "bandwidth of the tier's links", Quantity::bytes_per_second},
                                     tier.bandwidth, "the cluster", fmt::format("/cluster/tiers/{}", index)),
                       context.constant("efficiency", share)});
}

std::string tier_name(const ExplainContext &context, std::size_t index) {
    return identifier("tier_" + context.plan.cluster.tiers[index].name);
}

Derivation gather_seconds(const ExplainContext &context, Labelled what, const PlannedGroup &group, Derivation tensor,
                          const std::optional<Derivation> &pieces) {
    if (group.ranks.members <= 1 || tensor.value <= 0)
        return nothing(std::move(what), group.ranks.members <= 1 ? "the group has one member" : "nothing to send",
                       "/parallelism");
    const Network::Way way = context.layers.network().all_gather_way(group, tensor.value, value_of(pieces));
    if (way.algorithm == Algorithm::as_measured)
        return measured_seconds(context, std::move(what), "tiers-all-gather", Collective::all_gather, group, tensor,
                                pieces);
    return by_formula(std::move(what), "tiers-all-gather", "seconds",
                      {members_of(context, group, "ranks"), named("bytes", std::move(tensor)),
                       bus_bandwidth(context, group, way), in_pieces(hops(context, group, way), pieces),
                       in_pieces(collective_base(context, group, pieces.has_value()), pieces)});
}

Derivation reduce_seconds(const ExplainContext &context, Labelled what, const PlannedGroup &group, Derivation tensor,
                          const std::optional<Derivation> &pieces) {
    if (group.ranks.members <= 1 || tensor.value <= 0)
        return nothing(std::move(what), group.ranks.members <= 1 ? "the group has one member" : "nothing to send",
                       "/parallelism");
    const Network::Way way = context.layers.network().all_reduce_way(group, tensor.value, value_of(pieces));
    if (way.algorithm == Algorithm::as_measured)
        return measured_seconds(context, std::move(what), "tiers-all-reduce", Collective::all_reduce, group, tensor,
                                pieces);
    Derivation base = in_pieces(collective_base(context, group, pieces.has_value()), pieces);
    if (way.algorithm == Algorithm::switch_trees)
        return by_formula(std::move(what), "tiers-all-reduce", "switch_trees_seconds",
                          {members_in_tier(context, group, 0, "inside"), named("bytes", std::move(tensor)),
                           named("switch_bandwidth", switch_bandwidth(context)),
                           by_formula({"passes", "number of times the data crosses a node's network", Quantity::number},
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

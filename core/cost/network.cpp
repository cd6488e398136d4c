// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/network.h"

#include "catalog/architectures.h"
#include "formulas/kernels.h"
#include "formulas/network.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using enum ConstantId;

/// Whether the innermost tier's switch can reduce: NVSwitch can from the third generation on. Smaller nodes connect
/// without a switch, and PCIe switches cannot reduce.
bool sums_in_switch(const Cluster &cluster) {
    // Lowest NVLink bandwidth of accelerators with in-switch reduction, including those with fewer links (H800).
    constexpr double slowest_nvlink = 150e9;
    return architecture_of(cluster.accelerator.architecture).switch_sum_efficiency && !cluster.tiers.empty()
        && cluster.tiers.front().accelerators >= 8
        && cluster.tiers.front().bandwidth_bytes_per_second >= slowest_nvlink;
}

/// Whether measured bus bandwidths describe this network. If not, typical measurements of shared networks are used.
bool has_measured_network(const Cluster &cluster) {
    return cluster.health == NetworkHealth::measured
        && std::any_of(cluster.tiers.begin() + 1, cluster.tiers.end(),
                       [](const Tier &tier) { return !tier.bus_bandwidth.empty(); });
}

} // namespace

Network::Network(const Cluster &cluster, const Assumptions &assumptions)
    : m_protocols{{{},
                   {.bandwidth = assumptions[ll128_bandwidth_share],
                    .link_latency = assumptions[ll128_link_latency_share],
                    .network_latency = assumptions[ll128_network_latency_share]},
                   {.bandwidth = assumptions[ll_bandwidth_share],
                    .link_latency = assumptions[ll_link_latency_share],
                    .network_latency = assumptions[ll_network_latency_share]}}}
    , m_tree_share(assumptions[tree_bandwidth_share])
    , m_switch_seconds(assumptions[switch_sum_seconds])
    , m_base_seconds(assumptions[ConstantId::collective_base_seconds])
    , m_all_to_all_efficiency(assumptions[ConstantId::all_to_all_efficiency])
    , m_send_factor(assumptions[ConstantId::pipeline_send_factor])
    , m_send_seconds(assumptions[ConstantId::pipeline_send_seconds]) {
    double latency_factor = 1;
    if (cluster.health != NetworkHealth::nominal && !has_measured_network(cluster)) {
        m_between_nodes_seconds = assumptions[ConstantId::measured_collective_seconds];
        m_launch_seconds = assumptions[ConstantId::measured_launch_seconds];
        latency_factor = assumptions[cluster.health == NetworkHealth::measured ? ConstantId::measured_latency_factor
                                                                               : ConstantId::degraded_latency_factor];
    }
    for (const Tier &tier : cluster.tiers)
        add_level(tier, cluster.health, latency_factor, assumptions);
    if (sums_in_switch(cluster))
        m_switch_bandwidth = m_levels.front().raw_bandwidth
            * assumptions[*architecture_of(cluster.accelerator.architecture).switch_sum_efficiency];
}

void Network::add_level(const Tier &tier, NetworkHealth health, double latency_factor, const Assumptions &assumptions) {
    const bool is_first = m_levels.empty();
    Level level{.accelerators = static_cast<double>(tier.accelerators),
                .bandwidth = tier.bandwidth_bytes_per_second
                    * assumptions[is_first ? ConstantId::link_efficiency : ConstantId::network_efficiency],
                .raw_bandwidth = tier.bandwidth_bytes_per_second,
                .hop_seconds = tier.latency_seconds * (is_first ? 1 : latency_factor),
                .torus = tier.torus,
                .measured = {}};
    if (health == NetworkHealth::measured && !tier.bus_bandwidth.empty()) {
        m_any_measured = true;
        level.measured = MeasuredBandwidth(tier.bus_bandwidth);
        level.bandwidth = level.measured.sustained(is_first ? 1 : m_levels.back().accelerators, level.raw_bandwidth);
    }
    m_levels.push_back(std::move(level));
}

double Network::members_inside(const Level &level, Group group) const {
    return formula::members_inside(level.accelerators, static_cast<double>(group.stride),
                                   static_cast<double>(group.members));
}

std::size_t Network::widest_tier(Group group) const {
    for (std::size_t i = 0; i < m_levels.size(); ++i)
        if (members_inside(m_levels[i], group) >= static_cast<double>(group.members))
            return i;
    return m_levels.empty() ? 0 : m_levels.size() - 1;
}

double Network::axes_share(std::size_t level, double inside, double within) const {
    if (!m_levels[level].torus)
        return 1;
    const double inner = level == 0 ? 1 : m_levels[level - 1].accelerators;
    return formula::axes_share(within / inside, m_levels[level].accelerators / inner);
}

double Network::bandwidth_of(std::size_t level, double inside, double within) const {
    return formula::tier_bandwidth(inside, m_levels[level].bandwidth, axes_share(level, inside, within));
}

double Network::bus_bandwidth(Group group) const {
    double slowest = 0;
    double inside = 1;
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        const double members = members_inside(m_levels[i], group);
        if (members > inside) {
            const double bandwidth = bandwidth_of(i, inside, members);
            slowest = slowest == 0 ? bandwidth : std::min(slowest, bandwidth);
        }
        inside = members;
    }
    return slowest;
}

Network::Hops Network::ring_hops(Group group) const {
    Hops hops;
    double inside = 1;
    for (const Level &level : m_levels) {
        const double within = members_inside(level, group);
        (&level == &m_levels.front() ? hops.inside : hops.between) +=
            formula::ring_tier_seconds(static_cast<double>(group.members), inside, within, level.hop_seconds);
        inside = within;
    }
    return hops;
}

Network::Hops Network::tree_hops(Group group) const {
    Hops hops;
    double inside = 1;
    for (const Level &level : m_levels) {
        const double within = members_inside(level, group);
        if (&level == &m_levels.front())
            hops.inside = formula::chain_tier_seconds(inside, within, level.hop_seconds);
        else
            hops.between += formula::tree_tier_seconds(inside, within, level.hop_seconds);
        inside = within;
    }
    return hops;
}

double Network::hops_seconds(Hops hops, Protocol protocol) const {
    const ProtocolShares &shares = shares_of(protocol);
    return shares.link_latency * hops.inside + shares.network_latency * hops.between;
}

double Network::base_seconds(Group group, Waits waits) const {
    if (m_between_nodes_seconds == 0 || widest_tier(group) == 0)
        return m_base_seconds;
    const double nodes = dispatch_tiers(group).nodes;
    return m_base_seconds
        + formula::between_nodes_seconds(waits == Waits::kernels ? nodes : 2, m_between_nodes_seconds);
}

double Network::contended_launch_seconds(Group tensor, Group line) const {
    return line.members > 1 && widest_tier(line) > 0
        ? formula::contended_launch_seconds(static_cast<double>(tensor.members), m_launch_seconds)
        : 0;
}

Network::SharedReading Network::measured(Collective collective, Group group, double bytes) const {
    const std::size_t widest = widest_tier(group);
    const double full = widest == 0 ? 1 : m_levels[widest - 1].accelerators;
    const double groups = widest == 0 ? 1 : full / members_inside(m_levels[widest - 1], group);
    SharedReading shared{
        .ranks = static_cast<double>(group.members) * groups, .groups = groups, .bytes = bytes * groups};
    shared.reading = m_levels[widest].measured.at(collective, shared.ranks, shared.bytes);
    return shared;
}

template <typename Seconds>
Network::Way Network::or_measured(Way modelled, Collective collective, Group group, double bytes, double pieces,
                                  Seconds seconds) const {
    if (!m_any_measured || !is_measured(group))
        return modelled;
    const SharedReading shared = measured(collective, group, bytes / pieces);
    const Way way{.algorithm = Algorithm::as_measured,
                  .protocol = Protocol::simple,
                  .seconds = seconds(formula::shared_bandwidth(shared.reading.bytes_per_second, shared.groups))};
    return shared.reading.beneath && modelled.seconds < way.seconds ? modelled : way;
}

double Network::all_gather_seconds(Group group, double bytes, std::optional<double> pieces) const {
    return all_gather_way(group, bytes, pieces).seconds;
}

double Network::all_reduce_seconds(Group group, double bytes, std::optional<double> pieces) const {
    return all_reduce_way(group, bytes, pieces).seconds;
}

Network::Ring Network::ring_of(Group group) const {
    if (group.members <= 1)
        return {};
    const Hops hops = ring_hops(group);
    return {.group = group,
            .ranks = static_cast<double>(group.members),
            .bandwidth = bus_bandwidth(group),
            .inside_seconds = hops.inside,
            .between_seconds = hops.between,
            .base_seconds = base_seconds(group, Waits::kernels),
            .overlapped_base_seconds = base_seconds(group, Waits::nobody)};
}

double Network::ring_gather_seconds(const Ring &ring, double bytes, std::optional<double> pieces) const {
    return ring_gather_way(ring, bytes, pieces).seconds;
}

Network::Way Network::all_gather_way(Group group, double bytes, std::optional<double> pieces) const {
    return group.members > 1 && bytes > 0 ? ring_gather_way(ring_of(group), bytes, pieces) : Way{};
}

Network::Way Network::ring_gather_way(const Ring &ring, double bytes, std::optional<double> pieces) const {
    if (ring.ranks <= 1 || bytes <= 0)
        return {};
    const double started = pieces.value_or(1);
    const double base = started * (pieces ? ring.overlapped_base_seconds : ring.base_seconds);
    const Hops hops{.inside = ring.inside_seconds, .between = ring.between_seconds};
    Way best;
    for (const Protocol protocol : {Protocol::simple, Protocol::ll128, Protocol::ll}) {
        const double seconds =
            formula::tiers_all_gather_seconds(ring.ranks, bytes, ring.bandwidth * shares_of(protocol).bandwidth,
                                              started * hops_seconds(hops, protocol), base);
        if (protocol == Protocol::simple || seconds < best.seconds)
            best = {.algorithm = Algorithm::ring, .protocol = protocol, .seconds = seconds};
    }
    return or_measured(best, Collective::all_gather, ring.group, bytes, started,
                       [&](double bus) { return formula::tiers_all_gather_seconds(ring.ranks, bytes, bus, 0, 0); });
}

Network::Way Network::all_reduce_way(Group group, double bytes, std::optional<double> pieces) const {
    if (group.members <= 1 || bytes <= 0)
        return {};
    const auto ranks = static_cast<double>(group.members);
    const double bandwidth = bus_bandwidth(group);
    const double started = pieces.value_or(1);
    const double base = started * base_seconds(group, pieces ? Waits::nobody : Waits::kernels);
    const Hops ring = ring_hops(group);
    const Hops trees = tree_hops(group);
    Way best;
    for (const Protocol protocol : {Protocol::simple, Protocol::ll128, Protocol::ll}) {
        const double share = shares_of(protocol).bandwidth;
        const double round =
            formula::ring_reduce_seconds(ranks, bytes, bandwidth * share, started * hops_seconds(ring, protocol), base);
        const double down = formula::trees_reduce_seconds(bytes, bandwidth * share * m_tree_share,
                                                          started * hops_seconds(trees, protocol), base);
        if (protocol == Protocol::simple || round < best.seconds)
            best = {.algorithm = Algorithm::ring, .protocol = protocol, .seconds = round};
        if (down < best.seconds)
            best = {.algorithm = Algorithm::trees, .protocol = protocol, .seconds = down};
    }
    if (m_switch_bandwidth > 0 && widest_tier(group) == 0) {
        const double summed =
            formula::switch_reduce_seconds(ranks, bytes, m_switch_bandwidth, started * m_switch_seconds, base);
        if (summed < best.seconds)
            best = {.algorithm = Algorithm::in_switch, .protocol = Protocol::simple, .seconds = summed};
    }
    if (m_switch_bandwidth > 0 && widest_tier(group) > 0 && members_inside(m_levels.front(), group) > 1) {
        const Way way = switch_trees_way(group, bytes, started, trees.between, base);
        if (way.seconds < best.seconds)
            best = way;
    }
    return or_measured(best, Collective::all_reduce, group, bytes, started,
                       [&](double bus) { return formula::ring_reduce_seconds(ranks, bytes, bus, 0, 0); });
}

Network::Way Network::switch_trees_way(Group group, double bytes, double started, double hop_seconds,
                                       double base) const {
    const double inside = members_inside(m_levels.front(), group);
    const double passes = formula::tree_passes(static_cast<double>(group.members) / inside);
    const double bandwidth = bandwidth_between(group) * m_tree_share;
    Way best{.algorithm = Algorithm::switch_trees};
    for (const Protocol protocol : {Protocol::simple, Protocol::ll128, Protocol::ll}) {
        const ProtocolShares &shares = shares_of(protocol);
        const double seconds = formula::switch_trees_seconds(
            inside, bytes, m_switch_bandwidth, passes, bandwidth * shares.bandwidth,
            started * shares.network_latency * hop_seconds, started * m_switch_seconds, base);
        if (protocol == Protocol::simple || seconds < best.seconds)
            best = {.algorithm = Algorithm::switch_trees, .protocol = protocol, .seconds = seconds};
    }
    return best;
}

double Network::bandwidth_between(Group group) const {
    double slowest = 0;
    double inside = members_inside(m_levels.front(), group);
    for (std::size_t i = 1; i < m_levels.size(); ++i) {
        const double members = members_inside(m_levels[i], group);
        if (members > inside) {
            const double bandwidth = bandwidth_of(i, inside, members);
            slowest = slowest == 0 ? bandwidth : std::min(slowest, bandwidth);
        }
        inside = members;
    }
    return slowest;
}

double Network::all_to_all_seconds(Group group, double bytes, double copies) const {
    if (group.members <= 1 || bytes <= 0)
        return 0;
    const DispatchTiers tiers = dispatch_tiers(group);
    return formula::expert_dispatch_seconds(tiers.inside, tiers.nodes, bytes, copies, m_levels.front().bandwidth,
                                            tiers.network_bandwidth, m_all_to_all_efficiency,
                                            base_seconds(group, Waits::kernels));
}

std::vector<Network::TierLinks> Network::tiers_of(Group group) const {
    std::vector<TierLinks> tiers;
    double inside = 1;
    for (const Level &level : m_levels) {
        tiers.push_back({.accelerators = level.accelerators,
                         .inside = inside,
                         .within = members_inside(level, group),
                         .bandwidth = level.raw_bandwidth,
                         .sustained = level.bandwidth,
                         .measured = !level.measured.empty(),
                         .torus = level.torus,
                         .hop_seconds = level.hop_seconds});
        inside = tiers.back().within;
    }
    return tiers;
}

Network::DispatchTiers Network::dispatch_tiers(Group group) const {
    const double inside = members_inside(m_levels.front(), group);
    double slowest = m_levels[std::min<std::size_t>(1, m_levels.size() - 1)].raw_bandwidth;
    for (std::size_t i = 1; i <= widest_tier(group); ++i)
        slowest = std::min(slowest, m_levels[i].raw_bandwidth);
    return {.inside = inside, .nodes = static_cast<double>(group.members) / inside, .network_bandwidth = slowest};
}

double Network::send_seconds(Group line, double bytes) const {
    if (line.members <= 1 || bytes <= 0)
        return 0;
    const auto boundaries = static_cast<double>(line.members - 1);
    double seconds = 0;
    double left = boundaries; // number of stage boundaries that cross between domains of the tiers visited so far
    for (const Level &level : m_levels) {
        const double outside = std::ceil(static_cast<double>(line.members) / members_inside(level, line)) - 1;
        seconds += formula::send_tier_seconds(left - outside, boundaries, bytes, level.bandwidth);
        left = outside;
    }
    return formula::stage_send_seconds(seconds, m_send_factor, m_send_seconds);
}

} // namespace meshwright

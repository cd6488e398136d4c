// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/network.h"

#include "formulas/kernels.h"
#include "formulas/network.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

Network::Network(const Cluster &cluster, const Assumptions &assumptions)
    : m_base_seconds(assumptions[ConstantId::collective_base_seconds])
    , m_all_to_all_efficiency(assumptions[ConstantId::all_to_all_efficiency])
    , m_send_factor(assumptions[ConstantId::pipeline_send_factor])
    , m_send_seconds(assumptions[ConstantId::pipeline_send_seconds]) {
    double latency_factor = 1;
    if (cluster.health != NetworkHealth::nominal) {
        m_between_nodes_seconds = assumptions[ConstantId::measured_collective_seconds];
        m_launch_seconds = assumptions[ConstantId::measured_launch_seconds];
    }
    if (cluster.health == NetworkHealth::measured)
        latency_factor = assumptions[ConstantId::measured_latency_factor];
    else if (cluster.health == NetworkHealth::degraded)
        latency_factor = assumptions[ConstantId::degraded_latency_factor];
    for (const Tier &tier : cluster.tiers) {
        const ConstantId efficiency = m_levels.empty() ? ConstantId::link_efficiency : ConstantId::network_efficiency;
        m_levels.push_back({.accelerators = static_cast<double>(tier.accelerators),
                            .bandwidth = tier.bandwidth_bytes_per_second * assumptions[efficiency],
                            .raw_bandwidth = tier.bandwidth_bytes_per_second,
                            .hop_seconds = tier.latency_seconds * (m_levels.empty() ? 1 : latency_factor)});
    }
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

double Network::bus_bandwidth(Group group) const {
    double slowest = 0;
    double inside = 1;
    for (const Level &level : m_levels) {
        const double members = members_inside(level, group);
        if (members > inside) {
            const double bandwidth = formula::tier_bandwidth(inside, level.bandwidth);
            slowest = slowest == 0 ? bandwidth : std::min(slowest, bandwidth);
        }
        inside = members;
    }
    return slowest;
}

double Network::ring_hops_seconds(Group group) const {
    double seconds = 0;
    double inside = 1;
    for (const Level &level : m_levels) {
        const double within = members_inside(level, group);
        seconds += formula::ring_tier_seconds(static_cast<double>(group.members), inside, within, level.hop_seconds);
        inside = within;
    }
    return seconds;
}

double Network::tree_hops_seconds(Group group) const {
    double seconds = 0;
    double inside = 1;
    for (const Level &level : m_levels) {
        const double within = members_inside(level, group);
        seconds += &level == &m_levels.front() ? formula::chain_tier_seconds(inside, within, level.hop_seconds)
                                               : formula::tree_tier_seconds(inside, within, level.hop_seconds);
        inside = within;
    }
    return seconds;
}

double Network::base_seconds(Group group) const {
    return m_base_seconds + (widest_tier(group) > 0 ? m_between_nodes_seconds : 0);
}

double Network::contended_launch_seconds(Group tensor, Group line) const {
    return line.members > 1 && widest_tier(line) > 0
        ? formula::contended_launch_seconds(static_cast<double>(tensor.members), m_launch_seconds)
        : 0;
}

double Network::all_gather_seconds(Group group, double bytes, double pieces) const {
    if (group.members <= 1 || bytes <= 0)
        return 0;
    return formula::tiers_all_gather_seconds(static_cast<double>(group.members), bytes, bus_bandwidth(group),
                                             pieces * ring_hops_seconds(group), pieces * base_seconds(group));
}

double Network::all_reduce_seconds(Group group, double bytes, double pieces) const {
    if (group.members <= 1 || bytes <= 0)
        return 0;
    return formula::tiers_all_reduce_seconds(static_cast<double>(group.members), bytes, bus_bandwidth(group),
                                             pieces * ring_hops_seconds(group), pieces * tree_hops_seconds(group),
                                             pieces * base_seconds(group));
}

double Network::all_to_all_seconds(Group group, double bytes, double copies) const {
    if (group.members <= 1 || bytes <= 0)
        return 0;
    const DispatchTiers tiers = dispatch_tiers(group);
    return formula::expert_dispatch_seconds(tiers.inside, tiers.nodes, bytes, copies, m_levels.front().bandwidth,
                                            tiers.network_bandwidth, m_all_to_all_efficiency, base_seconds(group));
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
                         .hop_seconds = level.hop_seconds});
        inside = tiers.back().within;
    }
    return tiers;
}

Network::GroupLinks Network::links_of(Group group) const {
    return {.bandwidth = bus_bandwidth(group),
            .ring_seconds = ring_hops_seconds(group),
            .tree_seconds = tree_hops_seconds(group),
            .base_seconds = m_base_seconds};
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
    double left = boundaries; // that no tier so far holds inside
    for (const Level &level : m_levels) {
        const double outside = std::ceil(static_cast<double>(line.members) / members_inside(level, line)) - 1;
        seconds += formula::send_tier_seconds(left - outside, boundaries, bytes, level.bandwidth);
        left = outside;
    }
    return formula::stage_send_seconds(seconds, m_send_factor, m_send_seconds);
}

} // namespace meshwright

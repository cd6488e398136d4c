// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/network.h"

#include "formulas/collectives.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

Network::Network(const Cluster &cluster, const Assumptions &assumptions)
    : m_base_seconds(assumptions[ConstantId::collective_base_seconds])
    , m_all_to_all_efficiency(assumptions[ConstantId::all_to_all_efficiency])
    , m_send_factor(assumptions[ConstantId::pipeline_send_factor])
    , m_send_seconds(assumptions[ConstantId::pipeline_send_seconds]) {
    double latency_factor = 1;
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
    return std::clamp(std::floor(level.accelerators / static_cast<double>(group.stride)), 1.0,
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
            const double bandwidth = inside * level.bandwidth;
            slowest = slowest == 0 ? bandwidth : std::min(slowest, bandwidth);
        }
        inside = members;
    }
    return slowest;
}

double Network::ring_hops_seconds(Group group) const {
    const auto members = static_cast<double>(group.members);
    double seconds = 0;
    double groups = members;
    for (const Level &level : m_levels) {
        const double outside = members / members_inside(level, group);
        seconds += (groups - outside) * level.hop_seconds;
        groups = outside;
    }
    return seconds;
}

double Network::tree_hops_seconds(Group group) const {
    double seconds = 0;
    double inside = 1;
    for (const Level &level : m_levels) {
        const double members = members_inside(level, group);
        const double ways = members / inside;
        seconds += (&level == &m_levels.front() ? ways - 1 : std::log2(std::max(1.0, ways))) * level.hop_seconds;
        inside = members;
    }
    return seconds;
}

double Network::all_gather_seconds(Group group, double bytes) const {
    if (group.members <= 1 || bytes <= 0)
        return 0;
    const auto n = static_cast<double>(group.members);
    return m_base_seconds + ring_hops_seconds(group) + formula::ring_half_bytes(n, bytes) / bus_bandwidth(group);
}

double Network::all_reduce_seconds(Group group, double bytes) const {
    if (group.members <= 1 || bytes <= 0)
        return 0;
    const auto n = static_cast<double>(group.members);
    const double hops = 2 * std::min(ring_hops_seconds(group), tree_hops_seconds(group));
    return m_base_seconds + hops + formula::ring_all_reduce_bytes(n, bytes) / bus_bandwidth(group);
}

double Network::all_to_all_seconds(Group group, double bytes, double copies) const {
    if (group.members <= 1 || bytes <= 0)
        return 0;
    const auto n = static_cast<double>(group.members);
    const double inner = members_inside(m_levels.front(), group);
    const double nodes = n / inner;
    const double inside_seconds = (inner - 1) / inner * bytes / m_levels.front().bandwidth;
    if (nodes <= 1)
        return m_base_seconds + inside_seconds;
    // A token that goes to `copies` of `nodes` nodes crosses to each node at most once.
    const double distinct = 1 - std::pow(1 - 1 / nodes, copies);
    const double once_a_node = std::min(1.0, distinct * nodes / std::max(1.0, copies));
    double slowest = m_levels[1].raw_bandwidth;
    for (std::size_t i = 1; i <= widest_tier(group); ++i)
        slowest = std::min(slowest, m_levels[i].raw_bandwidth);
    const double outside_seconds = bytes * once_a_node * (nodes - 1) / nodes / (slowest * m_all_to_all_efficiency);
    return m_base_seconds + std::max(inside_seconds, outside_seconds);
}

double Network::send_seconds(Group line, double bytes) const {
    if (line.members <= 1 || bytes <= 0)
        return 0;
    const auto boundaries = static_cast<double>(line.members - 1);
    double seconds = 0;
    double left = boundaries; // that no tier so far holds inside
    for (const Level &level : m_levels) {
        const double outside = std::ceil(static_cast<double>(line.members) / members_inside(level, line)) - 1;
        seconds += (left - outside) * bytes / level.bandwidth;
        left = outside;
    }
    return m_send_factor * (seconds / boundaries + m_send_seconds);
}

} // namespace meshwright

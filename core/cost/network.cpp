// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/network.h"

#include "catalog/architectures.h"
#include "formulas/kernels.h"
#include "formulas/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using enum ConstantId;
using std::min;

constexpr Quantity time = Quantity::seconds;
constexpr Quantity rate = Quantity::bytes_per_second;

template <Number N>
N constant_of(ConstantId id, const Assumptions &assumptions) {
    return constant<N>(id, assumptions[id]);
}

/// Whether the innermost tier's switch can reduce: NVSwitch can from the third generation on. Smaller nodes connect
/// without a switch, and PCIe switches cannot reduce.
bool sums_in_switch(const Cluster &cluster) {
    // Lowest NVLink bandwidth of accelerators with in-switch reduction, including those with fewer links (H800).
    constexpr double slowest_nvlink = 150e9;
    return architecture_of(cluster.accelerator.architecture).switch_sum_efficiency && !cluster.tiers.empty()
        && cluster.tiers.front().accelerators >= 8
        && cluster.tiers.front().bandwidth_bytes_per_second >= slowest_nvlink;
}

/// Reads a number of a tier. @param key its key in the tier's JSON; empty for the tier as a whole
template <Number N>
N tier_number(double value, std::size_t tier, std::string_view key, std::string_view name, std::string_view title,
              Quantity quantity, std::string_view source = "the cluster") {
    if constexpr (std::same_as<N, double>)
        return value;
    else
        return read<N>(value,
                       {Origin::hardware, name, title, quantity,
                        fmt::format("/cluster/tiers/{}{}{}", tier, key.empty() ? "" : "/", key), source});
}

/// Whether measured bus bandwidths describe this network. If not, typical measurements of shared networks are used.
bool has_measured_network(const Cluster &cluster) {
    return cluster.health == NetworkHealth::measured
        && std::any_of(cluster.tiers.begin() + 1, cluster.tiers.end(),
                       [](const Tier &tier) { return !tier.bus_bandwidth.empty(); });
}

} // namespace

template <Number N>
BasicNetwork<N>::BasicNetwork(const Cluster &cluster, const Assumptions &assumptions)
    : m_protocols{{{},
                   {.bandwidth = constant_of<N>(ll128_bandwidth_share, assumptions),
                    .link_latency = constant_of<N>(ll128_link_latency_share, assumptions),
                    .network_latency = constant_of<N>(ll128_network_latency_share, assumptions)},
                   {.bandwidth = constant_of<N>(ll_bandwidth_share, assumptions),
                    .link_latency = constant_of<N>(ll_link_latency_share, assumptions),
                    .network_latency = constant_of<N>(ll_network_latency_share, assumptions)}}}
    , m_tree_share(constant_of<N>(tree_bandwidth_share, assumptions))
    , m_switch_seconds(constant_of<N>(switch_sum_seconds, assumptions))
    , m_base_seconds(constant_of<N>(collective_base_seconds, assumptions))
    , m_all_to_all_efficiency(constant_of<N>(all_to_all_efficiency, assumptions))
    , m_send_factor(constant_of<N>(pipeline_send_factor, assumptions))
    , m_send_seconds(constant_of<N>(pipeline_send_seconds, assumptions)) {
    N latency_factor = 1;
    if (cluster.health != NetworkHealth::nominal && !has_measured_network(cluster)) {
        m_between_nodes_seconds = constant_of<N>(measured_collective_seconds, assumptions);
        m_launch_seconds = constant_of<N>(measured_launch_seconds, assumptions);
        latency_factor = constant_of<N>(
            cluster.health == NetworkHealth::measured ? measured_latency_factor : degraded_latency_factor, assumptions);
    }
    for (const Tier &tier : cluster.tiers)
        add_level(tier, cluster.health, latency_factor, assumptions);
    if (sums_in_switch(cluster))
        m_switch_bandwidth = label(
            m_levels.front().raw_bandwidth
                * constant_of<N>(*architecture_of(cluster.accelerator.architecture).switch_sum_efficiency, assumptions),
            {"switch_bandwidth", "sustained bandwidth with in-switch reduction", rate,
             "fraction of the link bandwidth that in-switch all-reduces achieve"});
}

template <Number N>
void BasicNetwork<N>::add_level(const Tier &tier, NetworkHealth health, const N &latency_factor,
                                const Assumptions &assumptions) {
    const std::size_t index = m_levels.size();
    const bool is_first = index == 0;
    Level level{.accelerators = tier_number<N>(static_cast<double>(tier.accelerators), index, "accelerators",
                                               "accelerators", "accelerators per domain of the tier", Quantity::count),
                .bandwidth = 0,
                .raw_bandwidth = tier_number<N>(tier.bandwidth_bytes_per_second, index, "", "links",
                                                "bandwidth of the tier's links", rate),
                .hop_seconds = tier_number<N>(tier.latency_seconds, index, "latency_seconds", "nominal",
                                              "latency of one hop", time),
                .torus = tier.torus,
                .measured = {}};
    if constexpr (!std::same_as<N, double>)
        level.name = identifier("tier_" + tier.name);
    level.bandwidth =
        label(level.raw_bandwidth * constant_of<N>(is_first ? link_efficiency : network_efficiency, assumptions),
              {"bandwidth", "sustained bandwidth per accelerator", rate,
               "fraction of the link bandwidth that large collectives achieve"});
    if (!is_first && value_of(latency_factor) != 1)
        level.hop_seconds = label(level.hop_seconds * latency_factor,
                                  {"latency", "latency of one hop, adjusted for network health", time});
    if (health == NetworkHealth::measured && !tier.bus_bandwidth.empty()) {
        m_any_measured = true;
        level.measured = MeasuredBandwidth(tier.bus_bandwidth, index, tier.name);
        const double inside = is_first ? 1 : value_of(m_levels.back().accelerators);
        level.bandwidth = tier_number<N>(level.measured.sustained(inside, tier.bandwidth_bytes_per_second), index,
                                         "bus_bandwidth", "bandwidth", "sustained bandwidth per accelerator", rate,
                                         "the highest of the tier's measured bus bandwidths, per accelerator");
    }
    m_levels.push_back(std::move(level));
}

template <Number N>
N BasicNetwork<N>::members_inside(std::size_t level, const Ranks &group) const {
    return label(formula::members_inside(m_levels[level].accelerators, group.apart(), group.count()),
                 {"within", "group members in one domain of the tier", Quantity::count});
}

template <Number N>
std::size_t BasicNetwork<N>::widest_tier(const Group &group) const {
    for (std::size_t i = 0; i < m_levels.size(); ++i)
        if (formula::members_inside(value_of(m_levels[i].accelerators), group.apart(), group.count()) >= group.count())
            return i;
    return m_levels.empty() ? 0 : m_levels.size() - 1;
}

template <Number N>
N BasicNetwork<N>::axes_share(std::size_t level, const N &inside, const N &within) const {
    if (!m_levels[level].torus)
        return 1;
    const N members = label(within / inside, {"ranks", "inner-tier domains that the group spans", Quantity::number});
    const N domains = level == 0
        ? m_levels[level].accelerators
        : label(m_levels[level].accelerators / m_levels[level - 1].accelerators,
                {"accelerators", "inner-tier domains per domain of the tier", Quantity::number});
    return label(formula::axes_share(members, domains),
                 {"axes_share", "fraction of links along the group's torus axes", Quantity::share});
}

template <Number N>
N BasicNetwork<N>::bandwidth_of(std::size_t level, const N &inside, const N &within) const {
    return label(formula::tier_bandwidth(inside, m_levels[level].bandwidth, axes_share(level, inside, within)),
                 {m_levels[level].name, "tier bandwidth available to the group", rate});
}

template <Number N>
N BasicNetwork<N>::bus_bandwidth(const Ranks &group, std::size_t from) const {
    N slowest = 0;
    N inside = from == 0 ? N(1) : members_inside(from - 1, group);
    for (std::size_t i = from; i < m_levels.size(); ++i) {
        const N members = members_inside(i, group);
        if (members > inside) {
            const N bandwidth = bandwidth_of(i, inside, members);
            slowest = slowest == N(0) ? bandwidth : min(slowest, bandwidth);
        }
        inside = members;
    }
    return label(slowest,
                 {"bandwidth",
                  from == 0 ? "bandwidth of the slowest tier that the group spans"
                            : "bandwidth of the slowest tier between nodes",
                  rate, "the slowest tier is the bottleneck"});
}

template <Number N>
auto BasicNetwork<N>::ring_hops(const Ranks &group) const -> Hops {
    Hops hops;
    N inside = 1;
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        const N within = members_inside(i, group);
        if (within > inside)
            (i == 0 ? hops.inside : hops.between) +=
                label(formula::ring_tier_seconds(group.count(), inside, within, m_levels[i].hop_seconds),
                      {m_levels[i].name, "latency of the hops on the tier", time});
        inside = within;
    }
    return hops;
}

template <Number N>
auto BasicNetwork<N>::tree_hops(const Ranks &group) const -> Hops {
    Hops hops;
    N inside = 1;
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        const N within = members_inside(i, group);
        if (within > inside)
            (i == 0 ? hops.inside : hops.between) +=
                label(i == 0 ? formula::chain_tier_seconds(inside, within, m_levels[i].hop_seconds)
                             : formula::tree_tier_seconds(inside, within, m_levels[i].hop_seconds),
                      {m_levels[i].name, "latency of the hops on the tier", time});
        inside = within;
    }
    return hops;
}

template <Number N>
N BasicNetwork<N>::hops_seconds(const Hops &hops, const ProtocolShares &shares, std::string_view name) const {
    return label(shares.link_latency * hops.inside + shares.network_latency * hops.between,
                 {name, "latency of the hops", time, "sum over tiers"});
}

template <Number N>
N BasicNetwork<N>::nodes_of(const Ranks &group) const {
    return label(group.count() / members_inside(0, group), {"nodes", "nodes that the group spans", Quantity::count});
}

template <Number N>
N BasicNetwork<N>::base_seconds(const Ranks &group, Waits waits) const {
    if (value_of(m_between_nodes_seconds) == 0 || widest_tier(group) == 0)
        return m_base_seconds;
    return label(
        m_base_seconds
            + formula::between_nodes_seconds(waits == Waits::kernels ? nodes_of(group) : N(2), m_between_nodes_seconds),
        {"base_seconds", "launch and handshake time", time,
         "includes extra start-up time across nodes, unless network health is nominal"});
}

template <Number N>
N BasicNetwork<N>::contended_launch_seconds(const Ranks &tensor, const Group &line) const {
    if (line.members <= 1 || widest_tier(line) == 0)
        return 0;
    return label(formula::contended_launch_seconds(tensor.count(), m_launch_seconds),
                 {"contended_seconds", "time that kernel launches wait for the network", time});
}

template <Number N>
auto BasicNetwork<N>::measured(Collective collective, const Ranks &group, const N &bytes) const
    -> std::optional<typename MeasuredBandwidth::Reading<N>> {
    const std::size_t widest = widest_tier(group);
    if (m_levels[widest].measured.empty())
        return std::nullopt;
    if (widest == 0)
        return m_levels[0].measured.template at<N>(collective, group.count(), bytes);
    const N groups = label(m_levels[widest - 1].accelerators / members_inside(widest - 1, group),
                           {"groups", "groups that share a node's links", Quantity::count,
                            "all accelerators of a node send at the same time"});
    auto reading = m_levels[widest].measured.template at<N>(
        collective, label(group.count() * groups, {"at", "ranks of all groups that share the nodes", Quantity::count}),
        label(bytes * groups, {"at", "bytes sent by all groups that share a node", Quantity::bytes}));
    reading.bytes_per_second = formula::shared_bandwidth(reading.bytes_per_second, groups);
    return reading;
}

template <Number N>
template <typename Seconds>
auto BasicNetwork<N>::or_measured(Way modelled, Collective collective, const Ranks &group, const N &bytes,
                                  const N &pieces, Seconds seconds) const -> Way {
    if (!m_any_measured)
        return modelled;
    const auto reading = measured(collective, group, bytes / pieces);
    if (!reading)
        return modelled;
    const Way way{
        .algorithm = Algorithm::as_measured,
        .protocol = Protocol::simple,
        .seconds = seconds(label(reading->bytes_per_second, {"bandwidth", "bus bandwidth of the collective", rate}))};
    return reading->beneath && modelled.seconds < way.seconds ? modelled : way;
}

template <Number N>
N BasicNetwork<N>::all_gather_seconds(const Ranks &group, const N &bytes, const std::optional<N> &pieces) const {
    return all_gather_way(group, bytes, pieces).seconds;
}

template <Number N>
N BasicNetwork<N>::all_reduce_seconds(const Ranks &group, const N &bytes, const std::optional<N> &pieces) const {
    return all_reduce_way(group, bytes, pieces).seconds;
}

template <Number N>
auto BasicNetwork<N>::ring_of(const Ranks &group) const -> Ring {
    if (group.members <= 1)
        return {};
    return {.group = group,
            .bandwidth = bus_bandwidth(group),
            .hops = ring_hops(group),
            .base_seconds = base_seconds(group, Waits::kernels),
            .overlapped_base_seconds = base_seconds(group, Waits::nobody)};
}

template <Number N>
N BasicNetwork<N>::ring_gather_seconds(const Ring &ring, const N &bytes, const std::optional<N> &pieces) const {
    return ring_gather_way(ring, bytes, pieces).seconds;
}

template <Number N>
auto BasicNetwork<N>::all_gather_way(const Ranks &group, const N &bytes, const std::optional<N> &pieces) const -> Way {
    return group.members > 1 && value_of(bytes) > 0 ? ring_gather_way(ring_of(group), bytes, pieces) : Way{};
}

namespace {

/// A latency that each of several sequential collectives has.
template <Number N>
N of_all_pieces(const std::optional<N> &pieces, const N &one, std::string_view name, std::string_view title) {
    return pieces ? label(*pieces * one, {name, title, time, "the pieces are sent one after another"}) : one;
}

} // namespace

template <Number N>
auto BasicNetwork<N>::ring_gather_way(const Ring &ring, const N &bytes, const std::optional<N> &pieces) const -> Way {
    if (ring.group.members <= 1 || value_of(bytes) <= 0)
        return {};
    const N base = of_all_pieces(pieces, pieces ? ring.overlapped_base_seconds : ring.base_seconds, "base_seconds",
                                 "launch and handshake time of all pieces");
    Way best;
    for (const Protocol protocol : {Protocol::simple, Protocol::ll128, Protocol::ll}) {
        const ProtocolShares &shares = shares_of(protocol);
        const N seconds =
            formula::tiers_all_gather_seconds(ring.group.count(), bytes, ring.bandwidth * shares.bandwidth,
                                              of_all_pieces(pieces, hops_seconds(ring.hops, shares, "ring_seconds"),
                                                            "ring_seconds", "latency of the hops of all pieces"),
                                              base);
        if (protocol == Protocol::simple || seconds < best.seconds)
            best = {.algorithm = Algorithm::ring, .protocol = protocol, .seconds = seconds};
    }
    return or_measured(best, Collective::all_gather, ring.group, bytes, pieces.value_or(1), [&](const N &bus) {
        return formula::tiers_all_gather_seconds(ring.group.count(), bytes, bus, N(0), N(0));
    });
}

template <Number N>
auto BasicNetwork<N>::all_reduce_way(const Ranks &group, const N &bytes, const std::optional<N> &pieces) const -> Way {
    if (group.members <= 1 || value_of(bytes) <= 0)
        return {};
    const N ranks = group.count();
    const N bandwidth = bus_bandwidth(group);
    const N base = of_all_pieces(pieces, base_seconds(group, pieces ? Waits::nobody : Waits::kernels), "base_seconds",
                                 "launch and handshake time of all pieces");
    const Hops ring = ring_hops(group);
    const Hops trees = tree_hops(group);
    Way best;
    for (const Protocol protocol : {Protocol::simple, Protocol::ll128, Protocol::ll}) {
        const ProtocolShares &shares = shares_of(protocol);
        const auto latency = [&](const Hops &hops, std::string_view name) {
            return of_all_pieces(pieces, hops_seconds(hops, shares, name), name, "latency of the hops of all pieces");
        };
        const N round = formula::ring_reduce_seconds(ranks, bytes, bandwidth * shares.bandwidth,
                                                     latency(ring, "ring_seconds"), base);
        const N down = formula::trees_reduce_seconds(bytes, bandwidth * shares.bandwidth * m_tree_share,
                                                     latency(trees, "tree_seconds"), base);
        if (protocol == Protocol::simple || round < best.seconds)
            best = {.algorithm = Algorithm::ring, .protocol = protocol, .seconds = round};
        if (down < best.seconds)
            best = {.algorithm = Algorithm::trees, .protocol = protocol, .seconds = down};
    }
    const N started = pieces.value_or(1);
    if (value_of(m_switch_bandwidth) > 0 && widest_tier(group) == 0) {
        const N summed = formula::switch_reduce_seconds(
            ranks, bytes, m_switch_bandwidth,
            of_all_pieces(pieces, m_switch_seconds, "switch_seconds", "latency of the switch for all pieces"), base);
        if (summed < best.seconds)
            best = {.algorithm = Algorithm::in_switch, .protocol = Protocol::simple, .seconds = summed};
    }
    if (value_of(m_switch_bandwidth) > 0 && widest_tier(group) > 0 && value_of(members_inside(0, group)) > 1) {
        const Way way = switch_trees_way(group, bytes, started, trees.between, base);
        if (way.seconds < best.seconds)
            best = way;
    }
    return or_measured(best, Collective::all_reduce, group, bytes, started,
                       [&](const N &bus) { return formula::ring_reduce_seconds(ranks, bytes, bus, N(0), N(0)); });
}

template <Number N>
auto BasicNetwork<N>::switch_trees_way(const Ranks &group, const N &bytes, const N &started, const N &hop_seconds,
                                       const N &base) const -> Way {
    const N inside = members_inside(0, group);
    const N passes = formula::tree_passes(nodes_of(group));
    const N bandwidth = bus_bandwidth(group, 1) * m_tree_share;
    Way best{.algorithm = Algorithm::switch_trees};
    for (const Protocol protocol : {Protocol::simple, Protocol::ll128, Protocol::ll}) {
        const ProtocolShares &shares = shares_of(protocol);
        const N seconds = formula::switch_trees_seconds(
            inside, bytes, m_switch_bandwidth, passes, bandwidth * shares.bandwidth,
            started * shares.network_latency * hop_seconds, started * m_switch_seconds, base);
        if (protocol == Protocol::simple || seconds < best.seconds)
            best = {.algorithm = Algorithm::switch_trees, .protocol = protocol, .seconds = seconds};
    }
    return best;
}

template <Number N>
N BasicNetwork<N>::all_to_all_seconds(const Ranks &group, const N &bytes, const N &copies) const {
    if (group.members <= 1 || value_of(bytes) <= 0)
        return 0;
    N slowest = m_levels[std::min<std::size_t>(1, m_levels.size() - 1)].raw_bandwidth;
    for (std::size_t i = 2; i <= widest_tier(group); ++i)
        slowest = min(slowest, m_levels[i].raw_bandwidth);
    slowest = label(slowest, {"network_bandwidth", "bandwidth per rank between nodes", rate});
    return formula::expert_dispatch_seconds(members_inside(0, group), nodes_of(group), bytes, copies,
                                            m_levels.front().bandwidth, slowest, m_all_to_all_efficiency,
                                            base_seconds(group, Waits::kernels));
}

template <Number N>
N BasicNetwork<N>::send_seconds(const Ranks &line, const N &bytes) const {
    using formula::ceil;
    if (line.members <= 1 || value_of(bytes) <= 0)
        return 0;
    const N boundaries = label(line.count() - 1, {"boundaries", "stage boundaries", Quantity::count});
    N seconds = 0;
    N left = boundaries; // number of stage boundaries that cross between domains of the tiers visited so far
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        const N outside = ceil(line.count() / members_inside(i, line)) - 1;
        if (left > outside)
            seconds += label(formula::send_tier_seconds(label(left - outside,
                                                              {"crossing", "stage boundaries that cross the tier",
                                                               Quantity::count, "from the placement of the stages"}),
                                                        boundaries, bytes, m_levels[i].bandwidth),
                             {m_levels[i].name, "contribution of the tier to the mean send time", time});
        left = outside;
    }
    return formula::stage_send_seconds(
        label(seconds, {"wire_seconds", "time on the wire, averaged over stage boundaries", time, "sum over tiers"}),
        m_send_factor, m_send_seconds);
}

template class BasicNetwork<double>;
template class BasicNetwork<Traced>;

} // namespace meshwright

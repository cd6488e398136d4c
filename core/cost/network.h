// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/measured_bandwidth.h"
#include "formulas/traced.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace meshwright {

/// A communication group of `members` ranks, whose numbers within the site are `stride` apart.
struct Group {
    std::int64_t members = 1;
    std::int64_t stride = 1;
    bool operator==(const Group &) const = default;
    double count() const { return static_cast<double>(members); }
    double apart() const { return static_cast<double>(stride); }
};
/// A group whose size and stride have derivations.
struct TracedGroup : Group {
    Traced traced_members = 1;
    Traced traced_stride = 1;
    const Traced &count() const { return traced_members; }
    const Traced &apart() const { return traced_stride; }
};
template <Number N>
using BasicGroup = std::conditional_t<std::same_as<N, double>, Group, TracedGroup>;

/// Times of collectives over a site's tiers. Sizes are bytes of the whole tensor; an empty tensor takes no time.
///
/// Bandwidth term: bytes on the wire per rank over the slowest tier crossed. All members of a group inside a tier send
/// over their own links simultaneously, so an outer tier offers its per-accelerator bandwidth times the number of these
/// members. Latency term: a base, plus one hop for each ring edge at the tier that the edge crosses. As in NCCL, the
/// fastest algorithm (ring, trees or in-switch reduction) and protocol are chosen for the number of bytes and ranks;
/// low-latency protocols waste bandwidth. Sources: Thakur, Rabenseifner, Gropp 2005 (ring and recursive-doubling
/// bounds); NCCL's tuning model.
template <Number N>
class BasicNetwork {
public:
    BasicNetwork(const Cluster &cluster, const Assumptions &assumptions);

    using Ranks = BasicGroup<N>;
    /// Time of an all-gather or a reduce-scatter, which take equally long. @param pieces number of sequential
    /// collectives that carry the bytes while computation overlaps; if empty, computation waits for a single collective
    N all_gather_seconds(const Ranks &group, const N &bytes, const std::optional<N> &pieces = std::nullopt) const;
    N all_reduce_seconds(const Ranks &group, const N &bytes, const std::optional<N> &pieces = std::nullopt) const;

    /// Latency of a collective's hops, in seconds.
    struct Hops {
        N inside = 0;
        N between = 0;
    };
    /// Properties of a group's ring that do not depend on the tensor's size.
    struct Ring {
        Ranks group;
        N bandwidth = 0;
        Hops hops;
        N base_seconds = 0; ///< base latency of a collective for which computation waits
        N overlapped_base_seconds = 0; ///< base latency of an overlapped collective
    };
    Ring ring_of(const Ranks &group) const;
    /// Same as all_gather_seconds, for a ring from ring_of().
    N ring_gather_seconds(const Ring &ring, const N &bytes, const std::optional<N> &pieces = std::nullopt) const;

    enum class Algorithm { ring, trees, in_switch, switch_trees, as_measured };
    enum class Protocol { simple, ll128, ll };
    struct Way {
        Algorithm algorithm = Algorithm::ring;
        Protocol protocol = Protocol::simple;
        N seconds = 0;
    };
    Way all_gather_way(const Ranks &group, const N &bytes, const std::optional<N> &pieces = std::nullopt) const;
    Way all_reduce_way(const Ranks &group, const N &bytes, const std::optional<N> &pieces = std::nullopt) const;

    /// Time of an all-to-all in which each member sends `bytes` in total, split equally among all members. With
    /// `copies` (experts per token), the dispatcher sends a token only once to a node with several of its experts.
    N all_to_all_seconds(const Ranks &group, const N &bytes, const N &copies) const;
    /// Time of a point-to-point send from one pipeline stage to the next, averaged over the stage boundaries inside and
    /// between nodes.
    N send_seconds(const Ranks &line, const N &bytes) const;

    /// Extra host launch time per layer in the forward pass when a group's collectives compete with inter-node pipeline
    /// sends. 0 if network health is nominal.
    N contended_launch_seconds(const Ranks &tensor, const Group &line) const;

    /// Sustained bandwidth of the innermost tier per accelerator.
    const N &link_bandwidth() const { return m_levels.front().bandwidth; }

    /// Index of the outermost tier that a group crosses; 0 for a group within the innermost tier.
    std::size_t widest_tier(const Group &group) const;
    /// Number of members in the same node.
    N members_in_node(const Ranks &group) const { return members_inside(0, group); }

private:
    struct Level {
        N accelerators;
        N bandwidth; ///< sustained bandwidth per accelerator
        N raw_bandwidth;
        N hop_seconds;
        bool torus;
        MeasuredBandwidth measured;
        std::string name = {}; ///< name in derivations: "tier_nvlink"
    };
    /// Bandwidth and hop latencies of an NCCL protocol, relative to the Simple protocol.
    struct ProtocolShares {
        N bandwidth = 1;
        N link_latency = 1;
        N network_latency = 1;
    };
    void add_level(const Tier &tier, NetworkHealth health, const N &latency_factor, const Assumptions &assumptions);
    N members_inside(std::size_t level, const Ranks &group) const;
    /// Bandwidth of the tier for a group with `inside` members in one domain of the tier below and `within` members in
    /// one domain of this tier.
    N bandwidth_of(std::size_t level, const N &inside, const N &within) const;
    N axes_share(std::size_t level, const N &inside, const N &within) const;
    Way ring_gather_way(const Ring &ring, const N &bytes, const std::optional<N> &pieces) const;
    /// Bandwidth of the slowest tier that the group crosses, from this tier outward.
    N bus_bandwidth(const Ranks &group, std::size_t from = 0) const;
    /// Bus bandwidth measured on the group's outermost tier. All accelerators of a node send simultaneously, so groups
    /// with members in the same node share its links. Empty if that tier is not measured.
    std::optional<typename MeasuredBandwidth::Reading<N>> measured(Collective collective, const Ranks &group,
                                                                   const N &bytes) const;
    /// Replaces the modeled collective with one at the tier's measured bandwidth, if there are measurements. Below the
    /// smallest measured size, returns the faster of the modeled and the measured collective.
    template <typename Seconds>
    Way or_measured(Way modelled, Collective collective, const Ranks &group, const N &bytes, const N &pieces,
                    Seconds seconds) const;
    Hops ring_hops(const Ranks &group) const;
    Hops tree_hops(const Ranks &group) const;
    /// @param hop_seconds  latency of the downward path of the trees between nodes
    Way switch_trees_way(const Ranks &group, const N &bytes, const N &started, const N &hop_seconds,
                         const N &base) const;
    N hops_seconds(const Hops &hops, const ProtocolShares &shares, std::string_view name) const;
    const ProtocolShares &shares_of(Protocol protocol) const { return m_protocols[static_cast<std::size_t>(protocol)]; }
    /// Whether kernels wait for the collective or overlap with it.
    enum class Waits { kernels, nobody };
    N base_seconds(const Ranks &group, Waits waits) const;
    N nodes_of(const Ranks &group) const;

    std::vector<Level> m_levels;
    bool m_any_measured = false;
    std::array<ProtocolShares, 3> m_protocols;
    N m_tree_share;
    /// Bus bandwidth of in-switch all-reduces on the innermost tier; 0 if the switch cannot reduce.
    N m_switch_bandwidth = 0;
    N m_switch_seconds;
    N m_base_seconds;
    N m_between_nodes_seconds = 0; ///< added to an inter-node collective per additional node
    N m_launch_seconds = 0; ///< launch delay per group member while pipeline sends use the network between nodes
    N m_all_to_all_efficiency;
    N m_send_factor;
    N m_send_seconds;
};
using Network = BasicNetwork<double>;

} // namespace meshwright

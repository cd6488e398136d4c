// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/constants.h"
#include "cost/measured_bandwidth.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshwright {

/// A communication group of `members` ranks, whose numbers within the site are `stride` apart.
struct Group {
    std::int64_t members = 1;
    std::int64_t stride = 1;
    bool operator==(const Group &) const = default;
};

/// Times of collectives over a site's tiers. Sizes are bytes of the whole tensor; an empty tensor takes no time.
///
/// Bandwidth term: bytes on the wire per rank over the slowest tier crossed. All members of a group inside a tier send
/// over their own links simultaneously, so an outer tier offers its per-accelerator bandwidth times the number of these
/// members. Latency term: a base, plus one hop for each ring edge at the tier that the edge crosses. As in NCCL, the
/// fastest algorithm (ring, trees or in-switch reduction) and protocol are chosen for the number of bytes and ranks;
/// low-latency protocols waste bandwidth. Sources: Thakur, Rabenseifner, Gropp 2005 (ring and recursive-doubling
/// bounds); NCCL's tuning model.
class Network {
public:
    Network(const Cluster &cluster, const Assumptions &assumptions);

    /// Time of an all-gather or a reduce-scatter, which take equally long. @param pieces number of sequential
    /// collectives that carry the bytes while computation overlaps; if empty, computation waits for a single collective
    double all_gather_seconds(Group group, double bytes, std::optional<double> pieces = std::nullopt) const;
    double all_reduce_seconds(Group group, double bytes, std::optional<double> pieces = std::nullopt) const;

    /// Properties of a group's ring that do not depend on the tensor's size.
    struct Ring {
        Group group;
        double ranks = 1;
        double bandwidth = 0;
        double inside_seconds = 0;
        double between_seconds = 0;
        double base_seconds = 0; ///< base latency of a collective for which computation waits
        double overlapped_base_seconds = 0; ///< base latency of an overlapped collective
    };
    Ring ring_of(Group group) const;
    /// Same as all_gather_seconds, for a ring from ring_of().
    double ring_gather_seconds(const Ring &ring, double bytes, std::optional<double> pieces = std::nullopt) const;

    enum class Algorithm { ring, trees, in_switch, switch_trees, as_measured };
    enum class Protocol { simple, ll128, ll };
    struct Way {
        Algorithm algorithm = Algorithm::ring;
        Protocol protocol = Protocol::simple;
        double seconds = 0;
    };
    Way all_gather_way(Group group, double bytes, std::optional<double> pieces = std::nullopt) const;
    Way all_reduce_way(Group group, double bytes, std::optional<double> pieces = std::nullopt) const;
    /// A measured bandwidth and the groups that share it: all accelerators of a node send simultaneously, so groups
    /// with members in the same node share its links.
    struct SharedReading {
        MeasuredBandwidth::Reading reading;
        double ranks = 1; ///< accelerators in the nodes that the group spans
        double groups = 1;
        double bytes = 0;
    };
    /// Looks up the measured bandwidth that applies to the group's outermost tier. @pre that tier is measured
    SharedReading measured(Collective collective, Group group, double bytes) const;
    bool is_measured(Group group) const { return !m_levels[widest_tier(group)].measured.empty(); }
    /// Bandwidth and hop latencies of an NCCL protocol (Simple, LL, LL128), relative to Simple.
    struct ProtocolShares {
        double bandwidth = 1;
        double link_latency = 1;
        double network_latency = 1;
    };
    const ProtocolShares &shares_of(Protocol protocol) const { return m_protocols[static_cast<std::size_t>(protocol)]; }

    /// Time of an all-to-all in which each member sends `bytes` in total, split equally among all members. With
    /// `copies` (experts per token), the dispatcher sends a token only once to a node with several of its experts.
    double all_to_all_seconds(Group group, double bytes, double copies) const;
    /// Time of a point-to-point send from one pipeline stage to the next, averaged over the stage boundaries inside and
    /// between nodes.
    double send_seconds(Group line, double bytes) const;

    /// Extra host launch time per layer in the forward pass when a group's collectives compete with inter-node pipeline
    /// sends. 0 if network health is nominal.
    double contended_launch_seconds(Group tensor, Group line) const;

    /// Start-up time that a shared network adds to an inter-node collective per additional node.
    double between_nodes_seconds() const { return m_between_nodes_seconds; }
    double link_bandwidth() const { return m_levels.front().bandwidth; }

    /// Index of the outermost tier that a group crosses; 0 for a group within the innermost tier.
    std::size_t widest_tier(Group group) const;

    struct TierLinks {
        double accelerators = 1;
        double inside = 1; ///< group members in one domain of the tier below
        double within = 1; ///< group members in one domain of this tier
        double bandwidth = 0;
        double sustained = 0;
        bool measured = false;
        bool torus = false;
        double hop_seconds = 0;
    };
    std::vector<TierLinks> tiers_of(Group group) const;
    /// Bandwidth available to the group on the slowest tier that it crosses beyond the innermost one.
    double bandwidth_between(Group group) const;
    /// How a group's all-to-all messages divide into those inside a node and those between nodes.
    struct DispatchTiers {
        double inside = 1; ///< members in the same node
        double nodes = 1;
        double network_bandwidth = 0; ///< nominal bandwidth of the slowest inter-node tier
    };
    DispatchTiers dispatch_tiers(Group group) const;

private:
    struct Level {
        double accelerators;
        double bandwidth; ///< sustained bandwidth per accelerator
        double raw_bandwidth;
        double hop_seconds;
        bool torus;
        MeasuredBandwidth measured;
    };
    void add_level(const Tier &tier, NetworkHealth health, double latency_factor, const Assumptions &assumptions);
    double members_inside(const Level &level, Group group) const;
    /// Bandwidth of the tier for a group with `inside` members in one domain of the tier below and `within` members in
    /// one domain of this tier.
    double bandwidth_of(std::size_t level, double inside, double within) const;
    double axes_share(std::size_t level, double inside, double within) const;
    /// Hop latency of a collective, in seconds.
    struct Hops {
        double inside = 0;
        double between = 0;
    };
    Way ring_gather_way(const Ring &ring, double bytes, std::optional<double> pieces) const;
    double bus_bandwidth(Group group) const;
    /// Replaces the modeled collective with one at the tier's measured bandwidth, if there are measurements. Below the
    /// smallest measured size, returns the faster of the modeled and the measured collective.
    template <typename Seconds>
    Way or_measured(Way modelled, Collective collective, Group group, double bytes, double pieces,
                    Seconds seconds) const;
    Hops ring_hops(Group group) const;
    Hops tree_hops(Group group) const;
    /// @param hop_seconds  latency of the downward path of the trees between nodes
    Way switch_trees_way(Group group, double bytes, double started, double hop_seconds, double base) const;
    double hops_seconds(Hops hops, Protocol protocol) const;
    /// Whether kernels wait for the collective or overlap with it.
    enum class Waits { kernels, nobody };
    double base_seconds(Group group, Waits waits) const;

    std::vector<Level> m_levels;
    bool m_any_measured = false;
    std::array<ProtocolShares, 3> m_protocols;
    double m_tree_share;
    /// Bus bandwidth of in-switch all-reduces on the innermost tier; 0 if the switch cannot reduce.
    double m_switch_bandwidth = 0;
    double m_switch_seconds;
    double m_base_seconds;
    double m_between_nodes_seconds = 0; ///< added to an inter-node collective per additional node
    double m_launch_seconds = 0; ///< launch delay per group member while pipeline sends use the network between nodes
    double m_all_to_all_efficiency;
    double m_send_factor;
    double m_send_seconds;
};

} // namespace meshwright

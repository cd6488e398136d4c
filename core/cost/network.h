// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/constants.h"
#include "cost/measured_bandwidth.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshwright {

/// A communication group: `members` accelerators that stand `stride` apart in the site's numbering.
struct Group {
    std::int64_t members = 1;
    std::int64_t stride = 1;
    bool operator==(const Group &) const = default;
};

/// Times of collectives over a site's tiers. Sizes are those of the whole tensor, in bytes; nothing to send takes no
/// time.
///
/// Bandwidth term: bytes on the wire a rank over the slowest tier crossed; all members of a group inside a tier send
/// over their own links at once, so an outer tier carries members-inside x its per-accelerator bandwidth.
/// Latency term: a base, and one hop for each ring edge at the tier that the edge crosses.
/// The fastest way is taken, as the library chooses by bytes and ranks: ring, trees or sums in the switch, and the
/// protocol, of which the quick ones waste bandwidth.
/// Sources: Thakur, Rabenseifner, Gropp 2005 (ring and recursive-doubling bounds); NCCL's tuning model.
class Network {
public:
    Network(const Cluster &cluster, const Assumptions &assumptions);

    /// Also reduce-scatter. @param pieces  collectives that carry the bytes one after another beside computation; none:
    /// computation waits for the one that carries all
    double all_gather_seconds(Group group, double bytes, std::optional<double> pieces = std::nullopt) const;
    double all_reduce_seconds(Group group, double bytes, std::optional<double> pieces = std::nullopt) const;

    /// What a group's ring runs over, looked up once for tensors of any size.
    struct Ring {
        Group group;
        double ranks = 1;
        double bandwidth = 0; ///< of the slowest tier crossed
        double inside_seconds = 0; ///< of all hops inside a node
        double between_seconds = 0; ///< and between nodes
        double base_seconds = 0; ///< of a collective that computation waits for
        double beside_seconds = 0; ///< and of one beside it
    };
    Ring ring_of(Group group) const;
    /// As all_gather_seconds.
    double ring_gather_seconds(const Ring &ring, double bytes, std::optional<double> pieces = std::nullopt) const;

    /// How a collective runs: the order of its hops, and the protocol of each.
    enum class Algorithm { ring, trees, in_switch, switch_trees, as_measured };
    enum class Protocol { simple, ll128, ll };
    struct Way {
        Algorithm algorithm = Algorithm::ring;
        Protocol protocol = Protocol::simple;
        double seconds = 0;
    };
    Way all_gather_way(Group group, double bytes, std::optional<double> pieces = std::nullopt) const;
    Way all_reduce_way(Group group, double bytes, std::optional<double> pieces = std::nullopt) const;
    /// What was measured of a tier, as a group of it meets it: all accelerators of a node send at once, so that as many
    /// groups as have members in it share its links.
    struct SharedReading {
        MeasuredBandwidth::Reading reading;
        double ranks = 1; ///< of as many nodes as the group lies on, all accelerators of each
        double groups = 1; ///< that share the links
        double bytes = 0; ///< of them all together
    };
    /// @pre the group's widest tier is measured
    SharedReading measured(Collective collective, Group group, double bytes) const;
    bool is_measured(Group group) const { return !m_levels[widest_tier(group)].measured.empty(); }
    /// Shares of the bandwidth, and of one hop inside and between nodes, that a protocol leaves.
    struct ProtocolShares {
        double bandwidth = 1;
        double link_latency = 1;
        double network_latency = 1;
    };
    const ProtocolShares &shares_of(Protocol protocol) const { return m_protocols[static_cast<std::size_t>(protocol)]; }

    /// Each member sends `bytes` in all, an equal share to every member. `copies` (the experts a token goes to) lets a
    /// dispatcher send a token once to a node that holds several of them.
    double all_to_all_seconds(Group group, double bytes, double copies) const;
    /// From one member of a line to the next, as the mean over its boundaries: some lie inside a node, some between.
    double send_seconds(Group line, double bytes) const;

    /// What launching a layer waits for on the host, forward, where a group's collectives are launched beside the sends
    /// of a pipeline that leave the node. Nothing on a quiet network.
    double contended_launch_seconds(Group tensor, Group line) const;

    /// What a shared network adds to the start of a collective that leaves its node, for each further one.
    double between_nodes_seconds() const { return m_between_nodes_seconds; }
    double link_bandwidth() const { return m_levels.front().bandwidth; } ///< sustained, of the innermost tier

    /// Index of the outermost tier that a group crosses; 0 for one inside the innermost.
    std::size_t widest_tier(Group group) const;

    /// A group on one tier.
    struct TierLinks {
        double accelerators = 1; ///< that one group of the tier joins
        double inside = 1; ///< members that one group of the tier inside joins
        double within = 1; ///< members that one group of this tier joins
        double bandwidth = 0; ///< nominal, per accelerator
        double sustained = 0;
        bool measured = false; ///< as its bus bandwidths say
        bool torus = false;
        double hop_seconds = 0;
    };
    std::vector<TierLinks> tiers_of(Group group) const;
    /// Of the tiers beyond the innermost that a group crosses, what the slowest carries for it.
    double bandwidth_between(Group group) const;
    /// Where an all-to-all of a group runs.
    struct DispatchTiers {
        double inside = 1; ///< members that share a node
        double nodes = 1;
        double network_bandwidth = 0; ///< nominal, of the slowest tier between nodes
    };
    DispatchTiers dispatch_tiers(Group group) const;

private:
    struct Level {
        double accelerators;
        double bandwidth; ///< sustained, per accelerator
        double raw_bandwidth;
        double hop_seconds;
        bool torus;
        MeasuredBandwidth measured;
    };
    void add_level(const Tier &tier, NetworkHealth health, double latency_factor, const Assumptions &assumptions);
    double members_inside(const Level &level, Group group) const;
    /// What the tier carries for members of whom the tier inside joins `inside` and this one `within`.
    double bandwidth_of(std::size_t level, double inside, double within) const;
    double axes_share(std::size_t level, double inside, double within) const;
    /// Hops of a collective, in seconds.
    struct Hops {
        double inside = 0; ///< nodes
        double between = 0;
    };
    Way ring_gather_way(const Ring &ring, double bytes, std::optional<double> pieces) const;
    double bus_bandwidth(Group group) const;
    /// The quicker of a modelled way and of what was measured, which alone counts from the fewest measured bytes on.
    template <typename Seconds>
    Way or_measured(Way modelled, Collective collective, Group group, double bytes, double pieces,
                    Seconds seconds) const;
    Hops ring_hops(Group group) const;
    Hops tree_hops(Group group) const;
    /// @param hop_seconds  down the trees between nodes
    Way switch_trees_way(Group group, double bytes, double started, double hop_seconds, double base) const;
    double hops_seconds(Hops hops, Protocol protocol) const;
    enum class Waits { kernels, nobody }; ///< for the collective
    double base_seconds(Group group, Waits waits) const;

    std::vector<Level> m_levels;
    bool m_any_measured = false;
    std::array<ProtocolShares, 3> m_protocols;
    double m_tree_share;
    double m_switch_bandwidth = 0; ///< of all-reduces that are summed in the innermost tier's switch; 0: it cannot
    double m_switch_seconds;
    double m_base_seconds;
    double m_between_nodes_seconds = 0; ///< on top, of a collective that leaves its node, for each further one
    double m_launch_seconds = 0; ///< for each member of a group, beside sends between nodes
    double m_all_to_all_efficiency;
    double m_send_factor;
    double m_send_seconds;
};

} // namespace meshwright

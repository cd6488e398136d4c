// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"
#include "catalog/constants.h"

#include <cstdint>
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
/// Sources: Thakur, Rabenseifner, Gropp 2005 (ring and recursive-doubling bounds); NCCL's tuning model.
class Network {
public:
    Network(const Cluster &cluster, const Assumptions &assumptions);

    /// Also reduce-scatter. @param pieces  collectives that carry the bytes one after another
    double all_gather_seconds(Group group, double bytes, double pieces = 1) const;
    double all_reduce_seconds(Group group, double bytes, double pieces = 1) const; ///< the faster of ring and tree
    /// Each member sends `bytes` in all, an equal share to every member. `copies` (the experts a token goes to) lets a
    /// dispatcher send a token once to a node that holds several of them.
    double all_to_all_seconds(Group group, double bytes, double copies) const;
    /// From one member of a line to the next, as the mean over its boundaries: some lie inside a node, some between.
    double send_seconds(Group line, double bytes) const;

    /// What launching a layer waits for on the host, forward, where a group's collectives are launched beside the sends
    /// of a pipeline that leave the node. Nothing on a quiet network.
    double contended_launch_seconds(Group tensor, Group line) const;

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
        double hop_seconds = 0;
    };
    std::vector<TierLinks> tiers_of(Group group) const;
    /// What a collective of the group adds up: bytes over the bandwidth, hops, launch.
    struct GroupLinks {
        double bandwidth = 0;
        double ring_seconds = 0;
        double tree_seconds = 0;
        double base_seconds = 0;
    };
    GroupLinks links_of(Group group) const;

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
    };
    double members_inside(const Level &level, Group group) const;
    double bus_bandwidth(Group group) const;
    double ring_hops_seconds(Group group) const;
    double tree_hops_seconds(Group group) const;

    std::vector<Level> m_levels;
    double base_seconds(Group group) const;

    double m_base_seconds;
    double m_between_nodes_seconds = 0; ///< on top, of a collective that leaves its node
    double m_launch_seconds = 0; ///< for each member of a group, beside sends between nodes
    double m_all_to_all_efficiency;
    double m_send_factor;
    double m_send_seconds;
};

} // namespace meshwright

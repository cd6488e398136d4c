// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/accelerator.h"
#include "catalog/own_runs.h"
#include "catalog/sources.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// Collectives of which a measured bus bandwidth tells. A reduce-scatter runs as an all-gather does.
enum class Collective { all_reduce, all_gather };
const std::vector<std::string> &collective_names();

/// One line of what nccl-tests prints: ranks that fill the groups of the tier inside, bytes of the whole tensor.
struct BusBandwidth {
    Collective collective = Collective::all_reduce;
    std::int64_t ranks = 2;
    double bytes = 0;
    double bytes_per_second = 0; ///< bytes on the wire a rank, over the time
    bool operator==(const BusBandwidth &) const = default;
};

/// One level of the network inside a site: groups of `accelerators` joined by links of this bandwidth.
struct Tier {
    std::string name;
    std::int64_t accelerators = 1; ///< how many one group of this tier joins; a multiple of the tier inside it
    double bandwidth_bytes_per_second = 0; ///< per accelerator and per direction
    double latency_seconds = 0; ///< one hop
    bool torus = false; ///< an accelerator's links lie along several axes: a group along one of them has no others
    std::vector<BusBandwidth> bus_bandwidth; ///< measured; taken where the cluster's health is "measured"
    bool operator==(const Tier &) const = default;
};

/// From this time on a link has this share of its nominal rate.
struct RatePoint {
    double seconds = 0;
    double share = 1;
    bool operator==(const RatePoint &) const = default;
};

/// The first so many sites that no group before it has taken, with a link of their own. Fields as in Wan.
struct WanGroup {
    std::int64_t sites = 1;
    double uplink_bits_per_second = 0;
    double downlink_bits_per_second = 0;
    double round_trip_seconds = 0;
    bool full_duplex = true;
    double loss_probability = 0;
    std::int64_t streams = 1;
    double jitter_seconds = 0;
    double rate_variation = 0;
    double rate_interval_seconds = 0;
    double rate_correlation = 0;
    std::vector<RatePoint> rate_trace;
    bool operator==(const WanGroup &) const = default;
};

/// The links between sites.
struct Wan {
    double uplink_bits_per_second = 0;
    double downlink_bits_per_second = 0;
    bool full_duplex = true;
    double round_trip_seconds = 0;
    double loss_probability = 0; ///< of a packet
    std::int64_t streams = 1; ///< parallel TCP streams
    double jitter_seconds = 0; ///< mean of the random delay, exponential, that every transfer meets beside the latency
    double rate_variation = 0; ///< standard deviation of a link's rate over its mean; log-normal
    double rate_interval_seconds = 0; ///< how long a rate that is drawn holds; 0: for one transfer
    double rate_correlation = 0; ///< of ln(rate) in one interval with the next
    std::vector<RatePoint> rate_trace; ///< from 0 on, repeated after its last point's time; empty: constant
    std::vector<WanGroup> groups; ///< sites whose links differ
    bool operator==(const Wan &) const = default;
};

/// How well the site's network does against its nominal figures: as they say; as its tiers' measured bus bandwidths
/// say, or where they have none as others have measured well-kept shared networks; as such networks do with problems.
enum class NetworkHealth { nominal, measured, degraded };
const std::vector<std::string> &network_health_names();

/// The machines of a run: identical sites, each a hierarchy of tiers.
struct Cluster {
    std::string id;
    std::string name;
    std::string accelerator_id; ///< empty where the accelerator is given inline
    Accelerator accelerator;
    std::int64_t accelerators_per_node = 8;
    std::vector<Tier> tiers; ///< innermost first; the last one's `accelerators` is the site's size
    std::int64_t sites = 1;
    std::optional<Wan> wan;
    NetworkHealth health = NetworkHealth::nominal;
    MeasuredConstants constants; ///< what measured runs of this machine say in place of the registry
    std::vector<OwnRun> own_runs; ///< those runs; intervals of plans on this machine stand on them before all others
    Sources sources;

    std::int64_t site_accelerators() const { return tiers.empty() ? 1 : tiers.back().accelerators; }
    std::int64_t accelerators() const { return site_accelerators() * sites; }
    /// Index of the innermost tier whose group holds `members` accelerators that stand side by side.
    std::size_t tier_of(std::int64_t members) const;

    bool operator==(const Cluster &) const = default;
};

/// Reads a cluster; its accelerator is looked up in the library or read inline.
void read_fields(FieldReader &reader, Cluster &cluster, const Library &library);
nlohmann::ordered_json to_json(const Cluster &cluster);
nlohmann::ordered_json to_json(const Tier &tier);

} // namespace meshwright

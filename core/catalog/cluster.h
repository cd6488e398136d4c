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

/// Collectives with a measured bus bandwidth. A reduce-scatter is assumed to take as long as an all-gather.
enum class Collective { all_reduce, all_gather };
const std::vector<std::string> &collective_names();

/// One line of nccl-tests output. Ranks fill the groups of the next inner tier first; `bytes` is the size of the whole
/// tensor.
struct BusBandwidth {
    Collective collective = Collective::all_reduce;
    std::int64_t ranks = 2;
    double bytes = 0;
    double bytes_per_second = 0; ///< bus bandwidth: bytes on the wire per rank divided by time
    bool operator==(const BusBandwidth &) const = default;
};

/// One level of the network inside a site: groups of accelerators joined by equal links.
struct Tier {
    std::string name;
    std::int64_t accelerators = 1; ///< accelerators per group; a multiple of the next inner tier's group size
    double bandwidth_bytes_per_second = 0; ///< bandwidth of one accelerator in one direction
    double latency_seconds = 0;
    bool torus = false; ///< whether links are split over axes; a group along one axis uses only that axis's links
    std::vector<BusBandwidth> bus_bandwidth; ///< measurements; used if the cluster's health is "measured"
    bool operator==(const Tier &) const = default;
};

/// From time `seconds` on, a link runs at the fraction `share` of its nominal rate.
struct RatePoint {
    double seconds = 0;
    double share = 1;
    bool operator==(const RatePoint &) const = default;
};

/// Consecutive sites with the same link, which follow the sites of earlier groups. The fields have the same meaning as
/// in Wan.
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
    double loss_probability = 0;
    std::int64_t streams = 1; ///< parallel TCP streams
    double jitter_seconds = 0; ///< mean of an exponentially distributed delay added to the latency of every transfer
    double rate_variation = 0; ///< coefficient of variation of a link's rate, which is log-normal
    double rate_interval_seconds = 0; ///< interval between random draws of the rate; 0: drawn for every transfer
    double rate_correlation = 0; ///< autocorrelation of ln(rate) between consecutive intervals
    /// Fraction of the nominal rate over time, starting at 0 and repeating after the last point; constant if empty.
    std::vector<RatePoint> rate_trace;
    std::vector<WanGroup> groups; ///< groups of sites whose links differ
    bool operator==(const Wan &) const = default;
};

/// Network performance relative to the nominal figures. `nominal`: as specified. `measured`: the tiers' measured bus
/// bandwidths, or if there are none, typical measurements on well-maintained shared networks. `degraded`: as on shared
/// networks with problems.
enum class NetworkHealth { nominal, measured, degraded };
const std::vector<std::string> &network_health_names();

/// Hardware of a run: identical sites, each a hierarchy of network tiers.
struct Cluster {
    std::string id;
    std::string name;
    std::string accelerator_id; ///< empty if the accelerator is given inline
    Accelerator accelerator;
    std::int64_t accelerators_per_node = 8;
    std::vector<Tier> tiers; ///< innermost first; `accelerators` of the last one is the site's size
    std::int64_t sites = 1;
    std::optional<Wan> wan;
    NetworkHealth health = NetworkHealth::nominal;
    MeasuredConstants constants; ///< constants measured on this machine, which override the registry
    std::vector<OwnRun>
        own_runs; ///< measured runs of this machine, preferred to other runs in the intervals of plans on it
    Sources sources;

    // Defined out of line because almost every file of the program copies clusters, as parts of plans.
    Cluster();
    Cluster(const Cluster &cluster);
    Cluster(Cluster &&cluster) noexcept;
    Cluster &operator=(const Cluster &cluster);
    Cluster &operator=(Cluster &&cluster) noexcept;
    ~Cluster();
    bool operator==(const Cluster &cluster) const;

    std::int64_t site_accelerators() const { return tiers.empty() ? 1 : tiers.back().accelerators; }
    std::int64_t accelerators() const { return site_accelerators() * sites; }
    /// Index of the innermost tier whose group contains `members` consecutive accelerators.
    std::size_t tier_of(std::int64_t members) const;
};

/// Reads a cluster; its accelerator is a library id or inline.
void read_fields(FieldReader &reader, Cluster &cluster, const Library &library);
nlohmann::ordered_json to_json(const Cluster &cluster);
nlohmann::ordered_json to_json(const Tier &tier);

} // namespace meshwright

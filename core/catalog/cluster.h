// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/accelerator.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class Library;

/// One level of the network inside a site: groups of `accelerators` joined by links of this bandwidth.
struct Tier {
    std::string name;
    std::int64_t accelerators = 1; ///< how many one group of this tier joins; a multiple of the tier inside it
    double bandwidth_bytes_per_second = 0; ///< per accelerator and per direction
    double latency_seconds = 0; ///< one hop
    bool operator==(const Tier &) const = default;
};

/// The links between sites.
struct Wan {
    double uplink_bits_per_second = 0;
    double downlink_bits_per_second = 0;
    bool full_duplex = true;
    double round_trip_seconds = 0;
    double loss_probability = 0; ///< of a packet
    std::int64_t streams = 1; ///< parallel TCP streams
    bool operator==(const Wan &) const = default;
};

/// How well the site's network does against its nominal figures. Hop latencies of each state are constants of the
/// registry.
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
    std::map<std::string, std::string> sources;

    std::int64_t site_accelerators() const { return tiers.empty() ? 1 : tiers.back().accelerators; }
    std::int64_t accelerators() const { return site_accelerators() * sites; }
    /// Index of the innermost tier whose group holds `members` accelerators that stand side by side.
    std::size_t tier_of(std::int64_t members) const;

    bool operator==(const Cluster &) const = default;
};

/// Reads a cluster; its accelerator is looked up in the library or read inline.
void read_fields(FieldReader &reader, Cluster &cluster, const Library &library);
nlohmann::ordered_json to_json(const Cluster &cluster);

} // namespace meshwright

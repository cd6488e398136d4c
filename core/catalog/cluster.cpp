// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/cluster.h"

#include "catalog/json_values.h"
#include "catalog/library.h"
#include "input/field_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <type_traits>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t largest_site = 10'000'000;
constexpr std::int64_t max_sites = 1'000'000;
constexpr std::size_t max_tiers = 16;
constexpr Range bandwidth_range{1, 1e18};
constexpr Range wan_bits_range{1, 1e18};
constexpr Range latency_range{0, 1000};
constexpr Range collective_bytes_range{1, 1e18};
constexpr std::size_t max_measured = 1000; ///< maximum number of measured bus bandwidths per tier
constexpr Range loss_range{0, 0.999}; ///< packet loss rate; at a rate of 1, nothing would arrive

void read_inline_accelerator(FieldReader &reader, Cluster &cluster) {
    reader.object("accelerator", [&](FieldReader &inner) { read_fields(inner, cluster.accelerator); });
}

void look_accelerator_up(FieldReader &reader, Cluster &cluster, const Library &library) {
    std::string id;
    reader.text("accelerator", id);
    try {
        cluster.accelerator = *library.accelerator(id);
        cluster.accelerator_id = id;
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        reader.problem("accelerator", first.message.text, first.expected.text);
    } catch (const FileError &error) {
        reader.problem("accelerator", error.what(), "expected a valid preset");
    }
}

void read_accelerator(FieldReader &reader, Cluster &cluster, const Library &library) {
    const std::string expected = "expected an accelerator's id or an accelerator object";
    reader.require("accelerator", expected);
    const Json *found = reader.raw("accelerator");
    if (found == nullptr)
        return;
    if (found->is_string())
        look_accelerator_up(reader, cluster, library);
    else if (found->is_object())
        read_inline_accelerator(reader, cluster);
    else
        reader.problem("accelerator", "has the wrong type", expected);
}

/// Whether two measurements with the same number of ranks claim that the larger tensor takes less time.
bool is_out_of_order(const BusBandwidth &one, const BusBandwidth &other) {
    if (one.collective != other.collective || one.ranks != other.ranks)
        return false;
    const bool fewer = one.bytes < other.bytes;
    const BusBandwidth &less = fewer ? one : other;
    const BusBandwidth &more = fewer ? other : one;
    return one.bytes == other.bytes || less.bytes * more.bytes_per_second > more.bytes * less.bytes_per_second;
}

void read_bus_bandwidth(FieldReader &reader, Tier &tier, std::int64_t within) {
    std::size_t lines = 0;
    reader.objects("bus_bandwidth", [&](FieldReader &inner) {
        if (++lines > max_measured)
            return;
        BusBandwidth line;
        for (const char *const key : {"ranks", "bytes", "bytes_per_second"})
            inner.require(key, "expected the number of ranks, the bytes of the whole tensor and the bus bandwidth");
        inner.choice("collective", line.collective, collective_names());
        inner.count("ranks", line.ranks, 2, largest_site);
        inner.number("bytes", line.bytes, collective_bytes_range);
        inner.number("bytes_per_second", line.bytes_per_second, bandwidth_range);
        if (line.ranks <= within || line.ranks % within != 0)
            inner.problem("ranks", fmt::format("{} ranks do not fill groups of {}", line.ranks, within),
                          fmt::format("expected {} times an integer of at least 2", within));
        if (std::any_of(tier.bus_bandwidth.begin(), tier.bus_bandwidth.end(),
                        [&](const BusBandwidth &other) { return is_out_of_order(line, other); }))
            inner.problem("bytes_per_second", "contradicts another entry with the same number of ranks",
                          "expected larger tensors to take at least as long as smaller ones");
        tier.bus_bandwidth.push_back(line);
    });
    if (lines > max_measured)
        reader.problem("bus_bandwidth", fmt::format("has {} entries", lines),
                       fmt::format("expected at most {}", max_measured));
}

void read_tier(FieldReader &reader, Tier &tier, const std::vector<Tier> &inside) {
    tier.name = fmt::format("tier {}", inside.size() + 1);
    tier.latency_seconds = 5e-6;
    reader.text("name", tier.name);
    if (std::any_of(inside.begin(), inside.end(), [&](const Tier &other) { return other.name == tier.name; }))
        reader.problem("name", "is the name of two tiers", "expected a unique name for each tier");
    reader.require("accelerators", "expected the number of accelerators per group of this tier");
    reader.require("bandwidth_bytes_per_second", "expected the bandwidth per accelerator in one direction");
    const std::int64_t within = inside.empty() ? 1 : inside.back().accelerators;
    tier.accelerators = within;
    if (reader.count("accelerators", tier.accelerators, 1, largest_site) && tier.accelerators % within != 0)
        reader.problem("accelerators", fmt::format("{} is not a multiple of {}", tier.accelerators, within),
                       fmt::format("expected a multiple of the next inner tier's {}", within));
    reader.number("bandwidth_bytes_per_second", tier.bandwidth_bytes_per_second, bandwidth_range);
    reader.number("latency_seconds", tier.latency_seconds, latency_range);
    reader.boolean("torus", tier.torus);
    read_bus_bandwidth(reader, tier, within);
}

void read_tiers(FieldReader &reader, Cluster &cluster) {
    const std::string expected = fmt::format("expected 1 to {} tiers, innermost first", max_tiers);
    reader.require("tiers", expected);
    std::vector<Tier> tiers;
    const bool found = reader.objects("tiers", [&](FieldReader &inner) {
        Tier tier;
        if (tiers.size() < max_tiers)
            read_tier(inner, tier, tiers);
        tiers.push_back(std::move(tier));
    });
    if (found && (tiers.empty() || tiers.size() > max_tiers))
        reader.problem("tiers", fmt::format("has {} tiers", tiers.size()), expected);
    tiers.resize(std::min(tiers.size(), max_tiers));
    cluster.tiers = std::move(tiers);
}

bool whole_nodes(std::int64_t site, std::int64_t node) {
    return site % node == 0 || node % site == 0;
}

void read_node(FieldReader &reader, Cluster &cluster) {
    const std::int64_t site = cluster.site_accelerators();
    cluster.accelerators_per_node = cluster.accelerator.accelerators_per_node;
    if (reader.count("accelerators_per_node", cluster.accelerators_per_node, 1, largest_site)) {
        if (!whole_nodes(site, cluster.accelerators_per_node))
            reader.problem("accelerators_per_node",
                           fmt::format("{} is neither a divisor nor a multiple of the site's {} accelerators",
                                       cluster.accelerators_per_node, site),
                           "expected a divisor or a multiple of the site's number of accelerators");
    } else if (!whole_nodes(site, cluster.accelerators_per_node)) {
        cluster.accelerators_per_node = cluster.tiers.front().accelerators;
    }
}

constexpr std::size_t max_trace_points = 100'000;

/// @param least  minimum number of points; 0 lets a group of sites override the default trace with an empty one
void read_rate_trace(FieldReader &reader, std::vector<RatePoint> &into, std::size_t least) {
    const std::string expected = fmt::format("expected 2 to {} points", max_trace_points);
    std::vector<RatePoint> trace;
    std::size_t points = 0;
    const bool found = reader.objects("rate_trace", [&](FieldReader &inner) {
        if (++points > max_trace_points)
            return;
        RatePoint point;
        inner.require("seconds", "expected a time");
        inner.require("share", "expected the fraction of the nominal rate from this time on");
        inner.number("seconds", point.seconds, Range{0, 1e12});
        inner.number("share", point.share, Range{1e-6, 1e6});
        constexpr double shortest =
            1e-3; // the trace repeats for simulated years, over which rounding would erase shorter intervals
        const bool in_order = trace.empty() ? point.seconds == 0 : point.seconds >= trace.back().seconds + shortest;
        if (!in_order)
            inner.problem("seconds", fmt::format("{} s is out of order", point.seconds),
                          "expected 0 for the first point, then intervals of at least 1 ms");
        trace.push_back(point);
    });
    if (found && (points == 1 || points < least || points > max_trace_points))
        reader.problem("rate_trace", fmt::format("has {} points", points), expected);
    if (found)
        into = std::move(trace);
}

/// Reads the fields that the default link and a group's own link have in common.
template <typename Link>
void read_link(FieldReader &reader, Link &link) {
    reader.number("uplink_bits_per_second", link.uplink_bits_per_second, wan_bits_range);
    reader.number("downlink_bits_per_second", link.downlink_bits_per_second, wan_bits_range);
    reader.boolean("full_duplex", link.full_duplex);
    reader.number("round_trip_seconds", link.round_trip_seconds, latency_range);
    reader.number("loss_probability", link.loss_probability, loss_range);
    reader.count("streams", link.streams, 1, 1'000'000);
    reader.number("jitter_seconds", link.jitter_seconds, latency_range);
    reader.number("rate_variation", link.rate_variation, Range{0, 10});
    reader.number("rate_interval_seconds", link.rate_interval_seconds, Range{0, 1e9});
    reader.number("rate_correlation", link.rate_correlation, Range{0, 0.999});
    read_rate_trace(reader, link.rate_trace, std::is_same_v<Link, Wan> ? 2 : 0);
}

void read_wan_groups(FieldReader &reader, Cluster &cluster, Wan &wan) {
    std::int64_t grouped = 0;
    reader.objects("groups", [&](FieldReader &inner) {
        WanGroup group{.sites = 1,
                       .uplink_bits_per_second = wan.uplink_bits_per_second,
                       .downlink_bits_per_second = wan.downlink_bits_per_second,
                       .round_trip_seconds = wan.round_trip_seconds,
                       .full_duplex = wan.full_duplex,
                       .loss_probability = wan.loss_probability,
                       .streams = wan.streams,
                       .jitter_seconds = wan.jitter_seconds,
                       .rate_variation = wan.rate_variation,
                       .rate_interval_seconds = wan.rate_interval_seconds,
                       .rate_correlation = wan.rate_correlation,
                       .rate_trace = wan.rate_trace};
        inner.require("sites", "expected the number of sites with this link");
        inner.count("sites", group.sites, 1, max_sites);
        read_link(inner, group);
        grouped += group.sites;
        wan.groups.push_back(group);
    });
    if (grouped > cluster.sites)
        reader.problem("groups", fmt::format("has {} sites, but the cluster has {}", grouped, cluster.sites),
                       fmt::format("expected at most {} sites", cluster.sites));
}

void read_wan(FieldReader &reader, Cluster &cluster) {
    Wan wan;
    const bool found = reader.object("wan", [&](FieldReader &inner) {
        inner.require("uplink_bits_per_second", "expected the rate at which a site sends");
        inner.require("downlink_bits_per_second", "expected the rate at which a site receives");
        read_link(inner, wan);
        read_wan_groups(inner, cluster, wan);
    });
    if (found)
        cluster.wan = wan;
}

Json trace_to_json(const std::vector<RatePoint> &trace) {
    Json json = Json::array();
    for (const RatePoint &point : trace)
        json.push_back({{"seconds", number_to_json(point.seconds)}, {"share", number_to_json(point.share)}});
    return json;
}

/// Writes a group's link: rates and latency always, other fields only if they differ from the default link.
Json group_to_json(const WanGroup &group, const Wan &wan) {
    Json json{{"sites", group.sites},
              {"uplink_bits_per_second", number_to_json(group.uplink_bits_per_second)},
              {"downlink_bits_per_second", number_to_json(group.downlink_bits_per_second)},
              {"round_trip_seconds", number_to_json(group.round_trip_seconds)}};
    const auto unless_same = [&](const char *key, double value, double of_all) {
        if (value != of_all)
            json[key] = number_to_json(value);
    };
    if (group.full_duplex != wan.full_duplex)
        json["full_duplex"] = group.full_duplex;
    unless_same("loss_probability", group.loss_probability, wan.loss_probability);
    if (group.streams != wan.streams)
        json["streams"] = group.streams;
    unless_same("jitter_seconds", group.jitter_seconds, wan.jitter_seconds);
    unless_same("rate_variation", group.rate_variation, wan.rate_variation);
    unless_same("rate_interval_seconds", group.rate_interval_seconds, wan.rate_interval_seconds);
    unless_same("rate_correlation", group.rate_correlation, wan.rate_correlation);
    if (group.rate_trace != wan.rate_trace)
        json["rate_trace"] = trace_to_json(group.rate_trace);
    return json;
}

Json wan_to_json(const Wan &wan) {
    Json json = Json::object();
    json["uplink_bits_per_second"] = number_to_json(wan.uplink_bits_per_second);
    json["downlink_bits_per_second"] = number_to_json(wan.downlink_bits_per_second);
    json["full_duplex"] = wan.full_duplex;
    json["round_trip_seconds"] = number_to_json(wan.round_trip_seconds);
    json["loss_probability"] = number_to_json(wan.loss_probability);
    json["streams"] = wan.streams;
    const auto unless_ideal = [&](const char *key, double value) {
        if (value != 0)
            json[key] = number_to_json(value);
    };
    unless_ideal("jitter_seconds", wan.jitter_seconds);
    unless_ideal("rate_variation", wan.rate_variation);
    unless_ideal("rate_interval_seconds", wan.rate_interval_seconds);
    unless_ideal("rate_correlation", wan.rate_correlation);
    if (!wan.rate_trace.empty())
        json["rate_trace"] = trace_to_json(wan.rate_trace);
    for (const WanGroup &group : wan.groups)
        json["groups"].push_back(group_to_json(group, wan));
    return json;
}

} // namespace

const std::vector<std::string> &collective_names() {
    static const std::vector<std::string> names{"all_reduce", "all_gather"};
    return names;
}

const std::vector<std::string> &network_health_names() {
    static const std::vector<std::string> names{"nominal", "measured", "degraded"};
    return names;
}

Cluster::Cluster() = default;
Cluster::Cluster(const Cluster &cluster) = default;
Cluster::Cluster(Cluster &&cluster) noexcept = default;
Cluster &Cluster::operator=(const Cluster &cluster) = default;
Cluster &Cluster::operator=(Cluster &&cluster) noexcept = default;
Cluster::~Cluster() = default;
bool Cluster::operator==(const Cluster &cluster) const = default;

std::size_t Cluster::tier_of(std::int64_t members) const {
    const auto found =
        std::find_if(tiers.begin(), tiers.end(), [&](const Tier &tier) { return tier.accelerators >= members; });
    if (found != tiers.end())
        return static_cast<std::size_t>(found - tiers.begin());
    return tiers.empty() ? 0 : tiers.size() - 1;
}

void read_fields(FieldReader &reader, Cluster &cluster, const Library &library) {
    read_schema(reader, "meshwright.cluster/1");
    reader.text("id", cluster.id);
    cluster.name = cluster.id;
    reader.text("name", cluster.name);
    read_accelerator(reader, cluster, library);
    read_tiers(reader, cluster);
    read_node(reader, cluster);
    reader.count("sites", cluster.sites, 1, max_sites);
    read_wan(reader, cluster);
    reader.choice("health", cluster.health, network_health_names());
    read_measured_constants(reader, cluster.constants);
    read_own_runs(reader, cluster.own_runs);
    read_sources(reader, cluster.sources);
}

Json to_json(const Tier &tier) {
    Json json = Json::object();
    json["name"] = tier.name;
    json["accelerators"] = tier.accelerators;
    json["bandwidth_bytes_per_second"] = number_to_json(tier.bandwidth_bytes_per_second);
    json["latency_seconds"] = number_to_json(tier.latency_seconds);
    if (tier.torus)
        json["torus"] = true;
    for (const BusBandwidth &line : tier.bus_bandwidth)
        json["bus_bandwidth"].push_back({{"collective", collective_names()[static_cast<std::size_t>(line.collective)]},
                                         {"ranks", line.ranks},
                                         {"bytes", number_to_json(line.bytes)},
                                         {"bytes_per_second", number_to_json(line.bytes_per_second)}});
    return json;
}

Json to_json(const Cluster &cluster) {
    Json json = Json::object();
    if (!cluster.id.empty())
        json["id"] = cluster.id;
    if (!cluster.name.empty())
        json["name"] = cluster.name;
    json["accelerator"] = cluster.accelerator_id.empty() ? to_json(cluster.accelerator) : Json(cluster.accelerator_id);
    json["accelerators_per_node"] = cluster.accelerators_per_node;
    Json &tiers = json["tiers"] = Json::array();
    for (const Tier &tier : cluster.tiers)
        tiers.push_back(to_json(tier));
    json["sites"] = cluster.sites;
    if (cluster.wan)
        json["wan"] = wan_to_json(*cluster.wan);
    json["health"] = network_health_names()[static_cast<std::size_t>(cluster.health)];
    write_measured_constants(json, cluster.constants);
    write_own_runs(json, cluster.own_runs);
    write_sources(json, cluster.sources);
    return json;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/described_cluster.h"

#include "catalog/architectures.h"
#include "catalog/library.h"
#include "evidence/last_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

namespace meshwright {

namespace {

constexpr double bits_per_byte = 8;
constexpr std::size_t longest_words = 300; // a regular expression would take too long on a longer text

struct SpokenSpeed {
    std::optional<double> device;
    std::optional<double> server;
};

/// Reads a network bandwidth per GPU ("400 Gbps per GPU"), per server, or as number of links times speed.
SpokenSpeed read_speed(const std::string &words) {
    static const std::regex per_device(R"((\d+(?:\.\d+)?)\s*(gb|gb/s|gbps|gbit/s)\b[^,;]*per (?:gpu|accelerator))");
    static const std::regex per_node(R"((\d+(?:\.\d+)?)\s*gbps(?:/| per )node)");
    static const std::regex links_of(R"((\d+)\s*x\s*(hdr|ndr|omnipath|)\s*(\d+)\s*(gb/s|gb|))");
    if (words.size() > longest_words)
        return {};
    const std::string text = lower_case(words);
    std::smatch match;
    if (std::regex_search(text, match, per_device))
        return {.device = std::stod(match[1]) * 1e9 / bits_per_byte};
    if (std::regex_search(text, match, per_node))
        return {.server = std::stod(match[1]) * 1e9 / bits_per_byte};
    for (std::sregex_iterator at(text.begin(), text.end(), links_of), end; at != end; ++at) {
        const double links = std::stod((*at)[1]);
        const double speed = std::stod((*at)[3]);
        const std::string unit = (*at)[4];
        if (((*at)[2].length() == 0 && unit.empty()) || links < 1)
            continue;
        // Up to this number, "gb/s" means gigabytes per second, because no port is that slow in gigabits per second.
        constexpr double fastest_in_bytes = 64;
        const bool in_bytes = unit == "gb/s" && speed <= fastest_in_bytes;
        return {.server = links * speed * 1e9 / (in_bytes ? 1 : bits_per_byte)};
    }
    return {};
}

/// Reads the accelerators per pod slice from a description such as "4 slices of 256".
std::optional<std::int64_t> read_slice_size(const std::string &words) {
    static const std::regex slices(R"(\bslices of (\d{1,6})\b)");
    std::smatch match;
    if (words.size() > longest_words || !std::regex_search(words, match, slices) || std::stoll(match[1]) < 1)
        return std::nullopt;
    return std::stoll(match[1]);
}

std::optional<std::int64_t> slice_size(const std::string &words) {
    thread_local LastAnswer<std::string, std::optional<std::int64_t>> last;
    return last.of(words, read_slice_size);
}

} // namespace

std::optional<double> network_share(const std::string &words, double accelerators_per_node) {
    thread_local LastAnswer<std::string, SpokenSpeed> last;
    const SpokenSpeed speed = last.of(words, read_speed);
    const double share = speed.device.value_or(speed.server.value_or(0) / accelerators_per_node);
    return share > 1e8 && share < 1e12 ? std::optional(share) : std::nullopt;
}

std::optional<Cluster> described_cluster(const MeasuredRun &run, const RunRules &rules, const RunAssumptions &taken,
                                         const Library &library, std::vector<std::string> &assumed) {
    const std::optional<std::string> id = rules.accelerator(run.accelerator);
    if (!id)
        return std::nullopt;
    Cluster cluster;
    cluster.accelerator = *library.accelerator(*id);
    cluster.accelerator_id = *id;
    if (*id != run.accelerator)
        assumed.push_back(fmt::format("accelerator {}", *id));
    const Accelerator &part = cluster.accelerator;
    const auto total = static_cast<std::int64_t>(std::llround(std::clamp(run.accelerators.value_or(1), 1.0, 1e7)));
    const auto node = std::max<std::int64_t>(
        1,
        std::llround(
            std::min(run.accelerators_per_node.value_or(static_cast<double>(part.accelerators_per_node)), 1e6)));
    // A rack-scale domain spans several servers; otherwise the domain ends at the server.
    const bool joins_servers = part.link_domain_accelerators > part.accelerators_per_node;
    const std::int64_t domain =
        std::min(total, slice_size(run.interconnect).value_or(joins_servers ? part.link_domain_accelerators : node));
    cluster.accelerators_per_node = std::min(node, total);
    constexpr double link_latency = 3e-6;
    constexpr double network_latency = 5e-6;
    cluster.tiers.push_back({.name = "links",
                             .accelerators = domain,
                             .bandwidth_bytes_per_second = part.link_bandwidth_bytes_per_second,
                             .latency_seconds = link_latency,
                             .torus = architecture_of(part.architecture).links_in_torus});
    if (total > domain) {
        std::optional<double> share = network_share(run.interconnect, static_cast<double>(node));
        if (!share) {
            share = part.nic_bandwidth_bytes_per_second;
            assumed.push_back(fmt::format("network {:g} GB/s per accelerator", *share / 1e9));
        }
        cluster.tiers.push_back({.name = "network",
                                 .accelerators = total,
                                 .bandwidth_bytes_per_second = *share,
                                 .latency_seconds = network_latency});
    }
    if (!taken.cluster_id.empty() && cluster.tiers.size() > 1) {
        const auto known = library.cluster(taken.cluster_id);
        cluster.tiers.back() = known->tiers.back();
        cluster.tiers.back().accelerators = total;
        cluster.health = known->health;
        return cluster;
    }
    const std::vector<std::string> &states = network_health_names();
    const auto state = std::find(states.begin(), states.end(), taken.health);
    if (state != states.end())
        cluster.health = static_cast<NetworkHealth>(state - states.begin());
    return cluster;
}

} // namespace meshwright

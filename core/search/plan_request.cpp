// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/plan_request.h"

#include "catalog/architectures.h"
#include "catalog/library.h"
#include "catalog/model.h"
#include "catalog/weights.h"
#include "input/diagnostic.h"
#include "plan/plan.h"
#include "quantities/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <sstream>
#include <vector>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t max_accelerators = 10'000'000;
constexpr std::int64_t max_sites = 100'000;
constexpr std::int64_t longest_sequence = 100'000'000;
constexpr double scale_up_latency = 3e-6;
constexpr double network_latency = 5e-6;

void check(const PlanRequest &request) {
    const auto demand = [](bool holds, const char *pointer, const std::string &what, const char *expected) {
        if (!holds)
            throw InputError(pointer, what, expected);
    };
    demand(request.accelerators >= 1 && request.accelerators <= max_accelerators, "/accelerators",
           fmt::format("got {}", request.accelerators), "expected 1 to 10,000,000 accelerators");
    demand(request.sites >= 1 && request.sites <= max_sites, "/sites", fmt::format("got {}", request.sites),
           "expected 1 to 100,000 sites");
    demand(request.sequence_length >= 1 && request.sequence_length <= longest_sequence, "/sequence_length",
           fmt::format("got {}", request.sequence_length), "expected 1 to 100,000,000 tokens");
    const auto positive = [&](const std::optional<double> &value, const char *pointer, const char *expected) {
        demand(!value || (std::isfinite(*value) && *value > 0), pointer, fmt::format("got {:g}", value.value_or(0)),
               expected);
    };
    positive(request.tokens, "/tokens", "expected a positive number of tokens");
    positive(request.days, "/days", "expected a positive number of days");
    positive(request.budget_dollars, "/budget_dollars", "expected a positive number of dollars");
    positive(request.link_bits_per_second, "/link_bits_per_second", "expected a positive rate");
}

Json tier(const char *name, std::int64_t accelerators, double bandwidth, double latency) {
    return {{"name", name},
            {"accelerators", accelerators},
            {"bandwidth_bytes_per_second", bandwidth},
            {"latency_seconds", latency}};
}

/// The scale-up domain, the node if it is larger, and the network. A tier is left out if it joins no more accelerators
/// than the tier below.
Json tiers_of(const Accelerator &accelerator, std::int64_t total) {
    Json tiers = Json::array();
    std::int64_t joined = 1;
    double bandwidth = accelerator.link_bandwidth_bytes_per_second;
    const auto join = [&](const char *name, std::int64_t members, double links, double latency) {
        members = std::min(members, total);
        if (members <= joined || members % joined != 0)
            return;
        bandwidth = links > 0 ? links : bandwidth;
        tiers.push_back(tier(name, members, bandwidth, latency));
        joined = members;
    };
    join("scale-up", accelerator.link_domain_accelerators, accelerator.link_bandwidth_bytes_per_second,
         scale_up_latency);
    if (architecture_of(accelerator.architecture).links_in_torus && !tiers.empty())
        tiers.back()["torus"] = true;
    join("node", accelerator.accelerators_per_node, accelerator.host_bandwidth_bytes_per_second, network_latency);
    join("network", total, accelerator.nic_bandwidth_bytes_per_second, network_latency);
    if (tiers.empty())
        tiers.push_back(tier("scale-up", 1, std::max(bandwidth, 1.0), scale_up_latency));
    return tiers;
}

Json cluster_of(const PlanRequest &request, const Accelerator &accelerator) {
    const std::int64_t total = whole_nodes(accelerator, request.accelerators);
    Json cluster{{"accelerator", request.accelerator},
                 {"accelerators_per_node", std::min(accelerator.accelerators_per_node, total)},
                 {"tiers", tiers_of(accelerator, total)}};
    if (request.sites > 1) {
        cluster["sites"] = request.sites;
        cluster["wan"] = {{"uplink_bits_per_second", request.link_bits_per_second},
                          {"downlink_bits_per_second", request.link_bits_per_second},
                          {"round_trip_seconds", 0.1}};
    }
    return cluster;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

} // namespace

std::int64_t whole_nodes(const Accelerator &accelerator, std::int64_t accelerators) {
    const std::int64_t node = std::max<std::int64_t>(1, accelerator.accelerators_per_node);
    if (accelerators <= node)
        return std::max<std::int64_t>(1, accelerators);
    std::int64_t total = (accelerators + node - 1) / node * node;
    const std::int64_t domain = accelerator.link_domain_accelerators;
    // Fill scale-up domains larger than a node as well, because a tier joins whole groups of the inner tier.
    if (domain > node && total > domain)
        total = (total + domain - 1) / domain * domain;
    return total;
}

/// The word of the name that also starts the id, such as "H100". If that word has no digits, the next word is added.
/// The whole name if there is no such word.
std::string short_name(const Accelerator &accelerator) {
    const std::string head = accelerator.id.substr(0, accelerator.id.find('-'));
    std::istringstream words(accelerator.name);
    for (std::string word; words >> word;) {
        if (lower(word) != head)
            continue;
        const bool numbered = std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
        std::string number;
        return numbered || !(words >> number) ? word : word + ' ' + number;
    }
    return accelerator.name;
}

std::int64_t usual_sequences(double flops, std::int64_t sequence_length, std::int64_t accelerators) {
    const double tokens = 0.2920 * std::pow(std::max(flops, 1.0), 0.3271);
    const double sequences = std::max(1.0, tokens / static_cast<double>(std::max<std::int64_t>(1, sequence_length)));
    const std::int64_t all = std::max<std::int64_t>(1, accelerators);
    const double odd = static_cast<double>(all >> std::countr_zero(static_cast<std::uint64_t>(all)));
    const double doublings = std::floor(std::log2(std::max(1.0, sequences / odd)));
    return static_cast<std::int64_t>(odd * std::exp2(doublings));
}

std::string name_of(const PlanRequest &request, const Library &library) {
    const auto model = library.model(request.model);
    const auto accelerator = library.accelerator(request.accelerator);
    const std::int64_t count = whole_nodes(*accelerator, request.accelerators);
    const std::string where = fmt::format("{} {}", grouped(static_cast<double>(count)), short_name(*accelerator));
    return request.sites > 1 ? fmt::format("{} on {} sites of {}", model->name, request.sites, where)
                             : fmt::format("{} on {}", model->name, where);
}

Json document_of(const PlanRequest &request, const Library &library) {
    check(request);
    const auto accelerator = library.accelerator(request.accelerator);
    const auto model = library.model(request.model);
    const double parameters = parameters_of(*model).active;
    const double tokens = request.tokens.value_or(std::round(20 * parameters)); // Chinchilla, arXiv 2203.15556
    const std::int64_t site = whole_nodes(*accelerator, request.accelerators);
    Json document{{"schema", "meshwright.plan/1"},
                  {"name", name_of(request, library)},
                  {"cluster", cluster_of(request, *accelerator)},
                  {"model", request.model}};
    if (!request.stack.empty())
        document["stack"] = request.stack;
    document["batch"] = {{"sequence_length", request.sequence_length},
                         {"global_sequences", usual_sequences(6 * parameters * tokens, request.sequence_length, site)},
                         {"micro_sequences", 1}};
    if (request.sites > 1)
        document["outer"] = {{"method", "streaming-diloco"}};
    document["run"] = {{"tokens", tokens}};
    return document;
}

} // namespace meshwright

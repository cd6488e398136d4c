// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/definition.h"

#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

constexpr double joining_bits_per_second = 25e9;

std::string against(double equivalents, double threshold) {
    return fmt::format("{:.2f} H100-equivalents, {} the {:g}", equivalents,
                       equivalents > threshold ? "above" : "not above", threshold);
}

} // namespace

std::vector<DefinitionPart> definition_parts(const Plan &plan, double site_equivalents, double total_equivalents,
                                             double threshold) {
    std::vector<DefinitionPart> parts;
    parts.push_back({.part = "stands together",
                     .says = "a site has " + against(site_equivalents, threshold),
                     .joins = true,
                     .above = site_equivalents > threshold});
    if (plan.cluster.sites < 2 || !plan.cluster.wan)
        return parts;
    const Wan &wan = *plan.cluster.wan;
    const double links =
        static_cast<double>(plan.cluster.sites) * std::max(wan.uplink_bits_per_second, wan.downlink_bits_per_second);
    const bool joined = links > joining_bits_per_second;
    parts.push_back(
        {.part = "linked by more than 25 Gb/s",
         .says = fmt::format("the sites' links carry {} each way in all: {}", text_of(links, Quantity::bits_per_second),
                             joined ? "one cluster of " + against(total_equivalents, threshold)
                                    : "not joined by this part"),
         .joins = joined,
         .above = joined && total_equivalents > threshold});
    parts.push_back({.part = "perform workloads together",
                     .says = fmt::format("{} sites train one model: one cluster of {}", plan.cluster.sites,
                                         against(total_equivalents, threshold)),
                     .joins = true,
                     .above = total_equivalents > threshold});
    return parts;
}

} // namespace meshwright

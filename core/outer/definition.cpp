// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/definition.h"

#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

/// @param figure key of the figure for one site or for all sites
Sentence against(double equivalents, double threshold, const char *figure) {
    return filled("{} H100-equivalents, {} the threshold of {}", Sentence{fmt::format("{:.2f}", equivalents), figure},
                  equivalents > threshold ? "above" : "not above",
                  Sentence{fmt::format("{:g}", threshold), "cluster.threshold_h100_equivalents"});
}

} // namespace

double bits_per_second_between_sites(const Plan &plan) {
    const Wan &wan = *plan.cluster.wan;
    return static_cast<double>(plan.cluster.sites) * std::max(wan.uplink_bits_per_second, wan.downlink_bits_per_second);
}

std::vector<DefinitionPart> definition_parts(const Plan &plan, double site_equivalents, double total_equivalents,
                                             double threshold) {
    std::vector<DefinitionPart> parts;
    parts.push_back({.part = "co-located",
                     .says = "a site has " + against(site_equivalents, threshold, "cluster.site_h100_equivalents"),
                     .joins = true,
                     .above = site_equivalents > threshold});
    if (plan.cluster.sites < 2 || !plan.cluster.wan)
        return parts;
    const double links = bits_per_second_between_sites(plan);
    const Sentence all = against(total_equivalents, threshold, "cluster.total_h100_equivalents");
    const bool joined = links > joining_bits_per_second;
    parts.push_back(
        {.part = filled("joined by more than {}", Sentence{"25 Gb/s", "outer.definition.joining_bits_per_second"}),
         .says = filled("the sites' links carry {} per direction in total: {}",
                        Sentence{text_of(links, Quantity::bits_per_second), "outer.definition.bits_per_second"},
                        joined ? "one cluster of " + all : Sentence("not one cluster by this criterion")),
         .joins = joined,
         .above = joined && total_equivalents > threshold});
    parts.push_back({.part = "networked to perform workloads together",
                     .says = filled("{} sites train one model: one cluster of {}", plan.cluster.sites, all),
                     .joins = true,
                     .above = total_equivalents > threshold});
    return parts;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/definition.h"

#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

std::string against(double equivalents, double threshold) {
    return fmt::format("{:.2f} H100-equivalents, {} the {:g}", equivalents,
                       equivalents > threshold ? "above" : "not above", threshold);
}

/// What against() says, of one site or of all.
std::vector<FigureInText> figures_against(double equivalents, double threshold, const char *figure) {
    return {{fmt::format("{:.2f}", equivalents), figure},
            {fmt::format("{:g}", threshold), "cluster.threshold_h100_equivalents"}};
}

} // namespace

double bits_per_second_between_sites(const Plan &plan) {
    const Wan &wan = *plan.cluster.wan;
    return static_cast<double>(plan.cluster.sites) * std::max(wan.uplink_bits_per_second, wan.downlink_bits_per_second);
}

std::vector<DefinitionPart> definition_parts(const Plan &plan, double site_equivalents, double total_equivalents,
                                             double threshold) {
    std::vector<DefinitionPart> parts;
    parts.push_back({.part = "stands together",
                     .says = "a site has " + against(site_equivalents, threshold),
                     .joins = true,
                     .above = site_equivalents > threshold,
                     .figures = figures_against(site_equivalents, threshold, "cluster.site_h100_equivalents")});
    if (plan.cluster.sites < 2 || !plan.cluster.wan)
        return parts;
    const double links = bits_per_second_between_sites(plan);
    const std::vector<FigureInText> all =
        figures_against(total_equivalents, threshold, "cluster.total_h100_equivalents");
    std::vector<FigureInText> linked{{"25 Gb/s", "outer.definition.joining_bits_per_second"},
                                     {text_of(links, Quantity::bits_per_second), "outer.definition.bits_per_second"}};
    const bool joined = links > joining_bits_per_second;
    if (joined)
        linked.insert(linked.end(), all.begin(), all.end());
    parts.push_back(
        {.part = "linked by more than 25 Gb/s",
         .says = fmt::format("the sites' links carry {} each way in all: {}", text_of(links, Quantity::bits_per_second),
                             joined ? "one cluster of " + against(total_equivalents, threshold)
                                    : "not joined by this part"),
         .joins = joined,
         .above = joined && total_equivalents > threshold,
         .figures = std::move(linked)});
    parts.push_back({.part = "perform workloads together",
                     .says = fmt::format("{} sites train one model: one cluster of {}", plan.cluster.sites,
                                         against(total_equivalents, threshold)),
                     .joins = true,
                     .above = total_equivalents > threshold,
                     .figures = all});
    return parts;
}

} // namespace meshwright

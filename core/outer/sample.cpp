// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/sample.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// Groups of the sampled sites. With `sites` samples of `all` sites, sample i is site i x all / sites.
std::vector<WanGroup> groups_of_sample(const std::vector<WanGroup> &groups, std::int64_t all, std::int64_t sites) {
    std::vector<WanGroup> taken;
    std::int64_t end = 0; // number of sites in the groups so far
    std::int64_t next = 0;
    for (const WanGroup &group : groups) {
        end += group.sites;
        const std::int64_t before = next;
        while (next < sites && next * all / sites < end)
            ++next;
        if (next == before)
            continue;
        taken.push_back(group);
        taken.back().sites = next - before;
    }
    return taken;
}

} // namespace

Plan sample_of_sites(const Plan &plan, std::int64_t sites) {
    const std::int64_t all = plan.cluster.sites;
    if (sites >= all)
        return plan;
    Plan sample = plan;
    const double share = static_cast<double>(sites) / static_cast<double>(all);
    const auto fewer = [&](std::int64_t count) {
        return std::clamp<std::int64_t>(std::llround(static_cast<double>(count) * share), 1, sites);
    };
    sample.cluster.sites = sites;
    sample.cluster.wan->groups = groups_of_sample(plan.cluster.wan->groups, all, sites);
    sample.outer.quorum = fewer(plan.outer.quorum);
    Aggregation &aggregation = sample.aggregation;
    aggregation.least_quorum = fewer(plan.aggregation.least_quorum);
    for (std::optional<double> *rate : {&aggregation.ingress_bits_per_second, &aggregation.egress_bits_per_second,
                                        &aggregation.average_parameters_per_second})
        if (*rate)
            **rate *= share;
    return sample;
}

} // namespace meshwright

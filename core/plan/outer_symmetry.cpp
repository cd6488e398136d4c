// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/outer_symmetry.h"

#include <algorithm>

namespace meshwright {

bool is_deterministic(const Plan &plan) {
    const Wan &wan = *plan.cluster.wan;
    const Faults &faults = plan.faults;
    const auto steady = [](const auto &link) { return link.jitter_seconds <= 0 && link.rate_variation <= 0; };
    return steady(wan) && std::all_of(wan.groups.begin(), wan.groups.end(), steady) && faults.site_speed_variation <= 0
        && faults.step_variation <= 0 && !faults.site_mtbf_seconds && plan.aggregation.topology != Topology::gossip;
}

bool are_alike(const Plan &plan) {
    return is_deterministic(plan) && plan.cluster.wan->groups.empty();
}

bool is_slow_to_follow(const Plan &plan) {
    constexpr double updates = 10'000;
    // If one site represents all, the simulation needs only a few rounds to reach steady state, so it can afford more
    // updates per round.
    constexpr double updates_of_one_for_all = 300'000;
    return plan.outer.method != OuterMethod::none && plan.cluster.wan
        && updates_of_a_round(plan) > (are_alike(plan) ? updates_of_one_for_all : updates);
}

double updates_of_a_round(const Plan &plan) {
    const double sites = are_alike(plan) ? 1 : static_cast<double>(plan.cluster.sites);
    const bool shared = plan.aggregation.ingress_bits_per_second || plan.aggregation.egress_bits_per_second;
    // Calculating fair shares of a shared link at least doubles the work.
    const double sharing = shared && sites > 1 ? 2 : 1;
    return sites * static_cast<double>(plan.outer.fragments) * sharing;
}

double updates_under_way(const Plan &plan) {
    return static_cast<double>(plan.outer.fragments) * static_cast<double>(plan.outer.overlap_steps)
        / static_cast<double>(plan.outer.inner_steps);
}

} // namespace meshwright

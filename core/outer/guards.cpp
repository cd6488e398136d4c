// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/guards.h"

#include "formulas/outer_loop.h"
#include "outer/link.h"
#include "outer/traffic.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

std::string reason(const Plan &plan, const OuterGuards &guards, const OuterRun &simulated) {
    if (simulated.away_seconds > 0.01 * simulated.round_seconds)
        return "sites are away for part of the time, which the closed form does not know";
    if (!is_deterministic(plan))
        return "links and steps vary, and the slowest of a quorum is waited for; the closed form knows means alone";
    if (site_link(*plan.cluster.wan, 0).rate.has_trace())
        return "the links' rates follow a trace; the closed form takes them at their nominal rate";
    if (!plan.cluster.wan->groups.empty())
        return "sites differ; the closed form takes the first one for all";
    if (plan.aggregation.topology == Topology::star
        && (plan.aggregation.ingress_bits_per_second || plan.aggregation.egress_bits_per_second))
        return "aggregators are shared, which the closed form does not know";
    if (guards.utilisation < simulated.utilisation)
        return "fragments that are late together are waited for once; the closed form counts each of them";
    return "a queue has not drained when the next fragment is released; the closed form takes every fragment alone";
}

/// Of what sites wait for, the part that the closed form sees.
Sentence limit_of(const Plan &plan, const OuterGuards &guards, double stalls) {
    constexpr double nearly_all = 0.995;
    if (guards.utilisation >= nearly_all)
        return "nothing: updates hide behind computing";
    if (stalls < guards.utilisation_bound)
        return filled("the way of a fragment up and down, {} against the {} of an {}",
                      Sentence{text_of(guards.lag_seconds, Quantity::seconds), "outer.closed_form.lag_seconds"},
                      Sentence{text_of(guards.overlap_seconds, Quantity::seconds), "outer.closed_form.overlap_seconds"},
                      Sentence{fmt::format("overlap of {} step{}", plan.outer.overlap_steps,
                                           plan.outer.overlap_steps == 1 ? "" : "s"),
                               FieldPointer("/outer/overlap_steps")});
    if (!site_link(*plan.cluster.wan, 0).full_duplex)
        return "the rate of the links, both ways in turn";
    return guards.down_seconds > guards.up_seconds ? "the rate of the downlinks" : "the rate of the uplinks";
}

} // namespace

OuterGuards outer_guards(const Plan &plan, double parameters, double step_seconds, const OuterRun *simulated) {
    const Outer &outer = plan.outer;
    const SiteLink link = site_link(*plan.cluster.wan, 0);
    const Traffic traffic = traffic_of(plan, parameters);
    const auto fragments = static_cast<double>(outer.fragments);
    const auto steps = static_cast<double>(outer.inner_steps);
    const double inner = steps * step_seconds;
    const double duplex = link.full_duplex ? 1 : 0;
    const double round_trip = 2 * link.one_way_seconds;
    const bool star = plan.aggregation.topology == Topology::star;
    OuterGuards guards;
    guards.up_seconds = traffic.up_bits / link.uplink_bits_per_second;
    guards.down_seconds = traffic.down_bits / link.downlink_bits_per_second;
    const double together = std::ceil(fragments / steps);
    // Without an aggregator both directions carry the exchange at once, and latencies add up along its hops.
    guards.lag_seconds = star
        ? formula::fragment_lag(guards.up_seconds / fragments, guards.down_seconds / fragments, together, round_trip, 0)
        : together * std::max(guards.up_seconds, guards.down_seconds) / fragments + traffic.hops * link.one_way_seconds;
    const double busy =
        link.full_duplex ? std::max(guards.up_seconds, guards.down_seconds) : guards.up_seconds + guards.down_seconds;
    guards.utilisation_bound =
        busy > 0 ? formula::outer_throughput_bound(inner, guards.up_seconds, guards.down_seconds, duplex) : 1;
    guards.overlap_seconds = static_cast<double>(outer.overlap_steps) * step_seconds;
    const double stalls = outer.late_updates == LateUpdates::wait
        ? formula::lagging_utilisation(inner, fragments, guards.lag_seconds, guards.overlap_seconds)
        : 1;
    guards.utilisation = outer.late_updates == LateUpdates::wait ? std::min(guards.utilisation_bound, stalls) : 1;
    guards.limit = limit_of(plan, guards, stalls);
    guards.least_overlap_steps = formula::inner_steps_to_hide(guards.lag_seconds, step_seconds);
    guards.least_inner_steps = std::max(1.0, formula::inner_steps_to_hide(busy, step_seconds));
    constexpr std::array<double, 5> wanted{0.5, 0.8, 0.9, 0.95, 0.99};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double down = star ? traffic.down_bits : 0; // else the same bits, at the same time
        const double latency = star ? round_trip : traffic.hops * link.one_way_seconds;
        guards.needed[i] = {wanted[i],
                            formula::star_bits_per_second(traffic.up_bits, down, inner, step_seconds, fragments, steps,
                                                          static_cast<double>(outer.overlap_steps), wanted[i], latency,
                                                          star ? duplex : 1)};
    }
    constexpr double agreement = 0.02;
    if (simulated != nullptr && std::abs(simulated->utilisation - guards.utilisation) > agreement)
        guards.remark =
            filled("simulated {}, in closed form {}: {}",
                   Sentence{fmt::format("{:.1f} %", 100 * simulated->utilisation), "outer.utilisation"},
                   Sentence{fmt::format("{:.1f} %", 100 * guards.utilisation), "outer.closed_form.utilisation"},
                   reason(plan, guards, *simulated));
    return guards;
}

} // namespace meshwright

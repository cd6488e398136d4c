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
        return "sites are offline part of the time, which the closed form does not model";
    if (!is_deterministic(plan))
        return "link rates and step times vary, and sites wait for the slowest of a quorum; the closed form uses means";
    if (site_link(*plan.cluster.wan, 0).rate.has_trace())
        return "the link rates follow a trace; the closed form uses the nominal rates";
    if (!plan.cluster.wan->groups.empty())
        return "sites differ; the closed form treats all sites like the first one";
    if (plan.aggregation.topology == Topology::star
        && (plan.aggregation.ingress_bits_per_second || plan.aggregation.egress_bits_per_second))
        return "sites share the aggregators' bandwidth, which the closed form does not model";
    if (guards.utilisation < simulated.utilisation)
        return "one wait can cover several late fragments; the closed form counts it once per fragment";
    return "a link's queue has not drained when the next fragment joins it; the closed form treats fragments "
           "separately";
}

/// Cause of stalls according to the closed form.
Sentence limit_of(const Plan &plan, const OuterGuards &guards, double stalls) {
    constexpr double nearly_all = 0.995;
    if (guards.utilisation >= nearly_all)
        return "nothing: communication fully overlaps with computation";
    if (stalls < guards.utilisation_bound)
        return filled("a fragment's upload and download ({}), of which only {} is hidden by an {}",
                      Sentence{text_of(guards.lag_seconds, Quantity::seconds), "outer.closed_form.lag_seconds"},
                      Sentence{text_of(guards.overlap_seconds, Quantity::seconds), "outer.closed_form.overlap_seconds"},
                      Sentence{fmt::format("overlap of {} step{}", plan.outer.overlap_steps,
                                           plan.outer.overlap_steps == 1 ? "" : "s"),
                               FieldPointer("/outer/overlap_steps")});
    if (!site_link(*plan.cluster.wan, 0).full_duplex)
        return "the link rate (half-duplex)";
    return guards.down_seconds > guards.up_seconds ? "the downlink rate" : "the uplink rate";
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
    // Without an aggregator, both directions transfer at the same time, and latencies add up along the hops.
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
        const double down = star ? traffic.down_bits : 0; // in other topologies, sites receive while they send
        const double latency = star ? round_trip : traffic.hops * link.one_way_seconds;
        guards.needed[i] = {wanted[i],
                            formula::star_bits_per_second(traffic.up_bits, down, inner, step_seconds, fragments, steps,
                                                          static_cast<double>(outer.overlap_steps), wanted[i], latency,
                                                          star ? duplex : 1)};
    }
    constexpr double agreement = 0.02;
    if (simulated != nullptr && std::abs(simulated->utilisation - guards.utilisation) > agreement)
        guards.disagreement = filled("simulation {}, closed form {}: {}",
                                     Sentence{percent_text(simulated->utilisation), "outer.utilisation"},
                                     Sentence{percent_text(guards.utilisation), "outer.closed_form.utilisation"},
                                     reason(plan, guards, *simulated));
    return guards;
}

} // namespace meshwright

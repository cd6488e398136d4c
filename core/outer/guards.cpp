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
Sentence limit_of(const Plan &plan, const OuterGuards &guards) {
    constexpr double nearly_all = 0.995;
    if (guards.utilisation >= nearly_all)
        return "nothing: communication fully overlaps with computation";
    if (guards.stalled_utilisation < guards.utilisation_bound)
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

template <Number N>
BasicClosedForms<N> closed_forms(const Plan &plan, const BasicOuterRound<N> &round) {
    using formula::ceil;
    using formula::max;
    using formula::min;
    using enum Quantity;
    const bool star = plan.aggregation.topology == Topology::star;
    const N together =
        label(ceil(round.fragments / round.inner_steps),
              {"together", "number of fragments whose transfer starts in the same step", Quantity::count, "counted"});
    const auto of_fragment = [&](const N &seconds, std::string_view name, std::string_view title) {
        return label(seconds / round.fragments, {name, title, Quantity::seconds, "fragments of equal size"});
    };
    const N hop_seconds =
        label(round.hops * round.round_trip_seconds / 2,
              {"round_trip_seconds", "total latency of the hops", seconds, "the one-way latencies of the hops add up"});
    BasicClosedForms<N> forms;
    // Without an aggregator, both directions transfer at the same time, and latencies add up along the hops.
    forms.lag_seconds = star
        ? formula::fragment_lag(of_fragment(round.up_seconds, "up_seconds", "uplink transfer time of a fragment"),
                                of_fragment(round.down_seconds, "down_seconds", "downlink transfer time of a fragment"),
                                together, round.round_trip_seconds, N(0))
        : together * max(round.up_seconds, round.down_seconds) / round.fragments + hop_seconds;
    const bool both = value_of(round.full_duplex) != 0;
    const N busy = label(both ? max(round.up_seconds, round.down_seconds) : round.up_seconds + round.down_seconds,
                         {"transfer_seconds", "time per round during which the link is busy", seconds,
                          both ? "both directions transfer at the same time" : "one direction transfers at a time"});
    if (busy > N(0))
        forms.utilisation_bound = formula::outer_throughput_bound(round.inner_seconds, round.up_seconds,
                                                                  round.down_seconds, round.full_duplex);
    forms.overlap_seconds =
        label(round.overlap_steps * round.step_seconds, {"overlap_seconds", "overlap window", seconds});
    const N lag = label(forms.lag_seconds,
                        {"lag_seconds", "round-trip transfer time of a fragment", seconds,
                         "both directions transfer at the same time, and the latencies of the hops are added"});
    if (plan.outer.late_updates == LateUpdates::wait) {
        forms.stalled_utilisation =
            label(formula::lagging_utilisation(round.inner_seconds, round.fragments, lag, forms.overlap_seconds),
                  {"with_stalls", "compute utilization if sites wait for late fragments", share});
        forms.utilisation =
            min(label(forms.utilisation_bound, {"link_allows", "compute utilization that the link allows", share}),
                forms.stalled_utilisation);
    }
    forms.least_overlap_steps = formula::inner_steps_to_hide(lag, round.step_seconds);
    forms.least_inner_steps =
        max(1,
            label(formula::inner_steps_to_hide(busy, round.step_seconds),
                  {"hidden", "number of steps during which a round's traffic is transferred", Quantity::count}));
    constexpr std::array<double, 5> wanted{0.5, 0.8, 0.9, 0.95, 0.99};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto target = read<N>(
            wanted[i], {Origin::constant, "utilisation", "target utilization", share, {}, "assumed: a typical target"});
        // In other topologies, sites receive while they send.
        forms.needed[i] = {wanted[i],
                           formula::star_bits_per_second(
                               round.up_bits, star ? round.down_bits : N(0), round.inner_seconds, round.step_seconds,
                               round.fragments, round.inner_steps, round.overlap_steps, target,
                               star ? round.round_trip_seconds : hop_seconds, star ? round.full_duplex : N(1))};
    }
    return forms;
}
template BasicClosedForms<double> closed_forms(const Plan &, const BasicOuterRound<double> &);
template BasicClosedForms<Traced> closed_forms(const Plan &, const BasicOuterRound<Traced> &);

OuterGuards outer_guards(const Plan &plan, double parameters, double step_seconds, const OuterRun *simulated) {
    const SiteLink link = site_link(*plan.cluster.wan, 0);
    const Traffic traffic = traffic_of(plan, parameters);
    const auto steps = static_cast<double>(plan.outer.inner_steps);
    const BasicOuterRound<double> round{.inner_steps = steps,
                                        .fragments = static_cast<double>(plan.outer.fragments),
                                        .overlap_steps = static_cast<double>(plan.outer.overlap_steps),
                                        .step_seconds = step_seconds,
                                        .inner_seconds = steps * step_seconds,
                                        .up_bits = traffic.up_bits,
                                        .down_bits = traffic.down_bits,
                                        .up_seconds = traffic.up_bits / link.uplink_bits_per_second,
                                        .down_seconds = traffic.down_bits / link.downlink_bits_per_second,
                                        .round_trip_seconds = 2 * link.one_way_seconds,
                                        .hops = traffic.hops,
                                        .full_duplex = link.full_duplex ? 1.0 : 0.0};
    OuterGuards guards{closed_forms(plan, round), round.up_seconds, round.down_seconds, {}, {}};
    guards.limit = limit_of(plan, guards);
    constexpr double agreement = 0.02;
    if (simulated != nullptr && std::abs(simulated->utilisation - guards.utilisation) > agreement)
        guards.disagreement = filled("simulation {}, closed form {}: {}",
                                     Sentence{percent_text(simulated->utilisation), "outer.utilisation"},
                                     Sentence{percent_text(guards.utilisation), "outer.closed_form.utilisation"},
                                     reason(plan, guards, *simulated));
    return guards;
}

} // namespace meshwright

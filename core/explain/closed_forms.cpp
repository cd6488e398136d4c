// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/sites.h"
#include "outer/link.h"
#include "quantities/text.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

Derivation busy_seconds(const SitesContext &sites) {
    const bool both = site_link(*sites.plan.cluster.wan, 0).full_duplex;
    return derived({"transfer_seconds", "time per round during which the link is busy", time},
                   both ? std::max(sites.guards.up_seconds, sites.guards.down_seconds)
                        : sites.guards.up_seconds + sites.guards.down_seconds,
                   both ? "max(up_seconds, down_seconds)" : "up_seconds + down_seconds",
                   both ? "both directions transfer at the same time" : "one direction transfers at a time",
                   {sites.direction_seconds("up"), sites.direction_seconds("down")});
}

/// Time from sending a fragment until its average arrives, without an aggregator. Both directions transfer at the same
/// time, and the latencies of the hops add up.
Derivation hop_lag_seconds(const SitesContext &sites) {
    Derivation together = derived(
        {"together", "number of fragments whose transfer starts in the same step", Quantity::count},
        std::ceil(static_cast<double>(sites.plan.outer.fragments) / static_cast<double>(sites.plan.outer.inner_steps)),
        "ceil(fragments / inner_steps)", "counted", {sites.fragments(), sites.inner_steps()});
    Derivation hops =
        by_simulation({"hops", "number of one-way latencies in sequence"}, sites.traffic.hops, "hops",
                      "messages that depend on one another in an exchange without an aggregator", {sites.sites()});
    return derived({"outer_closed_form_lag_seconds", "round-trip transfer time of a fragment", time},
                   sites.guards.lag_seconds,
                   "together * max(up_seconds, down_seconds) / fragments + hops * round_trip_seconds / 2",
                   "both directions transfer at the same time, and the latencies of the hops are added",
                   {std::move(together), sites.direction_seconds("up"), sites.direction_seconds("down"),
                    sites.fragments(), std::move(hops), sites.round_trip()});
}

Derivation lag_seconds(const SitesContext &sites) {
    if (!sites.is_star())
        return hop_lag_seconds(sites);
    const auto share = [&](const char *way, double seconds) {
        return derived({fmt::format("{}_seconds", way), fmt::format("{}link transfer time of a fragment", way), time},
                       seconds / static_cast<double>(sites.plan.outer.fragments), "round_seconds / fragments",
                       "fragments of equal size",
                       {named("round_seconds", sites.direction_seconds(way)), sites.fragments()});
    };
    return by_formula(
        {"outer_closed_form_lag_seconds", "round-trip transfer time of a fragment", time}, "outer-lag", "lag_seconds",
        {share("up", sites.guards.up_seconds), share("down", sites.guards.down_seconds),
         derived({"together", "number of fragments whose transfer starts in the same step", Quantity::count},
                 std::ceil(static_cast<double>(sites.plan.outer.fragments)
                           / static_cast<double>(sites.plan.outer.inner_steps)),
                 "ceil(fragments / inner_steps)", "counted", {sites.fragments(), sites.inner_steps()}),
         sites.round_trip()});
}

Derivation bound(const SitesContext &sites) {
    const Labelled what{"outer_closed_form_utilisation_bound", "compute utilization that the link allows",
                        Quantity::share};
    if (sites.guards.up_seconds + sites.guards.down_seconds <= 0)
        return derived(what, 1, "1 - transfer_seconds", "nothing is sent", {busy_seconds(sites)});
    return by_formula(
        what, "outer-round", "utilisation_bound",
        {sites.inner_seconds(), sites.direction_seconds("up"), sites.direction_seconds("down"), sites.full_duplex()});
}

Derivation utilisation(const SitesContext &sites) {
    const Labelled what{"outer_closed_form_utilisation", "compute utilization if all sites are identical",
                        Quantity::share};
    if (sites.plan.outer.late_updates != LateUpdates::wait)
        return derived(what, 1, "1 - waiting", "late updates are skipped, so no site waits",
                       {nothing({"waiting", "fraction of time spent waiting for late updates"},
                                "no site waits for late updates", "/outer/late_updates")});
    const double overlap = static_cast<double>(sites.plan.outer.overlap_steps) * sites.step;
    Derivation stalls = by_formula(
        {"with_stalls", "compute utilization if sites wait for late fragments", Quantity::share}, "outer-stalls",
        "utilisation",
        {sites.inner_seconds(), sites.fragments(),
         reference_to("outer_closed_form_lag_seconds", {"lag_seconds", "round-trip transfer time of a fragment", time},
                      sites.guards.lag_seconds),
         derived({"overlap_seconds", "overlap window", time}, overlap, "overlap_steps * step_seconds", "definition",
                 {sites.overlap_steps(), inner_step(sites.context)})});
    return derived(what, sites.guards.utilisation, "min(link_allows, with_stalls)", "the lower of the two utilizations",
                   {reference_to("outer_closed_form_utilisation_bound",
                                 {"link_allows", "compute utilization that the link allows", Quantity::share},
                                 sites.guards.utilisation_bound),
                    std::move(stalls)});
}

Derivation needed(const SitesContext &sites, const NeededRate &rate) {
    const bool star = sites.is_star();
    Derivation latency = star
        ? sites.round_trip()
        : derived(
            {"round_trip_seconds", "total latency of the hops", time},
            sites.traffic.hops * site_link(*sites.plan.cluster.wan, 0).one_way_seconds, "hops * round_trip_seconds / 2",
            "the one-way latencies of the hops add up",
            {by_simulation({"hops", "number of one-way latencies in sequence"}, sites.traffic.hops, "hops",
                           "messages that depend on one another in an exchange without an aggregator", {sites.sites()}),
             sites.round_trip()});
    return by_formula(
        {fmt::format("outer_closed_form_needed_{:.0f}", 100 * rate.utilisation),
         fmt::format("link rate for {} compute utilization", percent_text(rate.utilisation, 0)), bit_rate},
        "outer-star-bandwidth", "bits_per_second",
        {sites.bits("up"),
         star ? sites.bits("down")
              : nothing({"down_bits", "downloaded bits that do not overlap with the upload"},
                        "uplink and downlink transfer at the same time", "/aggregation/topology"),
         sites.inner_seconds(), inner_step(sites.context), sites.fragments(), sites.inner_steps(),
         sites.overlap_steps(), asked_for(rate.utilisation), std::move(latency),
         star ? sites.full_duplex()
              : by_definition({"full_duplex", "1 if a link sends and receives at the same time, otherwise 0"}, 1,
                              "sites send and receive at the same time")});
}

} // namespace

std::vector<Derivation> explain_closed_forms(const SitesContext &sites) {
    Derivation overlap = by_formula(
        {"outer_closed_form_overlap_steps", "minimum overlap steps to hide a fragment's transfer", Quantity::count},
        "outer-round", "overlap_steps",
        {reference_to("outer_closed_form_lag_seconds",
                      {"transfer_seconds", "round-trip transfer time of a fragment", time}, sites.guards.lag_seconds),
         inner_step(sites.context)});
    Derivation hidden =
        by_formula({"hidden", "number of steps during which a round's traffic is transferred", Quantity::count},
                   "outer-round", "overlap_steps", {busy_seconds(sites), inner_step(sites.context)});
    Derivation steps =
        derived({"outer_closed_form_inner_steps", "minimum inner steps to hide a round's traffic", Quantity::count},
                sites.guards.least_inner_steps, "max(1, hidden)", "at least one inner step", {std::move(hidden)});
    Derivation hides = derived(
        {"outer_closed_form_overlap_seconds", "maximum transfer time of a fragment that the overlap can hide", time},
        sites.guards.overlap_seconds, "overlap_steps * step_seconds", "definition",
        {sites.overlap_steps(), inner_step(sites.context)});
    std::vector<Derivation> figures{bound(sites),       utilisation(sites), lag_seconds(sites),
                                    std::move(overlap), std::move(steps),   std::move(hides)};
    for (const NeededRate &rate : sites.guards.needed)
        if (std::isfinite(rate.bits_per_second))
            figures.push_back(needed(sites, rate));
    return figures;
}

} // namespace meshwright

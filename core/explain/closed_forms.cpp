// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/sites.h"
#include "outer/guards.h"
#include "quantities/text.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <cmath>

namespace meshwright {

namespace {

BasicOuterRound<Traced> traced_round(const SitesContext &sites) {
    return {.inner_steps = Traced(sites.inner_steps()),
            .fragments = Traced(sites.fragments()),
            .overlap_steps = Traced(sites.overlap_steps()),
            .step_seconds = Traced(inner_step(sites.context)),
            .inner_seconds = Traced(sites.inner_seconds()),
            .up_bits = Traced(sites.bits("up")),
            .down_bits = Traced(sites.bits("down")),
            .up_seconds = Traced(sites.direction_seconds("up")),
            .down_seconds = Traced(sites.direction_seconds("down")),
            .round_trip_seconds = Traced(sites.round_trip()),
            .hops = Traced(by_simulation(
                {"hops", "number of one-way latencies in sequence"}, sites.traffic.hops, "hops",
                "messages that depend on one another in an exchange without an aggregator", {sites.sites()})),
            .full_duplex = Traced(sites.full_duplex())};
}

} // namespace

std::vector<Derivation> explain_closed_forms(const SitesContext &sites) {
    const BasicClosedForms<Traced> forms = closed_forms(sites.plan, traced_round(sites));
    const auto figure = [](const Traced &number, const char *name, const char *title, Quantity quantity,
                           const char *source = "definition") {
        return number.derivation({std::string("outer_closed_form_") + name, title, quantity}, source);
    };
    std::vector<Derivation> figures{
        figure(forms.utilisation_bound, "utilisation_bound", "compute utilization that the link allows",
               Quantity::share, "nothing is sent"),
        figure(forms.utilisation, "utilisation", "compute utilization if all sites are identical", Quantity::share,
               sites.plan.outer.late_updates == LateUpdates::wait
                   ? "the lower of the two utilizations"
                   : "late updates are skipped, so no site waits for them"),
        figure(forms.lag_seconds, "lag_seconds", "round-trip transfer time of a fragment", time,
               "both directions transfer at the same time, and the latencies of the hops are added"),
        figure(forms.least_overlap_steps, "overlap_steps", "minimum overlap steps to hide a fragment's transfer",
               Quantity::count),
        figure(forms.least_inner_steps, "inner_steps", "minimum inner steps to hide a round's traffic", Quantity::count,
               "at least one inner step"),
        figure(forms.overlap_seconds, "overlap_seconds",
               "maximum transfer time of a fragment that the overlap can hide", time)};
    for (const BasicNeededRate<Traced> &rate : forms.needed)
        if (std::isfinite(rate.bits_per_second.value()))
            figures.push_back(figure(
                rate.bits_per_second, fmt::format("needed_{:.0f}", 100 * rate.utilisation).c_str(),
                fmt::format("link rate needed for {} compute utilization", percent_text(rate.utilisation, 0)).c_str(),
                bit_rate));
    return figures;
}

} // namespace meshwright

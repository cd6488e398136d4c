// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/sites.h"
#include "outer/link.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>

namespace meshwright {

namespace {

/// Whether the direction of a transfer, "up" or "down", leaves the site.
bool is_up(std::string_view way) {
    return way == "up";
}

} // namespace

SitesContext::SitesContext(const ExplainContext &explained)
    : context(explained)
    , plan(explained.plan)
    , outer(*explained.result.outer)
    , parameters(explained.result.parameters.total + explained.result.parameters.mtp)
    , traffic(traffic_of(plan, parameters)) { }

Derivation SitesContext::sites(std::string name) const {
    return named(std::move(name), count_field("sites", "sites", plan.cluster.sites, "/cluster/sites"));
}

Derivation SitesContext::inner_steps() const {
    return count_field("inner_steps", "inner steps", plan.outer.inner_steps, "/outer/inner_steps");
}

Derivation SitesContext::fragments() const {
    return count_field("fragments", "fragments of the model", plan.outer.fragments, "/outer/fragments");
}

Derivation SitesContext::overlap_steps() const {
    return count_field("overlap_steps", "overlap in steps", plan.outer.overlap_steps, "/outer/overlap_steps");
}

Derivation SitesContext::full_duplex() const {
    return plan_field({"full_duplex", "1 if a link sends and receives at the same time, otherwise 0"},
                      site_link(*plan.cluster.wan, 0).full_duplex ? 1 : 0, "/cluster/wan/full_duplex");
}

Derivation SitesContext::round_trip() const {
    const Wan &wan = *plan.cluster.wan;
    return plan_field(
        {"round_trip_seconds", "round-trip time between sites", time}, 2 * site_link(wan, 0).one_way_seconds,
        wan.groups.empty() ? "/cluster/wan/round_trip_seconds" : "/cluster/wan/groups/0/round_trip_seconds");
}

Derivation SitesContext::inner_seconds() const {
    // The closed forms assume that no site is ever absent.
    const Labelled what{"inner_seconds", "compute time per round", time};
    const double whole = static_cast<double>(plan.outer.inner_steps) * inner_step(context).value;
    return std::abs(outer.inner_seconds - whole) <= 1e-9 * whole
        ? reference_to("outer_inner_seconds", what, outer.inner_seconds)
        : by_formula(what, "outer-interval", "seconds", {inner_step(context), inner_steps()});
}

Derivation SitesContext::rounds(std::string name) const {
    return reference_to("outer_rounds", {std::move(name), "outer rounds"}, outer.rounds);
}

Derivation SitesContext::round_seconds(std::string name) const {
    return reference_to("outer_round_seconds", {std::move(name), "time per outer round", time}, outer.round_seconds);
}

Derivation SitesContext::bytes(const char *way) const {
    return reference_to(fmt::format("outer_{}_bytes_per_round", way),
                        {"bytes",
                         is_up(way) ? "data uploaded per site and round" : "data downloaded per site and round",
                         Quantity::bytes},
                        is_up(way) ? outer.up_bytes_per_round : outer.down_bytes_per_round);
}

Derivation SitesContext::bits(const char *way) const {
    return derived({fmt::format("{}_bits", way),
                    is_up(way) ? "bits uploaded per site and round" : "bits downloaded per site and round"},
                   8 * (is_up(way) ? outer.up_bytes_per_round : outer.down_bytes_per_round), "8 * bytes", "definition",
                   {bytes(way)});
}

Derivation SitesContext::direction_seconds(const char *way) const {
    return by_formula(
        {fmt::format("{}_seconds", way), is_up(way) ? "upload time per round" : "download time per round", time},
        "transfer-time", "seconds",
        {bytes(way), carried_rate(context, "bits_per_second", fmt::format("{}link", way).c_str())});
}

Derivation count_field(const char *name, const char *title, std::int64_t number, const char *field) {
    return plan_field({name, title, Quantity::count}, static_cast<double>(number), field);
}

Derivation by_definition(Labelled what, double value, const std::string &how) {
    Derivation known = published(std::move(what), value, {});
    known.source = "physics: " + how;
    return known;
}

Derivation asked_for(double share) {
    Derivation wanted = published({"utilisation", "target utilization", Quantity::share}, share, {});
    wanted.source = "assumed: a typical target";
    return wanted;
}

std::vector<Derivation> explain_sites(const ExplainContext &context) {
    if (!context.result.outer)
        return {};
    const SitesContext sites(context);
    std::vector<Derivation> figures = explain_closed_forms(sites);
    for (std::vector<Derivation> more : {explain_upkeep(sites), explain_quality(sites), explain_stage_a_site(context)})
        std::move(more.begin(), more.end(), std::back_inserter(figures));
    return figures;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/sites.h"
#include "outer/definition.h"
#include "outer/link.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace meshwright {

namespace {

std::vector<Derivation> aggregators(const SitesContext &sites) {
    const Aggregation &aggregation = sites.plan.aggregation;
    const double copies = sites.traffic.re_sparsified ? 4 : 3;
    Derivation memory =
        by_formula({"outer_upkeep_aggregator_memory_bytes", "memory of an aggregator, FP32", Quantity::bytes},
                   "aggregator-memory", "bytes",
                   {sites.context.trained_parameters(),
                    by_definition({"copies", "weights, momentum and sum"}, copies,
                                  sites.traffic.re_sparsified
                                      ? "weights, momentum, sum, and the values that re-sparsification drops"
                                      : "all three")});
    if (aggregation.arrangement == Arrangement::sharded && aggregation.aggregators > 1) {
        const Labelled what{memory.name, memory.title, memory.quantity};
        memory =
            derived(what, sites.upkeep.aggregator_memory_bytes, "whole / aggregators",
                    "the model is divided evenly among the aggregators",
                    {named("whole", std::move(memory)),
                     count_field("aggregators", "aggregators", aggregation.aggregators, "/aggregation/aggregators")});
    }
    const auto mean = [&](const char *way, const char *name, const char *title) {
        return by_formula({fmt::format("outer_upkeep_mean_{}", name), title, bit_rate}, "aggregator-bandwidth",
                          "mean_bits_per_second",
                          {sites.sites(), sites.bytes(way), sites.round_seconds("interval_seconds")});
    };
    const SiteLink link = site_link(*sites.plan.cluster.wan, 0);
    Derivation faster =
        derived({"bits_per_second", "rate of a link's faster direction", bit_rate},
                std::max(link.uplink_bits_per_second, link.downlink_bits_per_second), "max(uplink, downlink)",
                "the higher of uplink and downlink",
                {carried_rate(sites.context, "uplink", "uplink"), carried_rate(sites.context, "downlink", "downlink")});
    Derivation sent =
        by_formula({"outer_upkeep_egress_bytes", "bytes sent to sites in the whole run", Quantity::bytes},
                   "egress-cost", "bytes_sent", {sites.rounds("rounds"), sites.sites(), sites.bytes("down")});
    constexpr double month = 365.25 / 12 * 86400;
    const Labelled price{"outer_upkeep_egress_dollars", "cost of the bytes sent to sites", Quantity::dollars};
    Derivation dollars = aggregation.egress_dollars_per_gigabyte
        ? by_formula(price, "egress-cost", "dollars",
                     {sites.rounds("rounds"), sites.sites(), sites.bytes("down"),
                      plan_field({"dollars_per_gigabyte", "price per GB", Quantity::dollars},
                                 *aggregation.egress_dollars_per_gigabyte, "/aggregation/egress_dollars_per_gigabyte")})
        : by_formula(price, "egress-tiers", "dollars",
                     {named("bytes", sent),
                      derived({"months", "duration of the run in months"},
                              std::max(1e-3, sites.outer.rounds * sites.outer.round_seconds / month),
                              "max(0.001, rounds * round_seconds / month_seconds)", "definition",
                              {sites.rounds("rounds"), sites.round_seconds("round_seconds"),
                               by_definition({"month_seconds", "a twelfth of a year", time}, month,
                                             "a twelfth of 365.25 days")})});
    std::vector<Derivation> figures;
    figures.push_back(std::move(memory));
    figures.push_back(by_formula(
        {"outer_upkeep_aggregator_rate", "total bandwidth of all aggregators with every link busy", bit_rate},
        "aggregator-bandwidth", "bits_per_second", {sites.sites(), std::move(faster)}));
    const double rate = figures.back().value;
    std::vector<Derivation> inputs{reference_to(
        "outer_upkeep_aggregator_rate", {"aggregator_rate", "total bandwidth of all aggregators", bit_rate}, rate)};
    const bool several = aggregation.aggregators > 1;
    if (several)
        inputs.push_back(
            count_field("aggregators", "aggregators", aggregation.aggregators, "/aggregation/aggregators"));
    figures.push_back(
        derived({"outer_upkeep_aggregator_rate_each", "bandwidth of one aggregator with every link busy", bit_rate},
                rate / static_cast<double>(aggregation.aggregators),
                several ? "aggregator_rate / aggregators" : "aggregator_rate",
                several ? "aggregators share the sites' links" : "a single aggregator", std::move(inputs)));
    figures.push_back(mean("up", "ingress", "mean rate into aggregators"));
    figures.push_back(mean("down", "egress", "mean rate out of aggregators"));
    figures.push_back(std::move(sent));
    figures.push_back(std::move(dollars));
    return figures;
}

Derivation rejoin(const SitesContext &sites, Labelled what, double seconds, Derivation rate) {
    const double state = sites.plan.faults.rejoin_bytes_per_parameter;
    const Labelled each{"bytes_per_parameter", "bytes downloaded per parameter before joining", Quantity::bytes};
    Derivation bytes_each = plan_field(each, state, "/faults/rejoin_bytes_per_parameter");
    if (state == Faults{}.rejoin_bytes_per_parameter) {
        bytes_each = published(each, state, {});
        bytes_each.source = "assumed: 16-bit weights, unless the plan states otherwise";
    }
    if (state <= 0)
        return derived(std::move(what), seconds, "0 * bytes_per_parameter", "nothing is downloaded",
                       {std::move(bytes_each)});
    return by_formula(std::move(what), "rejoin-time", "seconds",
                      {sites.context.trained_parameters(), std::move(bytes_each), std::move(rate)});
}

Derivation state_of_a_site(const SitesContext &sites) {
    const double copies = sites.plan.outer.error_feedback ? 3 : 2;
    return by_formula(
        {"outer_upkeep_site_state_bytes", "outer state per site, FP32", Quantity::bytes}, "aggregator-memory", "bytes",
        {sites.context.trained_parameters(),
         derived({"copies", "outer weights, momentum and error feedback"}, copies, "both + error_feedback", "counted",
                 {by_definition({"both", "outer weights and momentum"}, 2, "two values per parameter"),
                  plan_field({"error_feedback", "1 with error feedback, otherwise 0"},
                             sites.plan.outer.error_feedback ? 1 : 0, "/outer/error_feedback")})});
}

Derivation availability(const SitesContext &sites) {
    const Faults &faults = sites.plan.faults;
    const Labelled what{"outer_upkeep_availability", "availability of a site", Quantity::share};
    if (!faults.site_mtbf_seconds)
        return derived(
            what, 1, "1 - away", "sites do not leave",
            {nothing({"away", "fraction of time that a site is absent"}, "none set", "/faults/site_mtbf_seconds")});
    return by_formula(what, "site-availability", "availability",
                      {plan_field({"mtbf_seconds", "mean time between a site's departures", time},
                                  *faults.site_mtbf_seconds, "/faults/site_mtbf_seconds"),
                       plan_field({"repair_seconds", "mean absence", time}, faults.site_recovery_seconds,
                                  "/faults/site_recovery_seconds"),
                       reference_to("outer_upkeep_rejoin_seconds",
                                    {"rejoin_seconds", "time to download the state before rejoining", time},
                                    sites.upkeep.rejoin_seconds)});
}

} // namespace

std::vector<Derivation> explain_upkeep(const SitesContext &sites) {
    std::vector<Derivation> figures = sites.is_star() ? aggregators(sites) : std::vector<Derivation>();
    const Aggregation &aggregation = sites.plan.aggregation;
    figures.push_back(published(
        {"outer_definition_joining_bits_per_second", "link rate above which nodes count as one cluster", bit_rate},
        joining_bits_per_second, "arXiv 2511.10783, article II"));
    figures.push_back(derived(
        {"outer_definition_bits_per_second", "total one-way rate of all sites' links", bit_rate},
        bits_per_second_between_sites(sites.plan), "sites * max(uplink, downlink)", "definition",
        {sites.sites(),
         plan_field({"uplink", "uplink per site", bit_rate}, sites.plan.cluster.wan->uplink_bits_per_second,
                    "/cluster/wan/uplink_bits_per_second"),
         plan_field({"downlink", "downlink per site", bit_rate}, sites.plan.cluster.wan->downlink_bits_per_second,
                    "/cluster/wan/downlink_bits_per_second")}));
    figures.push_back(rejoin(sites,
                             {"outer_upkeep_rejoin_seconds", "time to download the state before rejoining", time},
                             sites.upkeep.rejoin_seconds, carried_rate(sites.context, "bits_per_second", "downlink")));
    Derivation share = carried_rate(sites.context, "bits_per_second", "downlink");
    if (aggregation.egress_bits_per_second) {
        const double least = std::min(share.value,
                                      *aggregation.egress_bits_per_second * static_cast<double>(aggregation.aggregators)
                                          / static_cast<double>(sites.plan.cluster.sites));
        share = derived({"bits_per_second", "rate per site while all sites download", bit_rate}, least,
                        "min(downlink, egress * aggregators / sites)",
                        "the lower of the downlink rate and the site's share of the aggregators' egress",
                        {named("downlink", std::move(share)),
                         plan_field({"egress", "maximum egress of an aggregator", bit_rate},
                                    *aggregation.egress_bits_per_second, "/aggregation/egress_bits_per_second"),
                         count_field("aggregators", "aggregators", aggregation.aggregators, "/aggregation/aggregators"),
                         sites.sites()});
    }
    figures.push_back(rejoin(sites,
                             {"outer_upkeep_first_weights_seconds", "time of the initial download to all sites", time},
                             sites.upkeep.first_weights_seconds, std::move(share)));
    if (sites.upkeep.site_state_bytes > 0) {
        figures.push_back(state_of_a_site(sites));
        figures.push_back(derived(
            {"outer_upkeep_host_bytes_per_second", "host link traffic per accelerator, to the host and back",
             Quantity::bytes_per_second},
            sites.upkeep.host_bytes_per_second, "2 * state / fragments / accelerators / step_seconds",
            "one fragment of the state is read and written per step",
            {reference_to("outer_upkeep_site_state_bytes", {"state", "outer state per site, FP32", Quantity::bytes},
                          sites.upkeep.site_state_bytes),
             sites.fragments(), sites.context.site_accelerators(), inner_step(sites.context)}));
    }
    figures.push_back(availability(sites));
    Derivation quorum = count_field("quorum", "number of sites whose updates complete a round", sites.plan.outer.quorum,
                                    "/outer/quorum");
    figures.push_back(by_formula(
        {"outer_upkeep_quorum_probability", "availability of a quorum", Quantity::share}, "quorum-probability",
        "probability",
        {sites.sites(), quorum,
         reference_to("outer_upkeep_availability", {"availability", "availability of a site", Quantity::share},
                      sites.upkeep.availability)}));
    figures.push_back(by_simulation(
        {"outer_upkeep_availability_for_quorum", "site availability needed for the quorum", Quantity::share},
        sites.upkeep.availability_for_quorum, "least_availability",
        "minimum site availability for this quorum availability, found by bisection",
        {sites.sites(), std::move(quorum), asked_for(0.99)}));
    return figures;
}

} // namespace meshwright

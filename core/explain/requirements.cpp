// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/requirements.h"
#include "explain/sites.h"
#include "outer/definition.h"

#include "explain/quantity_names.h"

#include <iterator>
#include <string>

namespace meshwright {

namespace {

BasicOuterLoad<Traced> traced_load(const SitesContext &sites) {
    const auto rate = [&](const char *way) { return Traced(carried_rate(sites.context, way, way)); };
    return {.parameters = Traced(sites.context.trained_parameters()),
            .sites = Traced(sites.sites()),
            .fragments = Traced(sites.fragments()),
            .accelerators = Traced(sites.context.site_accelerators()),
            .step_seconds = Traced(inner_step(sites.context)),
            .round_seconds = Traced(sites.round_seconds("round_seconds")),
            .rounds = Traced(sites.rounds("rounds")),
            .up_bytes = Traced(sites.bytes("up")),
            .down_bytes = Traced(sites.bytes("down")),
            .uplink_bits_per_second = rate("uplink"),
            .downlink_bits_per_second = rate("downlink")};
}

Derivation figure(const Traced &number, const char *name, const char *title, Quantity quantity,
                  const char *source = "definition") {
    return number.derivation({std::string("outer_upkeep_") + name, title, quantity}, source);
}

std::vector<Derivation> aggregators(const SitesContext &sites, const BasicOuterRequirements<Traced> &upkeep) {
    const bool several = sites.plan.aggregation.aggregators > 1;
    return {figure(upkeep.aggregator_memory_bytes, "aggregator_memory_bytes", "memory of an aggregator, FP32",
                   Quantity::bytes, "the model is divided evenly among the aggregators"),
            figure(upkeep.aggregator_bits_per_second, "aggregator_rate",
                   "total bandwidth of all aggregators with every link busy", bit_rate),
            figure(upkeep.aggregator_bits_each, "aggregator_rate_each",
                   "bandwidth of one aggregator with every link busy", bit_rate,
                   several ? "aggregators share the sites' links" : "a single aggregator"),
            figure(upkeep.mean_ingress_bits_per_second, "mean_ingress", "mean rate into aggregators", bit_rate),
            figure(upkeep.mean_egress_bits_per_second, "mean_egress", "mean rate out of aggregators", bit_rate),
            figure(upkeep.egress_bytes, "egress_bytes", "bytes sent to sites in the whole run", Quantity::bytes),
            figure(upkeep.egress_dollars, "egress_dollars", "cost of the bytes sent to sites", Quantity::dollars)};
}

Derivation bits_between_sites(const SitesContext &sites) {
    const Wan &wan = *sites.plan.cluster.wan;
    return derived({"outer_definition_bits_per_second", "total one-way rate of all sites' links", bit_rate},
                   bits_per_second_between_sites(sites.plan), "sites * max(uplink, downlink)", "definition",
                   {sites.sites(),
                    plan_field({"uplink", "uplink per site", bit_rate}, wan.uplink_bits_per_second,
                               "/cluster/wan/uplink_bits_per_second"),
                    plan_field({"downlink", "downlink per site", bit_rate}, wan.downlink_bits_per_second,
                               "/cluster/wan/downlink_bits_per_second")});
}

} // namespace

std::vector<Derivation> explain_upkeep(const SitesContext &sites) {
    const BasicOuterRequirements<Traced> upkeep =
        requirements_of(sites.plan, traced_load(sites), sites.traffic.re_sparsified);
    std::vector<Derivation> figures = sites.is_star() ? aggregators(sites, upkeep) : std::vector<Derivation>();
    figures.push_back(published(
        {"outer_definition_joining_bits_per_second", "link rate above which nodes count as one cluster", bit_rate},
        joining_bits_per_second, "arXiv 2511.10783, article II"));
    figures.push_back(bits_between_sites(sites));
    figures.push_back(figure(upkeep.rejoin_seconds, "rejoin_seconds", "time to download the state before rejoining",
                             time, "nothing is downloaded"));
    figures.push_back(figure(upkeep.first_weights_seconds, "first_weights_seconds",
                             "time of the initial download to all sites", time, "nothing is downloaded"));
    if (upkeep.site_state_bytes > 0) {
        figures.push_back(
            figure(upkeep.site_state_bytes, "site_state_bytes", "outer state per site, FP32", Quantity::bytes));
        figures.push_back(figure(upkeep.host_bytes_per_second, "host_bytes_per_second",
                                 "host link traffic per accelerator, to the host and back", Quantity::bytes_per_second,
                                 "one fragment of the state is read and written per step"));
    }
    figures.push_back(
        figure(upkeep.availability, "availability", "availability of a site", Quantity::share, "sites do not leave"));
    figures.push_back(
        figure(upkeep.quorum_probability, "quorum_probability", "availability of a quorum", Quantity::share));
    const double wanted = 0.99;
    figures.push_back(by_simulation(
        {"outer_upkeep_availability_for_quorum", "site availability needed for the quorum", Quantity::share},
        availability_for(static_cast<double>(sites.plan.cluster.sites), static_cast<double>(sites.plan.outer.quorum),
                         wanted),
        "least_availability", "minimum site availability for this quorum availability, found by bisection",
        {sites.sites(),
         count_field("quorum", "number of sites whose updates complete a round", sites.plan.outer.quorum,
                     "/outer/quorum"),
         asked_for(wanted)}));
    return figures;
}

} // namespace meshwright

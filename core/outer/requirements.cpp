// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/requirements.h"

#include "formulas/checkpoints.h"
#include "formulas/costs.h"
#include "formulas/outer_loop.h"
#include "formulas/wan.h"
#include "outer/link.h"
#include "outer/traffic.h"

namespace meshwright {

namespace {

constexpr double full_precision_bytes = 4;

template <Number N>
N aggregator_count(const Aggregation &aggregation) {
    return read<N>(static_cast<double>(aggregation.aggregators),
                   {Origin::plan, "aggregators", "aggregators", Quantity::count, "/aggregation/aggregators"});
}

template <Number N>
N egress_dollars(const Aggregation &aggregation, const BasicOuterLoad<N> &load, const N &bytes_sent) {
    using formula::max;
    if (aggregation.egress_dollars_per_gigabyte)
        return formula::egress_dollars(load.rounds, load.sites, load.down_bytes,
                                       read<N>(*aggregation.egress_dollars_per_gigabyte,
                                               {Origin::plan, "dollars_per_gigabyte", "price per GB", Quantity::dollars,
                                                "/aggregation/egress_dollars_per_gigabyte"}));
    constexpr double month = 365.25 / 12 * 86400;
    const auto month_seconds = read<N>(month,
                                       {Origin::constant,
                                        "month_seconds",
                                        "a twelfth of a year",
                                        Quantity::seconds,
                                        {},
                                        "physics: a twelfth of 365.25 days"});
    return formula::tiered_egress_dollars(bytes_sent,
                                          label(max(1e-3, load.rounds * load.round_seconds / month_seconds),
                                                {"months", "duration of the run in months", Quantity::number}));
}

template <Number N>
void add_aggregators(BasicOuterRequirements<N> &requirements, const Aggregation &aggregation,
                     const BasicOuterLoad<N> &load, bool re_sparsified) {
    using formula::max;
    const auto copies =
        read<N>(re_sparsified ? 4 : 3,
                {Origin::constant,
                 "copies",
                 "weights, momentum and sum",
                 Quantity::number,
                 {},
                 re_sparsified ? "physics: weights, momentum, sum, and the values that re-sparsification drops"
                               : "physics: all three"});
    const N whole = formula::aggregator_memory(load.parameters, copies, N(full_precision_bytes));
    const bool several = aggregation.aggregators > 1;
    requirements.aggregator_memory_bytes = several && aggregation.arrangement == Arrangement::sharded
        ? 1 / aggregator_count<N>(aggregation) * label(whole, {"whole", "memory for the whole model", Quantity::bytes})
        : whole;
    const N faster = label(max(load.uplink_bits_per_second, load.downlink_bits_per_second),
                           {"bits_per_second", "rate of a link's faster direction", Quantity::bits_per_second,
                            "the higher of uplink and downlink"});
    requirements.aggregator_bits_per_second = formula::aggregator_bits(load.sites, faster);
    const N all = label(requirements.aggregator_bits_per_second,
                        {"aggregator_rate", "total bandwidth of all aggregators", Quantity::bits_per_second});
    requirements.aggregator_bits_each = several ? all / aggregator_count<N>(aggregation) : all;
    requirements.mean_ingress_bits_per_second =
        formula::aggregator_mean_bits(load.sites, load.up_bytes, load.round_seconds);
    requirements.mean_egress_bits_per_second =
        formula::aggregator_mean_bits(load.sites, load.down_bytes, load.round_seconds);
    requirements.egress_bytes = formula::egress_bytes(load.rounds, load.sites, load.down_bytes);
    requirements.egress_dollars = egress_dollars(aggregation, load, requirements.egress_bytes);
}

template <Number N>
void add_downloads(BasicOuterRequirements<N> &requirements, const Plan &plan, const BasicOuterLoad<N> &load) {
    using formula::min;
    const double bytes_each = plan.faults.rejoin_bytes_per_parameter;
    if (bytes_each <= 0)
        return;
    const bool is_default = bytes_each == Faults{}.rejoin_bytes_per_parameter;
    const auto state = read<N>(bytes_each,
                               {is_default ? Origin::constant : Origin::plan, "bytes_per_parameter",
                                "bytes downloaded per parameter before joining", Quantity::bytes,
                                is_default ? "" : "/faults/rejoin_bytes_per_parameter",
                                is_default ? "assumed: 16-bit weights, unless the plan states otherwise" : ""});
    const N &downlink = load.downlink_bits_per_second;
    requirements.rejoin_seconds = formula::rejoin_seconds(load.parameters, state, downlink);
    const auto &egress = plan.aggregation.egress_bits_per_second;
    const N share = egress
        ? label(min(downlink,
                    read<N>(*egress,
                            {Origin::plan, "egress", "maximum egress of an aggregator", Quantity::bits_per_second,
                             "/aggregation/egress_bits_per_second"})
                        * aggregator_count<N>(plan.aggregation) / load.sites),
                {"bits_per_second", "rate per site while all sites download", Quantity::bits_per_second,
                 "the lower of the downlink rate and the site's share of the aggregators' egress"})
        : downlink;
    requirements.first_weights_seconds = formula::rejoin_seconds(load.parameters, state, share);
}

template <Number N>
void add_state(BasicOuterRequirements<N> &requirements, const Plan &plan, const BasicOuterLoad<N> &load) {
    if (plan.outer.method != OuterMethod::diloco && plan.outer.method != OuterMethod::streaming_diloco)
        return;
    const auto both = read<N>(2,
                              {Origin::constant,
                               "both",
                               "outer weights and momentum",
                               Quantity::number,
                               {},
                               "physics: two values per parameter"});
    const auto feedback = read<N>(plan.outer.error_feedback ? 1 : 0,
                                  {Origin::plan, "error_feedback", "1 with error feedback, otherwise 0",
                                   Quantity::number, "/outer/error_feedback"});
    requirements.site_state_bytes = formula::aggregator_memory(
        load.parameters,
        label(both + feedback, {"copies", "outer weights, momentum and error feedback", Quantity::number, "counted"}),
        N(full_precision_bytes));
    const N state = label(requirements.site_state_bytes, {"state", "outer state per site, FP32", Quantity::bytes});
    requirements.host_bytes_per_second = 2 * (state / load.fragments) / load.accelerators / load.step_seconds;
}

template <Number N>
void add_availability(BasicOuterRequirements<N> &requirements, const Plan &plan, const BasicOuterLoad<N> &load) {
    const Faults &faults = plan.faults;
    if (faults.site_mtbf_seconds)
        requirements.availability =
            formula::availability(read<N>(*faults.site_mtbf_seconds,
                                          {Origin::plan, "mtbf_seconds", "mean time between a site's departures",
                                           Quantity::seconds, "/faults/site_mtbf_seconds"}),
                                  read<N>(faults.site_recovery_seconds,
                                          {Origin::plan, "repair_seconds", "mean absence", Quantity::seconds,
                                           "/faults/site_recovery_seconds"}),
                                  requirements.rejoin_seconds);
    requirements.quorum_probability = formula::quorum_probability(
        load.sites,
        read<N>(static_cast<double>(plan.outer.quorum),
                {Origin::plan, "quorum", "number of sites whose updates complete a round", Quantity::count,
                 "/outer/quorum"}),
        label(requirements.availability, {"availability", "availability of a site", Quantity::share}));
}

} // namespace

template <Number N>
BasicOuterRequirements<N> requirements_of(const Plan &plan, const BasicOuterLoad<N> &load, bool re_sparsified) {
    BasicOuterRequirements<N> requirements;
    if (plan.aggregation.topology == Topology::star)
        add_aggregators(requirements, plan.aggregation, load, re_sparsified);
    add_downloads(requirements, plan, load);
    add_state(requirements, plan, load);
    add_availability(requirements, plan, load);
    return requirements;
}
template BasicOuterRequirements<double> requirements_of(const Plan &, const BasicOuterLoad<double> &, bool);
template BasicOuterRequirements<Traced> requirements_of(const Plan &, const BasicOuterLoad<Traced> &, bool);

double availability_for(double sites, double quorum, double wanted) {
    double low = 0, high = 1;
    for (int halving = 0; halving < 40; ++halving) {
        const double middle = (low + high) / 2;
        (formula::quorum_probability(sites, quorum, middle) < wanted ? low : high) = middle;
    }
    return high;
}

OuterRequirements outer_requirements(const Plan &plan, double parameters, double step_seconds, double round_seconds,
                                     double rounds) {
    const Traffic traffic = traffic_of(plan, parameters);
    const SiteLink link = site_link(*plan.cluster.wan, 0);
    const auto sites = static_cast<double>(plan.cluster.sites);
    const BasicOuterLoad<double> load{.parameters = parameters,
                                      .sites = sites,
                                      .fragments = static_cast<double>(plan.outer.fragments),
                                      .accelerators = static_cast<double>(plan.site_accelerators()),
                                      .step_seconds = step_seconds,
                                      .round_seconds = round_seconds,
                                      .rounds = rounds,
                                      .up_bytes = traffic.up_bits / 8,
                                      .down_bytes = traffic.down_bits / 8,
                                      .uplink_bits_per_second = link.uplink_bits_per_second,
                                      .downlink_bits_per_second = link.downlink_bits_per_second};
    return {requirements_of(plan, load, traffic.re_sparsified),
            availability_for(sites, static_cast<double>(plan.outer.quorum), 0.99)};
}

} // namespace meshwright

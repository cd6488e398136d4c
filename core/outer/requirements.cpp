// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/requirements.h"

#include "formulas/outer_loop.h"
#include "formulas/wan.h"
#include "outer/link.h"
#include "outer/traffic.h"

#include <algorithm>

namespace meshwright {

namespace {

constexpr double full_precision_bytes = 4;
constexpr double month_seconds = 365.25 / 12 * 86400;

void add_aggregators(OuterRequirements &requirements, const Plan &plan, const Traffic &traffic, double parameters,
                     double round_seconds, double rounds) {
    const Aggregation &aggregation = plan.aggregation;
    if (aggregation.topology != Topology::star)
        return;
    const auto sites = static_cast<double>(plan.cluster.sites);
    const SiteLink link = site_link(*plan.cluster.wan, 0);
    const double copies = 3 + (traffic.re_sparsified ? 1 : 0);
    const double part =
        aggregation.arrangement == Arrangement::sharded ? 1 / static_cast<double>(aggregation.aggregators) : 1;
    requirements.aggregator_memory_bytes = part * formula::aggregator_memory(parameters, copies, full_precision_bytes);
    requirements.aggregator_bits_per_second =
        formula::aggregator_bits(sites, std::max(link.uplink_bits_per_second, link.downlink_bits_per_second));
    requirements.mean_ingress_bits_per_second =
        formula::aggregator_mean_bits(sites, traffic.up_bits / 8, round_seconds);
    requirements.mean_egress_bits_per_second =
        formula::aggregator_mean_bits(sites, traffic.down_bits / 8, round_seconds);
    requirements.egress_bytes = rounds * sites * traffic.down_bits / 8;
    constexpr double gigabyte = 1e9;
    requirements.egress_dollars = aggregation.egress_dollars_per_gigabyte
        ? requirements.egress_bytes / gigabyte * *aggregation.egress_dollars_per_gigabyte
        : formula::tiered_egress_dollars(requirements.egress_bytes,
                                         std::max(1e-3, rounds * round_seconds / month_seconds));
}

} // namespace

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
    OuterRequirements requirements;
    const Traffic traffic = traffic_of(plan, parameters);
    const SiteLink link = site_link(*plan.cluster.wan, 0);
    const Faults &faults = plan.faults;
    const auto sites = static_cast<double>(plan.cluster.sites);
    add_aggregators(requirements, plan, traffic, parameters, round_seconds, rounds);
    const double state = faults.rejoin_bytes_per_parameter;
    if (state > 0) {
        double share = link.downlink_bits_per_second;
        requirements.rejoin_seconds = formula::rejoin_seconds(parameters, state, share);
        if (const auto &egress = plan.aggregation.egress_bits_per_second)
            share = std::min(share, *egress * static_cast<double>(plan.aggregation.aggregators) / sites);
        requirements.first_weights_seconds = formula::rejoin_seconds(parameters, state, share);
    }
    const bool diloco = plan.outer.method == OuterMethod::diloco || plan.outer.method == OuterMethod::streaming_diloco;
    if (diloco) {
        const double copies = 2 + (plan.outer.error_feedback ? 1 : 0);
        requirements.site_state_bytes = parameters * copies * full_precision_bytes;
        const double fragment = requirements.site_state_bytes / static_cast<double>(plan.outer.fragments);
        requirements.host_bytes_per_second =
            2 * fragment / static_cast<double>(plan.site_accelerators()) / step_seconds;
    }
    if (faults.site_mtbf_seconds)
        requirements.availability = *faults.site_mtbf_seconds
            / (*faults.site_mtbf_seconds + faults.site_recovery_seconds + requirements.rejoin_seconds);
    const auto quorum = static_cast<double>(plan.outer.quorum);
    requirements.quorum_probability = formula::quorum_probability(sites, quorum, requirements.availability);
    requirements.availability_for_quorum = availability_for(sites, quorum, 0.99);
    return requirements;
}

} // namespace meshwright

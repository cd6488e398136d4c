// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/traced.h"
#include "plan/plan.h"

namespace meshwright {

/// The run's numbers on which the outer loop's requirements depend.
template <Number N>
struct BasicOuterLoad {
    N parameters = 0; ///< synchronized parameters
    N sites = 1;
    N fragments = 1;
    N accelerators = 1; ///< per site
    N step_seconds = 0; ///< time per inner step
    N round_seconds = 0; ///< time per round, including stalls
    N rounds = 0; ///< rounds of the run
    N up_bytes = 0; ///< sent per site and round
    N down_bytes = 0;
    N uplink_bits_per_second = 0;
    N downlink_bits_per_second = 0;
};

/// Requirements of the outer loop in addition to the sites' links: aggregators, memory, downloads by joining sites, and
/// egress cost.
template <Number N>
struct BasicOuterRequirements {
    /// bytes per aggregator for FP32 weights, momentum, the sum of updates, and error feedback on the average
    N aggregator_memory_bytes = 0;
    /// Total rate of all aggregators in one direction if every link is saturated.
    N aggregator_bits_per_second = 0;
    N aggregator_bits_each = 0; ///< the same rate for one aggregator
    N mean_ingress_bits_per_second = 0; ///< mean receive rate of all aggregators together
    N mean_egress_bits_per_second = 0;
    N egress_bytes = 0; ///< bytes that leave the sites over the whole run
    N egress_dollars = 0;
    N first_weights_seconds = 0; ///< time from the start until the last site has downloaded the initial weights
    N rejoin_seconds = 0; ///< time for one site to download the current weights and rejoin
    /// FP32 outer weights, momentum and, if enabled, error feedback, summed over all accelerators.
    N site_state_bytes = 0;
    /// Required read and write rate on an accelerator's host link, for one fragment per step.
    N host_bytes_per_second = 0;
    N availability = 1; ///< fraction of time that a site is available
    N quorum_probability = 1;
};
/// @param re_sparsified  whether the aggregator sends fewer values than the summed updates contain
template <Number N>
BasicOuterRequirements<N> requirements_of(const Plan &plan, const BasicOuterLoad<N> &load, bool re_sparsified);

struct OuterRequirements : BasicOuterRequirements<double> {
    double availability_for_quorum = 0; ///< site availability at which a quorum is available 99% of the time
};

/// @param parameters synchronized parameters
/// @param step_seconds time per inner step
/// @param round_seconds time per round, including stalls
/// @param rounds rounds of the run
OuterRequirements outer_requirements(const Plan &plan, double parameters, double step_seconds, double round_seconds,
                                     double rounds);

/// Minimum availability of each site at which a quorum is available for the given fraction of the time. Found by
/// bisection.
double availability_for(double sites, double quorum, double wanted);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Requirements of the outer loop in addition to the sites' links: aggregators, memory, downloads by joining sites, and
/// egress cost.
struct OuterRequirements {
    /// bytes per aggregator for FP32 weights, momentum, the sum of updates, and error feedback on the average
    double aggregator_memory_bytes = 0;
    /// Total rate of all aggregators in one direction if every link is saturated.
    double aggregator_bits_per_second = 0;
    double mean_ingress_bits_per_second = 0; ///< mean receive rate of all aggregators together
    double mean_egress_bits_per_second = 0;
    double egress_bytes = 0; ///< bytes that leave the sites over the whole run
    double egress_dollars = 0;
    double first_weights_seconds = 0; ///< time from the start until the last site has downloaded the initial weights
    double rejoin_seconds = 0; ///< time for one site to download the current weights and rejoin
    /// FP32 outer weights, momentum and, if enabled, error feedback, summed over all accelerators.
    double site_state_bytes = 0;
    /// Required read and write rate on an accelerator's host link, for one fragment per step.
    double host_bytes_per_second = 0;
    double availability = 1; ///< fraction of time that a site is available
    double quorum_probability = 1;
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

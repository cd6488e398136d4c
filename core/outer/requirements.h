// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// What the outer loop needs beside the sites' links: aggregators, memory, the way in for sites, and money.
struct OuterRequirements {
    double aggregator_memory_bytes = 0; ///< of one: FP32 weights, momentum and sum, and what it leaves out of averages
    double aggregator_bits_per_second = 0; ///< each way with every link full, all aggregators
    double mean_ingress_bits_per_second = 0; ///< all aggregators
    double mean_egress_bits_per_second = 0;
    double egress_bytes = 0; ///< of the whole run
    double egress_dollars = 0;
    double first_weights_seconds = 0; ///< until the last site has what it starts from
    double rejoin_seconds = 0; ///< one site alone
    double site_state_bytes = 0; ///< FP32 outer weights, momentum and, where kept, error feedback, of all accelerators
    double host_bytes_per_second =
        0; ///< to read and write that an accelerator's link to its host needs, a fragment a step
    double availability = 1; ///< share of the time that a site is there
    double quorum_probability = 1; ///< that a quorum is there
    double availability_for_quorum = 0; ///< with which it is there 99 % of the time
};

/// @param parameters     that are synchronised
/// @param step_seconds   of one inner step
/// @param round_seconds  of one round, stalls included
/// @param rounds         of the run
OuterRequirements outer_requirements(const Plan &plan, double parameters, double step_seconds, double round_seconds,
                                     double rounds);

/// The least chance of each site to be there with which a quorum is there for a wanted share of the time, by bisection.
double availability_for(double sites, double quorum, double wanted);

} // namespace meshwright

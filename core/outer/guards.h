// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/simulation.h"
#include "plan/plan.h"
#include "quantities/sentence.h"

#include <array>

namespace meshwright {

/// Link rate per direction that a site needs for a given compute utilization.
struct NeededRate {
    double utilisation = 0;
    double bits_per_second = 0; ///< infinite if no rate is sufficient
};

/// Closed forms for the outer loop, which complement the simulation. They assume identical sites without randomness.
struct OuterGuards {
    double up_seconds = 0; ///< time to upload the updates of one round
    double down_seconds = 0;
    double lag_seconds = 0; ///< time from sending a fragment until its average is received
    double overlap_seconds = 0; ///< the part of the lag that the overlap hides
    double utilisation_bound = 1; ///< compute utilization that the link's throughput allows with full overlap
    double utilisation = 1; ///< expected utilization: the bound, or less if late fragments cause stalls
    double least_overlap_steps = 0; ///< minimum overlap that hides a fragment's lag
    double least_inner_steps = 0; ///< minimum number of inner steps that last as long as the transfers of a round
    std::array<NeededRate, 5> needed; ///< link rates for a compute utilization of 50%, 80%, 90%, 95% and 99%
    Sentence limit; ///< bottleneck of compute utilization, as a short phrase
    /// reason why the simulation differs from the closed form; empty if they agree within two percentage points
    Sentence disagreement;
};

/// @param simulated run of the same plan, or null
OuterGuards outer_guards(const Plan &plan, double parameters, double step_seconds, const OuterRun *simulated);

} // namespace meshwright

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
    double bits_per_second = 0; ///< infinite if no rate suffices
};

/// Closed forms for the outer loop, to compare with the simulation. They assume identical sites without randomness.
struct OuterGuards {
    double up_seconds = 0; ///< time to upload the updates of one round
    double down_seconds = 0;
    double lag_seconds = 0; ///< time from sending a fragment until its average is received
    double overlap_seconds = 0; ///< part of the lag that the overlap hides
    double utilisation_bound = 1; ///< upper bound on compute utilization if all transfers overlap with compute
    double utilisation = 1; ///< expected compute utilization: the bound, or less if late fragments cause stalls
    double least_overlap_steps = 0; ///< minimum overlap in steps that hides a fragment's lag
    double least_inner_steps = 0; ///< minimum number of inner steps that last as long as one round's transfers
    std::array<NeededRate, 5> needed; ///< link rates for 50%, 80%, 90%, 95% and 99% compute utilization
    Sentence limit; ///< what limits compute utilization, as a short phrase
    /// Reason why the simulation differs from the closed form. Empty if they agree within two percentage points.
    Sentence disagreement;
};

/// @param simulated run of the same plan; may be null
OuterGuards outer_guards(const Plan &plan, double parameters, double step_seconds, const OuterRun *simulated);

} // namespace meshwright

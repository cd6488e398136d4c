// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/simulation.h"
#include "plan/plan.h"
#include "quantities/sentence.h"

#include <array>

namespace meshwright {

/// A rate that both directions of a site's link need for a share of the time to compute.
struct NeededRate {
    double utilisation = 0;
    double bits_per_second = 0; ///< infinite where no rate is enough
};

/// What closed forms say of the outer loop, beside what is simulated: every site alike, nothing random.
struct OuterGuards {
    double up_seconds = 0; ///< a round's updates over the uplink
    double down_seconds = 0;
    double lag_seconds = 0; ///< from a fragment's release to its receipt
    double overlap_seconds = 0; ///< what the overlap hides of that
    double utilisation_bound = 1; ///< of the link's throughput, with everything overlapped
    double utilisation = 1; ///< the bound, or the stalls of late fragments where they are more
    double least_overlap_steps = 0; ///< that hides a fragment's lag
    double least_inner_steps = 0; ///< whose computation is as long as a round's traffic
    std::array<NeededRate, 5> needed; ///< for 50, 80, 90, 95 and 99 %
    Sentence limit; ///< what keeps sites from computing all the time, in a few words
    Sentence remark; ///< where the simulation parts from them, and why; empty where it agrees within two points
};

/// @param simulated  of the same plan, or null
OuterGuards outer_guards(const Plan &plan, double parameters, double step_seconds, const OuterRun *simulated);

} // namespace meshwright

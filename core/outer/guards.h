// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/traced.h"
#include "outer/simulation.h"
#include "plan/plan.h"
#include "quantities/sentence.h"

#include <array>

namespace meshwright {

/// One round of the outer loop for a site, without stalls.
template <Number N>
struct BasicOuterRound {
    N inner_steps = 1;
    N fragments = 1;
    N overlap_steps = 0;
    N step_seconds = 0; ///< time per inner step
    N inner_seconds = 0; ///< compute time
    N up_bits = 0;
    N down_bits = 0;
    N up_seconds = 0; ///< time to upload the updates
    N down_seconds = 0;
    N round_trip_seconds = 0;
    N hops = 0; ///< number of consecutive one-way latencies in an exchange without an aggregator
    N full_duplex = 0; ///< 1 if a link sends and receives at the same time, otherwise 0
};

/// Link rate per direction that a site needs for a given compute utilization.
template <Number N>
struct BasicNeededRate {
    double utilisation = 0;
    N bits_per_second = 0; ///< infinite if no rate suffices
};
using NeededRate = BasicNeededRate<double>;

/// Closed forms for the outer loop. They assume identical sites without randomness.
template <Number N>
struct BasicClosedForms {
    N lag_seconds = 0; ///< time from sending a fragment until its average is received
    N overlap_seconds = 0; ///< part of the lag that the overlap hides
    N utilisation_bound = 1; ///< upper bound on compute utilization if all transfers overlap with compute
    N stalled_utilisation = 1; ///< compute utilization if sites wait for late fragments
    N utilisation = 1; ///< expected compute utilization: the bound, or less if late fragments cause stalls
    N least_overlap_steps = 0; ///< minimum overlap in steps that hides a fragment's lag
    N least_inner_steps = 0; ///< minimum number of inner steps that last as long as one round's transfers
    std::array<BasicNeededRate<N>, 5> needed; ///< link rates for 50%, 80%, 90%, 95% and 99% compute utilization
};
template <Number N>
BasicClosedForms<N> closed_forms(const Plan &plan, const BasicOuterRound<N> &round);

/// Closed forms to compare with the simulation.
struct OuterGuards : BasicClosedForms<double> {
    double up_seconds = 0; ///< time to upload the updates of one round
    double down_seconds = 0;
    Sentence limit; ///< what limits compute utilization, as a short phrase
    /// Reason why the simulation differs from the closed form. Empty if they agree within two percentage points.
    Sentence disagreement;
};

/// @param simulated run of the same plan; may be null
OuterGuards outer_guards(const Plan &plan, double parameters, double step_seconds, const OuterRun *simulated);

} // namespace meshwright

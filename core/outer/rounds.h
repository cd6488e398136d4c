// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// One site's outer loop in steady state, with every site alike and an aggregator that is never the bottleneck.
struct RoundTimes {
    double inner_seconds = 0; ///< computing, a round
    double stall_seconds = 0; ///< waiting for updates, a round
    double round_seconds = 0;
    double utilisation = 1;
    double up_bytes = 0; ///< a round
    double down_bytes = 0;
    double uplink_load = 0; ///< share of the round that the link is busy
    double downlink_load = 0;
    double staleness_steps = 0; ///< mean steps from a fragment's release to its update's arrival at a step boundary
};

/// Follows every fragment: released at the end of step floor(p H / P) of each round, sent in order over the uplink,
/// averaged when it has arrived everywhere, sent back over the downlink, waited for where it is later than
/// `overlap_steps` after its release. Runs until the pattern has settled.
/// @param parameters    that are synchronised
/// @param step_seconds  of one inner step
/// Source: Streaming DiLoCo, arXiv 2501.18512, sections 2 and 3.
RoundTimes simulate_rounds(const Plan &plan, double parameters, double step_seconds);

/// Relative growth of the loss against data-parallel training, as a band: {low, high}.
struct LossPenalty {
    double low = 0;
    double high = 0;
};
LossPenalty loss_penalty(const Plan &plan, double parameters);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/aggregator.h"
#include "outer/timeline.h"
#include "plan/outer_symmetry.h"
#include "plan/plan.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

/// One simulated run of the outer loop in steady state; per site and round where nothing else is said.
struct OuterRun {
    double utilisation = 1; ///< share of the time that sites compute, absences counted in
    double inner_seconds = 0;
    double stall_seconds = 0;
    double away_seconds = 0; ///< absent or coming back
    double round_seconds = 0; ///< their sum
    double up_bytes = 0;
    double down_bytes = 0;
    double uplink_load = 0; ///< share of the time that the link is busy
    double downlink_load = 0;
    double staleness_steps = 0; ///< mean, from a fragment's release to its average's way into the weights
    double goodput = 1; ///< accepted tokens over those of sites that never wait nor leave; late ones by their weight
    double quorum_seconds = 0; ///< mean, from a fragment's first arrival to its closing
    double departures = 0; ///< of all sites
    double rounds = 0; ///< that were measured
    UpdateCounts updates; ///< of all sites
    std::vector<double> late_rounds; ///< late updates by how many rounds, from 1
    bool settled = true; ///< false: queues still grew when the measuring began
};

/// What to simulate of a plan.
struct SimulationSize {
    std::int64_t settling_rounds = 0; ///< before the measuring; 0: as the plan's queues need
    std::int64_t rounds = 0; ///< measured; 0: 6 to 100, the fewer the more updates one has
    std::int64_t watched_rounds = 0; ///< of the measured ones, written to the timeline
    bool every_site = false; ///< also where all are alike, of which one is followed otherwise
    double up_factor = 1; ///< on what a site sends: other than 1 where that is varied alone
    double down_factor = 1; ///< on what it receives
    bool operator==(const SimulationSize &) const = default;
};

/// Whether aggregators are slower than the links of all sites at once, so that sites share them.
bool is_saturable(const Plan &plan);

/// Updates that are followed: sites x fragments x rounds.
double simulated_updates(const Plan &plan, const SimulationSize &size);

/// Follows every site and every fragment: computing, waiting, leaving and coming back; quantised, sent, gathered until
/// a quorum and a grace, averaged, sent back, taken in at the end of a step. One seed gives one run, bit for bit.
/// @param parameters    that are synchronised
/// @param step_seconds  of one inner step, on average
/// @param timeline      filled with what happens in the watched rounds, where given
/// Source: Streaming DiLoCo, arXiv 2501.18512, sections 2 and 3; quorum and grace: Decoupled DiLoCo, arXiv 2604.21428.
OuterRun simulate_outer(const Plan &plan, double parameters, double step_seconds, std::uint64_t seed,
                        const SimulationSize &size = {}, OuterTimeline *timeline = nullptr);

/// A whole run from far away: so many stretches of as many rounds each, from the first round on.
struct OuterCourse {
    std::vector<OuterRun> stretches;
    double rounds = 0; ///< that they cover
};

/// Follows a run from its first round to its last. Where rounds become alike the rest is like the last that was
/// followed.
/// @param rounds     of the run
/// @param stretches  at most
/// @param stop       leaves off and gives what there is
OuterCourse follow_run(const Plan &plan, double parameters, double step_seconds, std::uint64_t seed,
                       std::int64_t rounds, std::int64_t stretches, const std::stop_token &stop = {});

} // namespace meshwright

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

/// One simulated run of the outer loop in steady state. Values are per site and round unless stated otherwise.
struct OuterRun {
    double utilisation = 1; ///< compute utilization: compute time divided by total time, absences included
    double inner_seconds = 0;
    double stall_seconds = 0;
    double away_seconds = 0; ///< seconds during which the site is absent or rejoining
    double round_seconds = 0; ///< seconds of compute, stall and absence
    double up_bytes = 0;
    double down_bytes = 0;
    double uplink_load = 0; ///< fraction of time that the link is busy
    double downlink_load = 0;
    double staleness_steps = 0; ///< mean number of steps from sending a fragment until its average is applied
    /// Accepted tokens relative to a run in which sites never wait or leave. Late updates count with their weight.
    double goodput = 1;
    double quorum_seconds = 0; ///< mean time from a fragment's first arrival until its round closes
    double departures = 0; ///< number of times that a site leaves, over all sites
    double rounds = 0;
    UpdateCounts updates; ///< number of updates of all sites by outcome
    std::vector<double> late_rounds; ///< number of late updates by delay; the first entry is a delay of one round
    bool settled = true; ///< false if queues were still growing when the measurement began
};

struct SimulationSize {
    /// Rounds simulated before the measurement; 0 for the number that the plan's queues need to settle.
    std::int64_t settling_rounds = 0;
    /// Measured rounds; 0 for a default of 6 to 100. The default decreases with the number of updates per round.
    std::int64_t rounds = 0;
    std::int64_t watched_rounds = 0; ///< measured rounds that are recorded in the timeline
    bool every_site = false; ///< whether identical sites are simulated individually instead of by one representative
    double up_factor = 1; ///< multiplier of the upload size, for runs that vary only this size
    double down_factor = 1; ///< multiplier of the download size, for runs that vary only this size
    bool operator==(const SimulationSize &) const = default;
};

/// Whether the aggregators are slower than the links of all sites together. If so, the sites share the aggregators'
/// bandwidth.
bool is_saturable(const Plan &plan);

/// Number of simulated updates: sites x fragments x rounds.
double simulated_updates(const Plan &plan, const SimulationSize &size);

/// Simulates every site and every fragment. Sites compute, wait, leave and rejoin. Fragments are quantized, sent,
/// gathered until quorum and grace period, averaged, sent back and applied at the end of a step. One seed gives one
/// run, bit for bit.
/// @param parameters synchronized parameters
/// @param step_seconds mean time per inner step
/// @param timeline receives the events of the watched rounds; may be null
/// Source: Streaming DiLoCo, arXiv 2501.18512, sections 2 and 3; quorum and grace period: Decoupled DiLoCo, arXiv
/// 2604.21428.
OuterRun simulate_outer(const Plan &plan, double parameters, double step_seconds, std::uint64_t seed,
                        const SimulationSize &size = {}, OuterTimeline *timeline = nullptr);

/// A whole run, summarized over intervals with equal numbers of rounds from the first round on.
struct OuterCourse {
    std::vector<OuterRun> stretches;
    double rounds = 0;
};

/// Simulates a run from its first round to its last. Once rounds repeat, the remaining ones are copied from the last
/// simulated round.
/// @param rounds number of rounds of the run
/// @param stretches maximum number of intervals
/// @param stop ends the simulation early with the intervals so far
OuterCourse follow_run(const Plan &plan, double parameters, double step_seconds, std::uint64_t seed,
                       std::int64_t rounds, std::int64_t stretches, const std::stop_token &stop = {});

} // namespace meshwright

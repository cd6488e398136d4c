// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/guards.h"
#include "outer/monte_carlo.h"
#include "outer/quality.h"
#include "outer/timeline.h"
#include "outer/upkeep.h"
#include "plan/plan.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace meshwright {

/// A valid plan with an outer loop, and what an evaluation has found of it.
struct SitesQuestion {
    Plan plan;
    double parameters = 0; ///< that are synchronised
    double stepSeconds = 0; ///< of an inner step
    double rounds = 0; ///< of the run
    double flops = 0; ///< of the run
    bool operator==(const SitesQuestion &) const = default;
};

/// One fragment's round at the aggregator, with what arrived for it.
struct WatchedGathering {
    Gathering gathering;
    std::vector<double> arrivals; ///< s, ascending; late ones included
    double returned = never; ///< when the last site has the average
};

/// The outer loop of a plan as it runs: what several simulations say of it, and one of them to look at.
struct SitesRun {
    SitesQuestion question;
    OuterRuns runs;
    OuterGuards guards;
    OuterQuality quality;
    OuterUpkeep upkeep;
    bool drawable = false; ///< false: too many updates a round; then all below is empty
    OuterRun watched; ///< of the simulation that is looked at
    OuterTimeline timeline; ///< its first watched round begins at 0 s
    std::vector<WatchedGathering> gatherings; ///< by round, then by fragment; `closed` never where there was none
    TimelineCurves curves;
    std::vector<double> roundStarts; ///< s
    std::vector<double> staleness; ///< mean steps, by fragment
    double milliseconds = 0; ///< that all of it took
};
using SitesRunPointer = std::shared_ptr<const SitesRun>;

/// Null where it was stopped.
SitesRunPointer runSites(const SitesQuestion &question, const std::stop_token &stop);

} // namespace meshwright

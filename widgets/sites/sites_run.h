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
    std::int64_t from = 0; ///< the first round that is looked at, from 0; 0: once queues have settled
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
    /// What a watched round is called, counted from 1.
    std::int64_t numberOfRound(std::int64_t round) const { return question.from + round - timeline.first_round + 1; }
};
using SitesRunPointer = std::shared_ptr<const SitesRun>;

/// The whole run from far away.
struct SitesCourse {
    SitesQuestion question;
    OuterCourse course; ///< its first rounds alone, where all of them take too long to follow
    std::vector<double> ends; ///< s, of each stretch
    std::vector<double> rounds; ///< done by then
    double runRounds = 0; ///< of the run
    bool isWhole() const { return !rounds.empty() && rounds.back() >= runRounds; }
};
using SitesCoursePointer = std::shared_ptr<const SitesCourse>;
/// Null where it was stopped.
SitesCoursePointer courseOf(const SitesQuestion &question, const std::stop_token &stop);

/// Null where it was stopped.
SitesRunPointer runSites(const SitesQuestion &question, const std::stop_token &stop);

} // namespace meshwright

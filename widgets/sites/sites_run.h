// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/guards.h"
#include "outer/monte_carlo.h"
#include "outer/quality.h"
#include "outer/requirements.h"
#include "outer/timeline.h"
#include "plan/plan.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
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

/// What closed forms and laws say beside a simulation.
struct SitesFacts {
    SitesQuestion question;
    OuterGuards guards;
    OuterQuality quality;
    OuterRequirements upkeep;
};
/// @param simulated  of the same plan: its utilisation, and the times of its round
SitesFacts factsOf(const SitesQuestion &question, const OuterRun &simulated);

/// The question of fewer sites that stand for all, where a round of all of them has more updates than `most`; else the
/// question itself.
/// @param minSites  that are left
SitesQuestion sampleOf(const SitesQuestion &question, double most, double minSites);

/// One fragment's round at the aggregator, with what arrived for it.
struct WatchedGathering {
    Gathering gathering;
    std::vector<double> arrivals; ///< s, ascending; late ones included
    double returned = never; ///< when the last site has the average
};

/// Numbers of what belongs to each site, in their order.
class NumbersBySite {
public:
    NumbersBySite() = default;
    /// @param siteOf  of each of so many
    template <typename SiteOf>
    NumbersBySite(std::size_t count, std::int64_t sites, const SiteOf &siteOf)
        : m_begins(static_cast<std::size_t>(sites) + 1, 0)
        , m_numbers(count) {
        for (std::size_t i = 0; i < count; ++i)
            ++m_begins[static_cast<std::size_t>(siteOf(i)) + 1];
        std::partial_sum(m_begins.begin(), m_begins.end(), m_begins.begin());
        std::vector<std::size_t> next(m_begins.begin(), m_begins.end() - 1);
        for (std::size_t i = 0; i < count; ++i)
            m_numbers[next[static_cast<std::size_t>(siteOf(i))]++] = static_cast<std::uint32_t>(i);
    }
    std::span<const std::uint32_t> of(std::int64_t site) const {
        const auto place = static_cast<std::size_t>(site);
        if (place + 1 >= m_begins.size())
            return {};
        return std::span(m_numbers).subspan(m_begins[place], m_begins[place + 1] - m_begins[place]);
    }

private:
    std::vector<std::size_t> m_begins;
    std::vector<std::uint32_t> m_numbers;
};

/// The outer loop of a plan as it runs: what several simulations say of it, and one of them to look at.
struct SitesRun {
    SitesQuestion question;
    OuterRuns runs;
    SitesFacts facts;
    bool drawable = false; ///< false: too many updates a round; then all below is empty
    OuterRun watched; ///< of the simulation that is looked at
    OuterTimeline timeline; ///< its first watched round begins at 0 s
    double end = 0; ///< s, of all that is watched
    NumbersBySite spans; ///< of the timeline
    NumbersBySite journeys;
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
    std::int64_t sites = 0; ///< that were followed; fewer than the plan's where those are very many
    bool isWhole() const { return !rounds.empty() && rounds.back() >= runRounds; }
};
using SitesCoursePointer = std::shared_ptr<const SitesCourse>;
/// Null where it was stopped.
SitesCoursePointer courseOf(const SitesQuestion &question, const std::stop_token &stop);

/// Null where it was stopped.
SitesRunPointer runSites(const SitesQuestion &question, const std::stop_token &stop);

} // namespace meshwright

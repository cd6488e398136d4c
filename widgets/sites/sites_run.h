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

/// A valid plan with an outer loop, and the results of its evaluation that the simulation needs.
struct SitesQuestion {
    Plan plan;
    double parameters = 0; ///< parameters that are synchronized
    double stepSeconds = 0;
    double rounds = 0;
    double flops = 0;
    std::int64_t from = 0; ///< first round to watch, counted from 0; 0 selects a round after queues have settled
    bool operator==(const SitesQuestion &) const = default;
};

struct SitesFacts {
    SitesQuestion question;
    OuterGuards guards;
    OuterQuality quality;
    OuterRequirements upkeep;
};
/// @param simulated  simulation of the same plan, for its utilization and round times
SitesFacts factsOf(const SitesQuestion &question, const OuterRun &simulated);

/// Returns the question for a sample of the sites if a round of all sites has more than `most` updates; otherwise
/// returns the question unchanged.
/// @param minSites  minimum number of sites in the sample
SitesQuestion sampleOf(const SitesQuestion &question, double most, double minSites);

/// One fragment's exchange at the aggregator in one round, with the arrival times of the updates.
struct WatchedGathering {
    Gathering gathering;
    std::vector<double> arrivals; ///< arrival time of each update in seconds, ascending, including late ones
    double returned = never; ///< time in seconds at which the last site has received the average
};

/// Indices of items grouped by site, in their original order.
class NumbersBySite {
public:
    NumbersBySite() = default;
    /// @param siteOf  maps an index below `count` to its site
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

/// Simulations of the outer loop of a plan: figures of several runs, and one run in detail.
struct SitesRun {
    SitesQuestion question;
    OuterRuns runs;
    SitesFacts facts;
    bool drawable = false; ///< false if a round has too many updates to draw; all members below are then empty
    OuterRun watched;
    OuterTimeline timeline; ///< the first watched round begins at 0 s
    double end = 0; ///< end of the timeline in seconds
    NumbersBySite spans; ///< indices into timeline.spans
    NumbersBySite journeys; ///< indices into timeline.journeys
    /// Exchanges at the aggregator by round, then by fragment. If an exchange is missing, its `closed` is `never`.
    std::vector<WatchedGathering> gatherings;
    TimelineCurves curves;
    std::vector<double> roundStarts; ///< start of each round in seconds
    std::vector<double> staleness; ///< mean staleness in steps by fragment
    double milliseconds = 0; ///< wall-clock duration of all simulations
    /// The number of a watched round for display, counted from 1.
    std::int64_t numberOfRound(std::int64_t round) const { return question.from + round - timeline.first_round + 1; }
};
using SitesRunPointer = std::shared_ptr<const SitesRun>;

struct SitesCourse {
    SitesQuestion question;
    OuterCourse course; ///< the whole run, or only its first rounds if simulating all rounds takes too long
    std::vector<double> ends; ///< end of each interval in seconds
    std::vector<double> rounds; ///< rounds completed at the end of each interval
    double runRounds = 0;
    std::int64_t sites = 0; ///< number of simulated sites; a sample if the plan has very many
    bool isWhole() const { return !rounds.empty() && rounds.back() >= runRounds; }
};
using SitesCoursePointer = std::shared_ptr<const SitesCourse>;
SitesCoursePointer courseOf(const SitesQuestion &question, const std::stop_token &stop);

SitesRunPointer runSites(const SitesQuestion &question, const std::stop_token &stop);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace meshwright {

inline constexpr double never = std::numeric_limits<double>::infinity();

enum class SiteActivity {
    compute,
    stall,
    away, ///< absent; includes the step that was interrupted
    rejoin
};

struct SiteSpan {
    std::int64_t site = 0;
    SiteActivity activity = SiteActivity::compute;
    double start = 0; ///< seconds from the start of the run
    double end = 0;
    std::int64_t fragment = -1; ///< the fragment that caused a stall
    double step_seconds = 0; ///< duration of each computed step
};

enum class UpdateFate { on_time, late, dropped, voided, lost, in_flight };

/// One site's update of one fragment, from sending to the application of the average. Times are `never` for events that
/// did not happen.
struct Journey {
    std::int64_t site = 0;
    std::int64_t round = 0;
    std::int64_t fragment = 0;
    double released = never; ///< end of the step after which the update is sent
    double sent_start = never; ///< time at which the upload of the update starts
    double sent_end = never;
    double arrived = never;
    double returned_start = never; ///< time at which the download of the average starts
    double returned_end = never;
    double received = never;
    double applied = never; ///< time at which the site applies the average, at the end of an inner step
    double applied_steps_late = 0; ///< number of steps between sending and application of the average
    UpdateFate fate = UpdateFate::in_flight;
};

/// One fragment's round at the aggregator.
struct Gathering {
    std::int64_t round = 0;
    std::int64_t fragment = 0;
    double first_arrival = never;
    double quorum = never;
    double closed = never;
    double sent_back = never; ///< time at which the average is sent back
    std::int64_t on_time = 0;
    std::int64_t late = 0; ///< number of updates of earlier rounds that this round included
    bool voided = false;
};

struct OuterTimeline {
    std::int64_t sites = 0;
    std::int64_t first_round = 0;
    std::int64_t rounds = 0;
    std::vector<SiteSpan> spans; ///< computing and stalled intervals, site by site in time order
    std::vector<Journey> journeys; ///< paths of all updates, in the order in which fragments are sent
    std::vector<Gathering> gatherings; ///< rounds of the fragments at the aggregator, ordered by closing time
};

std::vector<double> round_starts(const OuterTimeline &timeline);

/// Mean number of steps between sending and application of the average, for each fragment, over the applied updates.
std::vector<double> staleness_by_fragment(const OuterTimeline &timeline, std::int64_t fragments);

/// Means over equal intervals of time.
struct TimelineCurves {
    double start = 0;
    double interval = 0; ///< length of an interval in seconds
    std::vector<double> computing; ///< fraction of sites that compute, by interval
    std::vector<double> uplinks; ///< mean fraction of uplinks that are busy, by interval
    std::vector<double> downlinks;
    std::vector<double> queued; ///< number of updates or averages that wait for a link, by interval
};
/// @param stretches  number of intervals, at least 1
TimelineCurves curves_of(const OuterTimeline &timeline, std::size_t stretches);

} // namespace meshwright

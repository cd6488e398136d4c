// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace meshwright {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// What a site does over a stretch of time.
enum class SiteActivity {
    compute,
    stall, ///< waits for an update
    away, ///< left; the step that it broke off included
    rejoin ///< downloads the state before it takes part again
};

struct SiteSpan {
    std::int64_t site = 0;
    SiteActivity activity = SiteActivity::compute;
    double start = 0; ///< s from the start of the run
    double end = 0;
    std::int64_t fragment = -1; ///< that a stall waits for
    double step_seconds = 0; ///< of each of the steps that are computed
};

enum class UpdateFate { on_time, late, dropped, voided, lost, in_flight };

/// One site's update of one fragment, from its release to the average's way into the weights; `never` for what did not
/// happen.
struct Journey {
    std::int64_t site = 0;
    std::int64_t round = 0;
    std::int64_t fragment = 0;
    double released = never; ///< end of its step
    double sent_start = never; ///< on the uplink
    double sent_end = never;
    double arrived = never;
    double returned_start = never; ///< on the downlink
    double returned_end = never;
    double received = never;
    double applied = never; ///< at a step's end
    double applied_steps_late = 0; ///< steps between release and that
    UpdateFate fate = UpdateFate::in_flight;
};

/// One fragment's round at the aggregator.
struct Gathering {
    std::int64_t round = 0;
    std::int64_t fragment = 0;
    double first_arrival = never;
    double quorum = never; ///< when enough had arrived
    double closed = never;
    double sent_back = never; ///< averaged
    std::int64_t on_time = 0;
    std::int64_t late = 0; ///< of earlier rounds, that this one took in
    bool voided = false;
};

/// Everything that happened in the rounds that were watched, for drawing.
struct OuterTimeline {
    std::int64_t sites = 0;
    std::int64_t first_round = 0;
    std::int64_t rounds = 0; ///< that were watched
    std::vector<SiteSpan> spans; ///< each site's in order of time
    std::vector<Journey> journeys; ///< in order of release, fragment by fragment
    std::vector<Gathering> gatherings; ///< in order of closing
};

/// When each watched round begins: the first site releases its first fragment.
std::vector<double> round_starts(const OuterTimeline &timeline);

/// Mean steps between release and use by fragment, of the updates that were used.
std::vector<double> staleness_by_fragment(const OuterTimeline &timeline, std::int64_t fragments);

/// Means over equal stretches of time.
struct TimelineCurves {
    double start = 0;
    double interval = 0; ///< s
    std::vector<double> computing; ///< share of sites
    std::vector<double> uplinks; ///< mean share of uplinks busy
    std::vector<double> downlinks;
    std::vector<double> queued; ///< updates released or averaged, and waiting for a link
};
/// @param stretches  how many; at least 1
TimelineCurves curves_of(const OuterTimeline &timeline, std::size_t stretches);

} // namespace meshwright

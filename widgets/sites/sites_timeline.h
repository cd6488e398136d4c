// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "sites/sites_run.h"
#include "theme/roles.h"
#include "timeline/timeline_model.h"

#include <cstdint>
#include <vector>

namespace meshwright {

class Theme;

/// Styles of sites' timelines, in the order in which they are stacked far away.
enum class SiteStyle : std::uint8_t { Nothing, Step, Stall, Away, Rejoin, FirstFragment };

/// Fragments come in so many colours, one after the other.
inline constexpr int FragmentColours = 5;
Kind kindOfFragment(std::int64_t fragment);

/// What a row of sites shows.
enum class SiteRow { Steps, Up, Down };
struct SiteTrack {
    std::int64_t site = 0;
    SiteRow row = SiteRow::Steps;
};

/// Rows of spans, and what they stand for. Spans of the steps' rows name a span of the simulation, those of the links'
/// rows a journey.
struct SitesTimeline {
    TimelineModelPointer model;
    std::vector<SiteTrack> tracks;
};

/// Sites to look at closely at first: spread over all, and those that have left meanwhile.
/// @param most  how many; at least 2
std::vector<std::int64_t> sitesToShow(const SitesRun &run, std::size_t most);

/// Steps, uplink and downlink of some sites.
SitesTimeline closeTimelineOf(const SitesRun &run, const std::vector<std::int64_t> &sites);
/// A row for each site, without its links.
SitesTimeline wholeTimelineOf(const SitesRun &run);
/// Mean load of uplinks and downlinks, as two rows that are filled from below.
TimelineModelPointer loadStripOf(const SitesRun &run);

/// A run with what takes longest to lay out of it.
struct DrawnSites {
    SitesRunPointer run; ///< null where it was stopped
    SitesTimeline all;
    TimelineModelPointer load;
};
DrawnSites drawSites(const SitesQuestion &question, const std::stop_token &stop);

/// A fragment's number that no other round shares.
int numberOf(const SitesRun &run, const Journey &journey);

/// What is said of a span when it is pointed at.
HoverContent describeSite(const SitesRun &run, const SitesTimeline &timeline, SpanIndex span, const TimeRange &visible,
                          const Theme &theme);

} // namespace meshwright

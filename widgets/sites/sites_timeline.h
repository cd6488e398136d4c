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

/// Styles of the site timelines, in stacking order when zoomed out.
enum class SiteStyle : std::uint8_t { Nothing, Step, Stall, Away, Rejoin, FirstFragment };

/// Number of colors through which fragments cycle.
inline constexpr int FragmentColours = 5;
Kind kindOfFragment(std::int64_t fragment);

enum class SiteRow { Steps, Up, Down };
struct SiteTrack {
    std::int64_t site = 0;
    SiteRow row = SiteRow::Steps;
};

/// Rows of spans with their sites. In rows of steps, a span's source is an index into the simulation's spans; in rows
/// of links, it is an index into the simulation's journeys.
struct SitesTimeline {
    TimelineModelPointer model;
    std::vector<SiteTrack> tracks;
};

/// Sites to show in detail initially: evenly spread, preferably including some that went offline.
/// @param most  maximum number of sites; at least 2
std::vector<std::int64_t> sitesToShow(const SitesRun &run, std::size_t most);

SitesTimeline closeTimelineOf(const SitesRun &run, const std::vector<std::int64_t> &sites);
/// One row per site, without its links.
SitesTimeline wholeTimelineOf(const SitesRun &run);
/// Mean load of uplinks and downlinks as two rows filled from the bottom.
TimelineModelPointer loadStripOf(const SitesRun &run);

/// A simulated run with the timelines that take longest to create.
struct DrawnSites {
    SitesRunPointer run; ///< null if stopped
    SitesTimeline all;
    TimelineModelPointer load;
};
DrawnSites drawSites(const SitesQuestion &question, const std::stop_token &stop);

/// A number that identifies a fragment within a round.
int numberOf(const SitesRun &run, const Journey &journey);

HoverContent describeSite(const SitesRun &run, const SitesTimeline &timeline, SpanIndex span, const TimeRange &visible,
                          const Theme &theme);

} // namespace meshwright

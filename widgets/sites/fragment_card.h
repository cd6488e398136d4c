// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/hover_card.h"
#include "sites/sites_run.h"
#include "timeline/timeline_coordinates.h"

namespace meshwright {

class Theme;

/// Describes one site's update of a fragment, from its release to the use of the average.
HoverContent describeFragment(const SitesRun &run, const Journey &journey, const TimeRange &visible,
                              const Theme &theme);

} // namespace meshwright

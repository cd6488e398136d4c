// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <vector>

namespace meshwright {

/// What the makers of a plan's run report, each figure next to the result's own: with its interval where the result
/// has one. A rate of the whole run is left out where several sites each have their own.
std::vector<PublishedComparison> published_comparisons(const Result &result);

} // namespace meshwright

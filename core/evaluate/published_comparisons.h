// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <vector>

namespace meshwright {

/// Each published figure of a plan's run next to the result's own, with an interval if the result has one. A rate of
/// the whole run is left out if several sites each have a rate.
std::vector<PublishedComparison> published_comparisons(const Result &result);

} // namespace meshwright

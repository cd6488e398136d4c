// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/fact_list.h"
#include "evaluate/result.h"

#include <vector>

namespace meshwright {

// Results beyond the four key figures, as facts for the right column.

std::vector<Fact> betweenSitesFacts(const Result &result);
std::vector<Fact> speedFacts(const Result &result);
std::vector<Fact> pipelineFacts(const Result &result);
std::vector<Fact> runFacts(const Result &result);
std::vector<Fact> clusterFacts(const Result &result);
/// Parameter counts by module type, largest first, without zeros.
std::vector<Fact> parameterFacts(const Result &result);

} // namespace meshwright

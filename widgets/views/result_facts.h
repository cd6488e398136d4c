// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/fact_list.h"
#include "evaluate/result.h"

#include <vector>

namespace meshwright {

// What a result says beside the four figures, in words and numbers, for the right column.

std::vector<Fact> betweenSitesFacts(const Result &result);
std::vector<Fact> speedFacts(const Result &result);
std::vector<Fact> pipelineFacts(const Result &result);
std::vector<Fact> runFacts(const Result &result);
std::vector<Fact> clusterFacts(const Result &result);
/// Parameters by what they are, largest first; nothing that there is none of.
std::vector<Fact> parameterFacts(const Result &result);

} // namespace meshwright

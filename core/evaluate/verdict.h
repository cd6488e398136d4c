// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <string>
#include <vector>

namespace meshwright {

/// What holds the plan back: what overflows first, else the largest of the step's avoidable terms.
Bottleneck bottleneck_of(const Result &result);

/// The verdict in one sentence.
std::string summary_of(const Result &result);
/// What the sentence says, in its order.
std::vector<FigureInText> figures_of_summary(const Result &result);

} // namespace meshwright

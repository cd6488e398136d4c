// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal.h"

#include <string>

namespace meshwright {

/// Why no search for changes is possible. Empty if a search is possible.
std::string reason_not_to_seek(const Result &result, GoalFigure figure);

/// Describes in one sentence what limits the nearest plan most, with the amount: "Weights take 40 GB of 80 GB on stage
/// 2".
std::string limit_of(const Result &nearest, const Goal &goal);

} // namespace meshwright

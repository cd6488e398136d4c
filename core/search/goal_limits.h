// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal.h"

#include <string>

namespace meshwright {

/// Why no change can be looked for; empty where it can.
std::string reason_not_to_seek(const Result &result, GoalFigure figure);

/// What keeps the plan that comes nearest from the goal, in one sentence with its share.
std::string limit_of(const Result &nearest, const Goal &goal);

} // namespace meshwright

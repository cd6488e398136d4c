// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal.h"

#include <string>

namespace meshwright {

/// Why no change can be searched for; empty where it can.
std::string reason_not_to_seek(const Result &result, GoalFigure figure);

/// What keeps the nearest plan from meeting the goal, in one sentence with the fraction it takes.
std::string limit_of(const Result &nearest, const Goal &goal);

} // namespace meshwright

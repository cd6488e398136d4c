// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal_changes.h"

namespace meshwright {

/// Settings of the outer loop that overlap or reduce its traffic: more inner steps, overlap or fragments, and sparser
/// or lower-precision updates. Empty without an outer loop.
std::vector<GoalSetting> outer_goal_settings(const Plan &plan);

} // namespace meshwright

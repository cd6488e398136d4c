// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal_changes.h"

namespace meshwright {

/// Nodes, accelerator types, sites and links: what would have to be bought or rented. Nodes are those numbers that the
/// batch divides over; types are those of the plan's vendor with a known price.
std::vector<GoalSetting> hardware_settings(const Plan &plan, const Goal &goal, const Library &library);

/// The interval between checkpoints at Young's optimum, where the plan has set another.
GoalSetting checkpoint_setting(const Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal_changes.h"

namespace meshwright {

/// Nodes, accelerator types, sites and links to buy or rent. Node counts must divide the batch evenly. Accelerator
/// types are those of the plan's vendor with a known price.
std::vector<GoalSetting> hardware_settings(const Plan &plan, const Goal &goal, const Library &library);

/// If the plan sets a checkpoint interval, offers to replace it with Young's optimum.
GoalSetting checkpoint_setting(const Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal_changes.h"

namespace meshwright {

/// Nodes, accelerator types, sites and links: hardware to buy or rent. Node counts are those that divide the batch
/// evenly; accelerator types are those of the plan's vendor with a known price.
std::vector<GoalSetting> hardware_settings(const Plan &plan, const Goal &goal, const Library &library);

/// The checkpoint interval at Young's optimum, if the plan sets a different one.
GoalSetting checkpoint_setting(const Plan &plan);

} // namespace meshwright

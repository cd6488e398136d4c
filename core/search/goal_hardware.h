// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/goal_changes.h"

namespace meshwright {

/// Hardware to buy or rent: nodes, accelerator types, sites and links. Node counts must divide the batch, and
/// accelerator types must have a known price and be from the plan's vendor.
std::vector<GoalSetting> hardware_settings(const Plan &plan, const Goal &goal, const Library &library);

/// The checkpoint interval at Young's optimum, if the plan sets another one.
GoalSetting checkpoint_setting(const Plan &plan);

} // namespace meshwright

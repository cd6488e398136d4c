// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Whether nothing in the plan's outer loop is drawn at random. @pre the cluster has a wan
bool is_deterministic(const Plan &plan);
/// Whether one site stands for all: nothing is random and all have the same link. @pre the cluster has a wan
bool are_alike(const Plan &plan);

/// Updates of one round that a simulation follows: sites x fragments, or one site's where all are alike.
double updates_of_a_round(const Plan &plan);
/// Updates of one site that are on their way at the same time: what an overlap of many rounds makes a simulation carry.
double updates_under_way(const Plan &plan);
/// Whether a simulation takes long enough that changes of the plan are better not simulated by the dozen.
bool is_slow_to_follow(const Plan &plan);
/// How many a plan may have, so that the least simulation takes seconds.
inline constexpr double max_updates_of_a_round = 1e6;
/// The same of one site's that are on their way.
inline constexpr double max_updates_under_way = 1e5;

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Whether nothing in the plan's outer loop is random. @pre the cluster has a wan
bool is_deterministic(const Plan &plan);
/// Whether one simulated site represents all sites, because nothing is random and all links are the same. @pre the
/// cluster has a wan
bool are_alike(const Plan &plan);

/// Number of updates per round in a simulation: sites x fragments, or the fragments of one site if all sites are equal.
double updates_of_a_round(const Plan &plan);
/// Number of one site's updates that are in flight at the same time. It grows if the overlap spans several rounds.
double updates_under_way(const Plan &plan);
/// Whether simulating the plan is too slow to be repeated for dozens of changes.
bool is_slow_to_follow(const Plan &plan);
/// Upper limit of updates_of_a_round(), so that the shortest simulation takes only seconds.
inline constexpr double max_updates_of_a_round = 1e6;
inline constexpr double max_updates_under_way = 1e5;

} // namespace meshwright

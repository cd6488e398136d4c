// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <vector>

namespace meshwright {

/// Outer loops that a search tries beside a layout: inner steps, fragments, overlap, bits and density about those of
/// the plan, where the plan stays valid. The plan's own comes first, then those that change fewest settings. Layouts
/// are those that fit with the plan's own: one that would fit with more fragments alone is not looked for.
std::vector<Outer> outer_settings(const Plan &plan);

/// An outer loop is changed only for a run that is shorter by so much: less frequent or coarser synchronisation costs
/// quality, which the length of a run does not show.
inline constexpr double least_outer_gain = 1e-3;

/// The first of the settings with which the run is within `least_outer_gain` of the shortest of those that fit, by the
/// closed forms; the plan's own where none fits.
const Outer &best_outer(Plan plan, const std::vector<Outer> &settings);

} // namespace meshwright

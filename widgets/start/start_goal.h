// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// What somebody comes to do. Fit, Fastest and Sites ask the same questions and open the plan in another view.
enum class StartGoal { Fit, Fastest, Sites, Learn };
inline constexpr int startGoalCount = 4;

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

/// What the user wants to do. Fit, Fastest and Sites ask the same questions, but open the plan in different views.
enum class StartGoal { Fit, Fastest, Sites, Learn };
inline constexpr int startGoalCount = 4;

} // namespace meshwright

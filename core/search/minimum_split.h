// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Splits a plan's work over its accelerators so that the plan is valid, with the least tensor times pipeline that is:
/// a search needs a valid plan to begin with. False, with the plan's degrees spoiled, where no split is.
bool take_minimum_split(Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Sets valid parallel degrees with the smallest tensor x pipeline, because a search must start from a valid plan.
/// Returns false if there are none; even then the plan's degrees are overwritten.
bool take_minimum_split(Plan &plan);

} // namespace meshwright

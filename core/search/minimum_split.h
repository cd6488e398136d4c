// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Sets parallel degrees that make the plan valid, with the smallest possible tensor x pipeline, because a search must
/// start from a valid plan. Returns false if there are none; the plan's degrees are overwritten even then.
bool take_minimum_split(Plan &plan);

} // namespace meshwright

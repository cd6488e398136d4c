// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Splits a plan's work over its accelerators so that the plan is valid, with the smallest possible tensor x pipeline:
/// a search needs a valid plan to start from. False, with the plan's degrees overwritten, where no split is valid.
bool take_minimum_split(Plan &plan);

} // namespace meshwright

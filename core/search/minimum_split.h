// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Splits a plan's work over its accelerators so that the plan is valid, with the smallest possible tensor x pipeline:
/// a search needs a valid plan to start from. Returns false, with the plan's degrees overwritten, if no split is valid.
bool take_minimum_split(Plan &plan);

} // namespace meshwright

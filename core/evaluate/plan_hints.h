// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "plan/plan.h"

#include <vector>

namespace meshwright {

/// What there is to say of a valid plan without its result: settings without effect, and where the model of the cost
/// ends.
std::vector<Diagnostic> plan_hints(const Plan &plan);

} // namespace meshwright

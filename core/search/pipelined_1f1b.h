// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <optional>

namespace meshwright {

/// The plan constrained to 1F1B with several stages. Returns nothing if its constraints exclude this.
std::optional<Plan> with_pipelined_1f1b(const Plan &plan);

} // namespace meshwright

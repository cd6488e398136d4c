// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <optional>

namespace meshwright {

/// The same plan, constrained to 1F1B with several stages; nothing if its constraints rule that out.
std::optional<Plan> with_pipelined_1f1b(const Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <optional>

namespace meshwright {

/// The same plan with 1F1B of several stages alone to choose from; nothing where its constraints leave no choice.
std::optional<Plan> with_pipelined_1f1b(const Plan &plan);

} // namespace meshwright

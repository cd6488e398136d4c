// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/outer_search.h"

#include <QString>

#include <optional>

namespace meshwright {

/// Derivation of a figure of the minimal changes: "repair.tokens_low" and "repair.tokens_high" (minimum and maximum
/// tokens to reach the same loss, relative to the plan's tokens), "repair.critical_batch", "repair.most_days" (maximum
/// time to the same loss), "repair.considered" (number of plans tried).
/// @param before  the plan before the changes
std::optional<Derivation> repairDerivation(const QString &figure, const Plan &before, const OuterRepair &repair);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/outer_search.h"

#include <QString>

#include <optional>

namespace meshwright {

/// Derivation of a figure of the changes found: "repair.tokens_low" and "repair.tokens_high" (tokens to the same loss
/// relative to the plan's batch), "repair.critical_batch", "repair.most_days" (run time with the maximum of these
/// tokens) and "repair.considered" (number of plans tried).
/// @param before  the plan before the changes
std::optional<Derivation> repairDerivation(const QString &figure, const Plan &before, const OuterRepair &repair);

} // namespace meshwright

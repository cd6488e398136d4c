// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "search/outer_search.h"

#include <QString>

#include <optional>

namespace meshwright {

/// How what another batch costs comes about: "repair.tokens_low" and "repair.tokens_high", tokens to the same loss over
/// those of the plan's batch, "repair.critical_batch", "repair.most_days", the run with the most of them, and
/// "repair.considered".
/// @param before  the plan that the repair changes
std::optional<Derivation> repairDerivation(const QString &figure, const Plan &before, const OuterRepair &repair);

} // namespace meshwright

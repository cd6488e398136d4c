// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "plan/plan.h"

#include <QString>

#include <optional>

namespace meshwright {

/// Derivation of a figure on the assumptions page: "assumption.NAME" is the value in the plan; "range.NAME", the figure
/// of the Range column, is the default, because the bounds of a range have no derivation of their own.
std::optional<Derivation> assumptionDerivation(const QString &figure, const Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compare/plan_comparison.h"
#include "formulas/derivation.h"

#include <QString>

#include <optional>

namespace meshwright {

/// Derivation of an effect in a waterfall: "cause.3.in_order", "cause.3.alone", "cause.3.interaction", where 3 is the
/// index of the cause in the comparison.
std::optional<Derivation> causeDerivation(const QString &figure, const PlanComparison &comparison);

/// A plan between plan A and another plan: "cause.3.before", "cause.3.after", "cause.3.changed",
/// "cause.3.first".
std::optional<Plan> causePlan(const QString &name, const PlanComparison &comparison);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "plan/plan.h"

#include <QString>

#include <optional>

namespace meshwright {

/// Derivation of a figure on the assumptions page: "assumption.NAME" is the value in the plan, "range.NAME" the
/// default.
std::optional<Derivation> assumptionDerivation(const QString &figure, const Plan &plan);

} // namespace meshwright

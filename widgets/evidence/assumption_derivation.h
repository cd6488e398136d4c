// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "plan/plan.h"

#include <QString>

#include <optional>

namespace meshwright {

/// How what is shown of the assumptions comes about: "assumption.NAME" the value that the plan takes, "range.NAME" the
/// one that is shipped, "constants" and "fitted", how many the registry has, and "software", how many fields the
/// training software has.
std::optional<Derivation> assumptionDerivation(const QString &figure, const Plan &plan);

} // namespace meshwright

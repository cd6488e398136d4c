// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"

#include <QString>

#include <optional>

namespace meshwright {

/// How what is shown of the registry of constants comes about: "constant.NAME" the value that the plan takes,
/// "range.NAME" the registry's own, and "constants" and "fitted", how many there are.
/// @param plan  its assumptions
std::optional<Derivation> constantMaking(const QString &figure, const Assumptions &plan);

} // namespace meshwright

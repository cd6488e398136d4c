// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "formulas/derivation.h"

#include <optional>

namespace meshwright {

class SimulationValues;

/// How much a figure changes where one of its nodes is 10 % larger: its derivation as it is, and the same with the node
/// grown, every formula above it worked out again and every procedure run again. Nothing where one above gives no
/// finite value, and where the figure has no such node.
/// @param procedures  null where those of the derivation are not run
std::optional<Derivation> growthDerivation(const Derivation &figure, const scope::Growth &growth,
                                           SimulationValues *procedures);

} // namespace meshwright

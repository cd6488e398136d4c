// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "formulas/derivation.h"

#include <optional>

namespace meshwright {

class SimulationValues;

/// How much a figure changes if one of its nodes grows by 10%: its current derivation, and the same with the node
/// grown, every formula above it evaluated again and every simulation run again. Nothing if a formula gives no finite
/// value or the figure has no such node.
/// @param simulations  null: simulations in the derivation are not run
std::optional<Derivation> growthDerivation(const Derivation &figure, const scope::Growth &growth,
                                           SimulationValues *simulations);

} // namespace meshwright

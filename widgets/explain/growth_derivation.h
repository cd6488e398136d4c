// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "formulas/derivation.h"

#include <optional>

namespace meshwright {

class SimulationValues;

/// How much a figure changes if a node of its derivation grows by 10%: the current derivation, and the derivation with
/// the larger value, in which all formulas above the node are reevaluated and all simulations rerun. Empty if a formula
/// gives no finite value or the figure has no such node.
/// @param simulations  null: simulations in the derivation are not rerun
std::optional<Derivation> growthDerivation(const Derivation &figure, const scope::Growth &growth,
                                           SimulationValues *simulations);

} // namespace meshwright

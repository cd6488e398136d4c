// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "formulas/derivation.h"

#include <optional>

namespace meshwright {

class SimulationValues;

/// Derivation of the change of a figure if one of its nodes grows by 10%. The inputs are the current derivation of the
/// figure and its derivation with the larger node, for which all formulas above the node are reevaluated and all
/// simulations are rerun. Empty if a formula gives no finite value or the figure has no such node.
/// @param simulations  null: simulations in the derivation are not rerun
std::optional<Derivation> growthDerivation(const Derivation &figure, const scope::Growth &growth,
                                           SimulationValues *simulations);

} // namespace meshwright

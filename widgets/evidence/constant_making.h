// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/sensitivity.h"
#include "formulas/derivation.h"

#include <QString>

#include <optional>
#include <vector>

namespace meshwright {

/// What varying inputs of a plan does to its step and its peak memory.
struct PlanInfluences {
    std::vector<Influence> step;
    std::vector<Influence> memory;
};

/// How what is shown of the registry of constants comes about: "constant.NAME" the value that the plan takes,
/// "range.NAME" the registry's own, "influence_step.NAME" and "influence_memory.NAME" what a larger value does to the
/// plan, and "constants" and "fitted", how many there are.
/// @param plan  its assumptions
std::optional<Derivation> constantMaking(const QString &figure, const Assumptions &plan,
                                         const PlanInfluences &influences);

} // namespace meshwright

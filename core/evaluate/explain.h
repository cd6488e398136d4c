// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"

#include <string_view>

namespace meshwright {

/// The making of a result's figures: a tree whose root stands for the run and whose inputs are the figures, each named
/// as in the result's JSON with underscores ("step_seconds", "memory_stages_0_weights_bytes"). Values are those of the
/// result to rounding; every node with a formula is what the formula gives over its inputs.
Derivation explain(const Result &result);

/// The node of one figure, by the path of its JSON key ("step.seconds", "memory.stages.0.weights_bytes"); null where
/// the tree has none.
const Derivation *find_figure(const Derivation &tree, std::string_view path);

} // namespace meshwright

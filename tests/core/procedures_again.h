// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"

#include <cstdint>

namespace meshwright::testing {

/// Value of an input that is a number of something. @pre the node has it
std::int64_t whole(const Derivation &node, const char *input);

/// The plan with the degrees that a node has for inputs.
Plan with_degrees(Plan plan, const Derivation &node);

/// A procedure's value, by running it on the values of the node's inputs. Not a number where its inputs are not the
/// plan's, and where no such procedure is known.
double run_again(const Result &result, const Derivation &node);

} // namespace meshwright::testing

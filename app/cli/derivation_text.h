// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace meshwright {

struct Derivation;

/// The tree for people: a line a node, indented, with the value, the formula, the formula with the numbers, and where a
/// leaf's value comes from.
std::string derivationText(const Derivation &tree);

} // namespace meshwright

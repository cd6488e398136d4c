// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace meshwright {

struct Derivation;

/// Formats the tree as indented text: value, formula and substituted formula of each node, and the source of each leaf.
std::string derivationText(const Derivation &tree);

} // namespace meshwright

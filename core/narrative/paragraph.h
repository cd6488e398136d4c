// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "formulas/derivation.h"

#include <string>

namespace meshwright {

/// A paragraph in plain words about a key figure: what it is, why it is this large in this plan, and what would change
/// it. Empty for figures that have none.
/// @param figure  the figure's derivation in the tree of this result
std::string paragraph_about(const Derivation &figure, const Result &result);

} // namespace meshwright

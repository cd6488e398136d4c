// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/figure_path.h"
#include "formulas/derivation.h"

#include <optional>

namespace meshwright {

/// How much a figure changes where one of its nodes is 10 % larger: its making as it is, and the same with the node
/// grown and every formula above it worked out again. Nothing where a formula above gives no finite value, and where
/// the figure has no such node.
/// @param path  of the figure, which what the making refers to is looked up beside
std::optional<Derivation> growthMaking(const Derivation &figure, const figurepath::GrownNode &grown,
                                       const QString &path);

} // namespace meshwright

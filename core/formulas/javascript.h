// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/expression.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// The formula in JavaScript, evaluated in the same order as the planner does. Numbers are written without units. Empty
/// if a part has no formula or is a call that JavaScript does not have, such as a simulation.
std::string javascript_of(const Expression &expression);

/// A JavaScript function that evaluates the formula, after the functions that the formula calls. A parameter that
/// occurs twice is declared once. Empty if javascript_of() is.
std::string javascript_function(std::string_view name, const std::vector<std::string_view> &parameters,
                                const Expression &expression);

} // namespace meshwright

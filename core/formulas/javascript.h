// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/expression.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// The formula in JavaScript, with the same order of evaluation as in the planner. Numbers have no units. Empty if a
/// part of it has no formula or calls a function that JavaScript lacks, such as a simulation.
std::string javascript_of(const Expression &expression);

/// A JavaScript function that evaluates the formula with its parameters, together with the functions that the formula
/// calls. A repeated parameter name is listed once. Empty if javascript_of() is empty.
std::string javascript_function(std::string_view name, const std::vector<std::string_view> &parameters,
                                const Expression &expression);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace meshwright {

/// Values of the names in a step's expressions.
using NamedNumbers = std::map<std::string, double, std::less<>>;

/// The value; NaN if a name has none.
double value_of(const StepExpression &expression, const NamedNumbers &numbers);

/// The names in an expression.
std::set<std::string> names_in(const Expression &expression);

/// Parses an expression whose names are all known; nothing otherwise.
std::optional<StepExpression> expression_over(std::string_view text, const std::set<std::string, std::less<>> &known);

/// A name that a step's expressions may use: letters, digits and underscores, not beginning with a digit.
bool is_expression_name(std::string_view name);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/lesson.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace meshwright {

using NamedNumbers = std::map<std::string, double, std::less<>>;

/// Value of the expression; NaN if a name has no value.
double value_of(const StepExpression &expression, const NamedNumbers &numbers);

std::set<std::string> names_in(const Expression &expression);

/// Empty if the text is not a valid expression or uses an unknown name.
std::optional<StepExpression> expression_over(std::string_view text, const std::set<std::string, std::less<>> &known);

/// Whether a text is a valid name in a step's expressions: letters, digits and underscores, not beginning with a digit.
bool is_expression_name(std::string_view name);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/expression.h"

/// Shared by the construction, output and parsing of expressions.
namespace meshwright {

/// 1 or 0 if both are numbers, otherwise the comparison. @param sign one of < <= > >= == !=
Expression compared(std::string_view sign, const Expression &a, const Expression &b);
/// The function with this name and number of arguments, or null.
Expression::Function function_named(std::string_view name, std::size_t arguments);

} // namespace meshwright

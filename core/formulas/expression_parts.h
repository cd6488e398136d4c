// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/expression.h"

namespace meshwright {

/// Compares two expressions. Gives 1 or 0 if both are numbers, otherwise a comparison node.
/// @param sign  one of < <= > >= == !=
Expression compared(std::string_view sign, const Expression &a, const Expression &b);
/// The function with this name and number of arguments; null if there is none.
Expression::Function function_named(std::string_view name, std::size_t arguments);

} // namespace meshwright

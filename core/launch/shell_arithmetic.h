// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace meshwright {

/// Evaluates the shell's integer arithmetic: + - * / % ** ( ), comparisons and numbers. Returns false for unknown names
/// and for text that is not such an expression.
/// @param[out] value
bool shell_arithmetic(std::string_view expression, const std::map<std::string, std::string, std::less<>> &variables,
                      long long &value);

} // namespace meshwright

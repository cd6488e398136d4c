// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/shell_statements.h"
#include "launch/shell_words.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Whether a statement is a test: "[ ... ]", "[[ ... ]]", "(( ... ))", "test ...".
bool is_shell_test(const std::string &statement);

/// How to treat a variable that the script never sets: as empty, or as unknown.
enum class UnsetVariables { empty, unknown };

/// Evaluates a condition: statements [from, to) joined by && and ||. Unset if only a running shell could evaluate it.
std::optional<bool> shell_condition(const std::vector<ShellStatement> &all, std::size_t from, std::size_t to,
                                    ShellWords &words, const ShellVariables &variables, UnsetVariables unset);

} // namespace meshwright

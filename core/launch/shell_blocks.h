// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/shell_statements.h"

#include <cstddef>
#include <string>
#include <vector>

namespace meshwright {

std::string first_shell_word(const std::string &text);
/// The text without its first `length` characters and the blanks after them.
std::string shell_rest(const std::string &text, std::size_t length);

/// Whether a word begins a block that "fi", "esac" or "done" closes.
bool opens_shell_block(const std::string &word);
/// Index of the statement that closes the block opened at `at`; `to` if the block is not closed before `to`.
std::size_t shell_block_end(const std::vector<ShellStatement> &all, std::size_t at, std::size_t to);

/// End of the assigned value that begins at `at`.
std::size_t shell_value_end(const std::string &text, std::size_t at);

} // namespace meshwright

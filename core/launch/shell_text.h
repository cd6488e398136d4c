// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cctype>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace meshwright {

using ShellVariables = std::map<std::string, std::string, std::less<>>;

/// Limits on the stored commands and the stored text of a script.
inline constexpr std::size_t most_shell_commands = 20'000;
inline constexpr std::size_t most_shell_text = 4u << 20;
inline constexpr int deepest_shell_nesting = 40;

inline bool is_shell_name_start(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
inline bool is_shell_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
inline bool is_shell_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/// Position of the bracket that closes the one at `at`; the end of the text if none does.
std::size_t closing_bracket(std::string_view text, std::size_t at, char open, char close);

} // namespace meshwright

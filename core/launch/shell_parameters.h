// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// The word of "${NAME:-word}" and similar expansions if it replaces the value. With ":", it also replaces an empty
/// value.
std::optional<std::string> alternative_word(const std::string &operation, const std::optional<std::string> &value);

/// The value after an operation that changes it: "#pattern", "%pattern", "/old/new", ":start:length", ",,", "^^". Empty
/// for unsupported operations.
/// @param expand  expands a pattern or a replacement
std::optional<std::string> changed_value(const std::string &value, const std::string &operation,
                                         const std::function<std::string(const std::string &)> &expand);

/// The result of "basename" or "dirname" for a path; empty for other commands and for unknown paths.
std::optional<std::string> path_part(std::string_view command, const std::string &path);

/// The expression inside "print(int(a * b))".
std::string printed_expression(std::string code);

std::string joined_words(const std::vector<std::string> &words);

} // namespace meshwright

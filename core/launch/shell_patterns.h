// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

/// Whether a complete text matches a pattern with * and ?. The work is bounded by the product of both lengths.
bool matches_shell_pattern(std::string_view text, std::string_view pattern);

/// Whether a value matches one of the patterns in a `case` clause: "a*|(b)".
bool matches_shell_patterns(const std::string &value, std::string patterns);

/// "${NAME#pattern}", "##", "%" and "%%": the value without its shortest or longest matching prefix or suffix.
std::string without_matching_part(const std::string &value, std::string_view sign, std::string_view pattern);

} // namespace meshwright

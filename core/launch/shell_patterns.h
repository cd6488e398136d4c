// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

/// Whether a complete text matches a pattern with * and ?. The work is bounded by the product of both lengths.
bool matches_shell_pattern(std::string_view text, std::string_view pattern);

/// Whether a value matches one of the patterns in a branch of `case`: "a*|(b)".
bool matches_shell_patterns(const std::string &value, std::string patterns);

/// The value of "${NAME#pattern}", "##", "%" and "%%": without the shortest or longest matching start or end.
std::string without_matching_part(const std::string &value, std::string_view sign, std::string_view pattern);

} // namespace meshwright

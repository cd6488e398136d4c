// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace meshwright {

/// Replaces hyphens, underscores and white space with spaces, byte by byte.
std::string spaced(std::string_view text);
/// The text in lower case (ASCII only), for comparing names of terms.
std::string folded_name(std::string_view text);

/// Whether a word may begin at a byte: no letter, digit or underscore precedes it.
bool begins_word(std::string_view text, std::size_t at);
/// Whether a word may end before a byte.
bool ends_word(std::string_view text, std::size_t at);

/// Whether a name must match in case. This holds for abbreviations, which have a capital after the first letter, but
/// not for names with a digit: "bf16" matches BF16.
bool needs_its_case(std::string_view name);

} // namespace meshwright

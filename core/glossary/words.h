// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace meshwright {

/// The text with hyphens, underscores and white space replaced by spaces, byte by byte.
std::string spaced(std::string_view text);
/// The text in lower case (ASCII only). Names of terms are compared in this form.
std::string folded_name(std::string_view text);

/// Whether a word may begin at a byte: no letter, digit or underscore precedes it.
bool begins_word(std::string_view text, std::size_t at);
/// Whether a word may end before a byte.
bool ends_word(std::string_view text, std::size_t at);

/// Whether a name is written in one way only: it has a capital after its first letter, as abbreviations do, and no
/// digit, as names of formats and schedules have ("bf16" is BF16).
bool needs_its_case(std::string_view name);

} // namespace meshwright

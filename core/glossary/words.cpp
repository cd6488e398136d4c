// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/words.h"

#include <algorithm>

namespace meshwright {

namespace {

bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_word_byte(char c) {
    return is_capital(c) || (c >= 'a' && c <= 'z') || is_digit(c) || c == '_';
}

/// Whether two bytes are a Latin, Greek or Cyrillic letter in UTF-8 (U+00C0 to U+052F without × and ÷).
bool is_letter(char lead, char next) {
    const auto first = static_cast<unsigned char>(lead);
    const auto second = static_cast<unsigned char>(next);
    return first >= 0xc3 && first <= 0xd4 && !(first == 0xc3 && (second == 0x97 || second == 0xb7));
}

} // namespace

std::string spaced(std::string_view text) {
    std::string with_spaces(text);
    std::replace_if(
        with_spaces.begin(), with_spaces.end(),
        [](char c) { return c == '-' || c == '_' || c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return with_spaces;
}

std::string folded_name(std::string_view text) {
    std::string folded = spaced(text);
    std::transform(folded.begin(), folded.end(), folded.begin(),
                   [](char c) { return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c; });
    return folded;
}

bool begins_word(std::string_view text, std::size_t at) {
    if (at == 0)
        return true;
    return !is_word_byte(text[at - 1]) && !(at >= 2 && is_letter(text[at - 2], text[at - 1]));
}

bool ends_word(std::string_view text, std::size_t at) {
    if (at >= text.size())
        return true;
    return !is_word_byte(text[at]) && !(at + 1 < text.size() && is_letter(text[at], text[at + 1]));
}

bool needs_its_case(std::string_view name) {
    return name.size() > 1 && std::any_of(name.begin() + 1, name.end(), is_capital)
        && std::none_of(name.begin(), name.end(), is_digit);
}

} // namespace meshwright

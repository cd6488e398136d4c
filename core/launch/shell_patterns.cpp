// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_patterns.h"

#include "launch/shell_text.h"

#include <cstddef>

namespace meshwright {

namespace {

constexpr std::size_t longest_matched = 4'000; ///< longer values are neither names nor paths

} // namespace

bool matches_shell_pattern(std::string_view text, std::string_view pattern) {
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] != '*' && pattern[p] == text[t]))) {
            ++t;
            ++p;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

bool matches_shell_patterns(const std::string &value, std::string patterns) {
    std::erase_if(patterns, [](char c) { return is_shell_blank(c) || c == '"' || c == '\'' || c == '('; });
    for (std::size_t from = 0; from <= patterns.size();) {
        const std::size_t bar = std::min(patterns.find('|', from), patterns.size());
        if (bar > from && matches_shell_pattern(value, std::string_view(patterns).substr(from, bar - from)))
            return true;
        from = bar + 1;
    }
    return false;
}

std::string without_matching_part(const std::string &value, std::string_view sign, std::string_view pattern) {
    if (value.size() > longest_matched || pattern.size() > 200)
        return value;
    const bool from_start = sign.front() == '#';
    const bool longest = sign.size() == 2;
    const std::string_view whole = value;
    for (std::size_t i = 0; i <= value.size(); ++i) {
        const std::size_t length = longest ? value.size() - i : i;
        if (from_start && matches_shell_pattern(whole.substr(0, length), pattern))
            return value.substr(length);
        if (!from_start && matches_shell_pattern(whole.substr(value.size() - length), pattern))
            return value.substr(0, value.size() - length);
    }
    return value;
}

} // namespace meshwright

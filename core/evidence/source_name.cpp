// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/source_name.h"

#include <algorithm>

namespace meshwright {

namespace {

std::string_view next_word(std::string_view &text) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

} // namespace

std::string short_source(std::string_view source) {
    const std::string_view first = next_word(source);
    const std::size_t slash = first.find('/');
    if (slash != std::string_view::npos && slash + 1 < first.size())
        return std::string(first.substr(slash + 1));
    const std::string_view second = next_word(source);
    if (second.empty() || second == "et")
        return std::string(first);
    return std::string(first) + " " + std::string(second);
}

} // namespace meshwright

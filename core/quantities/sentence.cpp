// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantities/sentence.h"

namespace meshwright {

std::vector<std::string> texts_of(const std::vector<Sentence> &sentences) {
    std::vector<std::string> texts;
    for (const Sentence &sentence : sentences)
        texts.push_back(sentence.text);
    return texts;
}

Sentence filled_with(std::string_view pattern, std::initializer_list<Sentence> parts) {
    constexpr std::string_view place = "{}";
    Sentence whole;
    for (const Sentence &part : parts) {
        const std::size_t at = pattern.find(place);
        whole += std::string(pattern.substr(0, at));
        whole += part;
        pattern.remove_prefix(at + place.size());
    }
    return whole += std::string(pattern);
}

} // namespace meshwright

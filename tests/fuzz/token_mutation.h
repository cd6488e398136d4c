// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright::fuzz {

/// Changes texts token by token, so that most remain valid JSON, tables or formulas and pass the parser. Replaces
/// numbers by values near the limits of their ranges, replaces words by words from the corpus or the schemas, and adds
/// or removes brackets with their contents.
class TokenMutator {
public:
    /// Collects the numbers and words of a text as replacements.
    void learn(std::string_view text);
    /// Applies a few changes, mostly one or two.
    /// @param most  maximum size of the result in bytes
    std::string mutated(std::string_view text, std::size_t most, std::uint32_t seed) const;

private:
    enum class Kind { number, word, quoted, open, close, other };
    struct Token {
        Kind kind;
        std::size_t begin;
        std::size_t end;
    };
    using Random = std::minstd_rand;

    static std::vector<Token> tokens_of(std::string_view text);
    static std::size_t past_bracket(const std::vector<Token> &tokens, std::size_t open);
    void change(std::string &text, Random &random) const;
    void change_lines(std::string &text, Random &random) const;
    std::string other_number(std::string_view number, Random &random) const;
    std::string other_word(Kind kind, Random &random) const;
    std::string value(Random &random) const;

    std::vector<std::string> m_numbers;
    std::vector<std::string> m_words;
    std::vector<std::string> m_quoted;
};

} // namespace meshwright::fuzz

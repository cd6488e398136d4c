// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright::fuzz {

/// Changes texts token by token, so that most of what comes out is still JSON, a table or a formula and gets past the
/// parser: numbers become others near the edges of ranges, words others that stand in the corpus or in the schemas,
/// brackets go or come with what is in them.
class TokenMutator {
public:
    /// Takes a text's numbers and words as ones to put in.
    void learn(std::string_view text);
    /// Some changes, mostly one or two. @param most  bytes of the outcome
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

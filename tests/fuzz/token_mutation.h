// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright::fuzz {

/// Mutates texts token by token, so that most results are still JSON, a table or a formula and pass the parser: numbers
/// become numbers near the ends of ranges, words become words from the corpus or the schemas, and brackets are removed
/// or inserted with their content.
class TokenMutator {
public:
    /// Adds a text's numbers and words to those that mutations insert.
    void learn(std::string_view text);
    /// Applies several changes, usually one or two. @param most maximum bytes of the result
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

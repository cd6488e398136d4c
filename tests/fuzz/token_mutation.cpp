// SPDX-License-Identifier: GPL-3.0-or-later
#include "token_mutation.h"

#include "fuzz_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace meshwright::fuzz {

namespace {

constexpr std::size_t longest_word = 64; ///< maximum length of a learned word: longer ones are sentences
constexpr std::size_t max_words = 20'000;

constexpr std::array hostile_numbers{"0",
                                     "-1",
                                     "1",
                                     "2",
                                     "3",
                                     "7",
                                     "0.5",
                                     "1.5",
                                     "64",
                                     "100",
                                     "4096",
                                     "1e5",
                                     "1000000000",
                                     "999999999",
                                     "2147483648",
                                     "4294967296",
                                     "1e15",
                                     "1e18",
                                     "1e-9",
                                     "1e300",
                                     "-0.0",
                                     "1e308",
                                     "-1e308",
                                     "5e-324",
                                     "1e400",
                                     "1e-300",
                                     "9007199254740993",
                                     "1e100",
                                     "1e30",
                                     "1e12",
                                     "9223372036854775807",
                                     "-9223372036854775808",
                                     "18446744073709551615"};
constexpr std::array hostile_words{"",      "nan",      "inf",       "-inf", "null",     "none",  "true",
                                   "false", "../x",     "/dev/zero", "1e9",  "2GB",      "25min", "45%",
                                   "x",     "\xc3\xbc", "\xff",      "1f1b", "preset:x", "-"};

template <typename List>
auto picked(const List &list, std::minstd_rand &random) {
    return list[random() % list.size()];
}

bool is_number_part(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

bool is_word_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || (c & 0x80) != 0;
}

void learn_one(std::vector<std::string> &list, std::string_view word) {
    if (word.size() <= longest_word && list.size() < max_words)
        list.emplace_back(word);
}

std::string read_whole(const std::filesystem::path &file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// All files of a folder, or a single file.
std::vector<std::filesystem::path> files_of(const std::filesystem::path &place) {
    std::error_code error;
    if (!std::filesystem::is_directory(place, error))
        return {place};
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(place, error))
        if (entry.is_regular_file(error))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end()); // directory iteration has no defined order
    return files;
}

TokenMutator &mutator() {
    static TokenMutator learned;
    return learned;
}

} // namespace

std::vector<TokenMutator::Token> TokenMutator::tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        std::size_t end = at + 1;
        Kind kind = Kind::other;
        const bool signed_number = c == '-' && end < text.size() && is_number_part(text[end]);
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            at = end;
            continue;
        }
        if (c == '"') {
            kind = Kind::quoted;
            while (end < text.size() && text[end] != '"')
                end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text.size());
        } else if (is_number_part(c) || signed_number) {
            kind = Kind::number;
            while (end < text.size()
                   && (is_number_part(text[end]) || text[end] == 'e' || text[end] == 'E'
                       || ((text[end] == '-' || text[end] == '+') && (text[end - 1] == 'e' || text[end - 1] == 'E'))))
                ++end;
        } else if (is_word_part(c)) {
            kind = Kind::word;
            while (end < text.size() && is_word_part(text[end]))
                ++end;
        } else if (c == '{' || c == '[' || c == '(') {
            kind = Kind::open;
        } else if (c == '}' || c == ']' || c == ')') {
            kind = Kind::close;
        }
        tokens.push_back({kind, at, end});
        at = end;
    }
    return tokens;
}

void TokenMutator::learn(std::string_view text) {
    for (const Token &token : tokens_of(text)) {
        const std::string_view word = text.substr(token.begin, token.end - token.begin);
        if (token.kind == Kind::number)
            learn_one(m_numbers, word);
        else if (token.kind == Kind::word)
            learn_one(m_words, word);
        else if (token.kind == Kind::quoted && word.find(' ') == std::string_view::npos)
            learn_one(m_quoted, word);
    }
}

/// Index of the token after the bracket that closes this one.
std::size_t TokenMutator::past_bracket(const std::vector<Token> &tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        depth += tokens[i].kind == Kind::open ? 1 : tokens[i].kind == Kind::close ? -1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return tokens.size();
}

std::string TokenMutator::other_number(std::string_view number, Random &random) const {
    const double old = std::strtod(std::string(number).c_str(), nullptr);
    switch (random() % 8) {
    case 0:
    case 1:
        return picked(hostile_numbers, random);
    case 2:
        return m_numbers.empty() ? "1" : picked(m_numbers, random);
    case 3:
        return fmt::format("{:.17g}", old + (random() % 2 == 0 ? 1 : -1));
    case 4:
        return fmt::format("{:.0f}", std::exp(std::uniform_real_distribution<>(0, 24)(random)));
    case 5:
        return fmt::format("{:.17g}", std::exp(std::uniform_real_distribution<>(-20, 40)(random)));
    default:
        return fmt::format("{:.17g}",
                           old * picked(std::array{2.0, 0.5, 3.0, 4.0, 0.25, 10.0, 1e3, 1e-3, 1e6, -1.0}, random));
    }
}

std::string TokenMutator::other_word(Kind kind, Random &random) const {
    const std::vector<std::string> &known = kind == Kind::quoted ? m_quoted : m_words;
    if (!known.empty() && random() % 8 != 0)
        return picked(known, random);
    const std::string word = picked(hostile_words, random);
    return kind == Kind::quoted ? "\"" + word + "\"" : word;
}

/// A value that may follow a key.
std::string TokenMutator::value(Random &random) const {
    switch (random() % 8) {
    case 0:
        return picked(std::array{"null", "true", "false", "[]", "{}", "[[]]", "[null]", "[1,2,3]", "{\"a\":1}"},
                      random);
    case 1:
        return other_word(Kind::quoted, random);
    default:
        return other_number("1", random);
    }
}

/// Tables consist of lines: removes, duplicates or moves one.
void TokenMutator::change_lines(std::string &text, Random &random) const {
    std::vector<std::string> lines(1);
    for (const char c : text)
        if (c == '\n')
            lines.emplace_back();
        else
            lines.back() += c;
    const std::size_t at = random() % lines.size();
    const std::size_t other = random() % lines.size();
    switch (random() % 3) {
    case 0:
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
        break;
    case 1:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(other), std::string(lines[at]));
        break;
    default:
        std::swap(lines[at], lines[other]);
    }
    text = fmt::format("{}", fmt::join(lines, "\n"));
}

void TokenMutator::change(std::string &text, Random &random) const {
    const std::vector<Token> tokens = tokens_of(text);
    if (tokens.empty()) {
        text += value(random);
        return;
    }
    if (random() % 16 == 0) {
        change_lines(text, random);
        return;
    }
    std::size_t at = random() % tokens.size();
    // Parsers reject most changes of keys and punctuation, so usually moves on to a value.
    while (at + 1 < tokens.size() && random() % 16 != 0
           && (tokens[at].kind == Kind::other || tokens[at].kind == Kind::close
               || (tokens[at].kind == Kind::quoted && text[tokens[at + 1].begin] == ':')))
        ++at;
    const Token token = tokens[at];
    const std::size_t past = token.kind == Kind::open ? past_bracket(tokens, at) : at + 1;
    const std::size_t length = tokens[past - 1].end - token.begin;
    const std::string span = text.substr(token.begin, length);
    const unsigned draw = random() % 24;
    if (token.kind == Kind::open && draw < 6) {
        const bool is_object = text[token.begin] == '{';
        const bool is_empty = at + 1 < tokens.size() && tokens[at + 1].kind == Kind::close;
        text.insert(token.end,
                    (is_object ? other_word(Kind::quoted, random) + ":" : std::string()) + value(random)
                        + (is_empty ? "" : ","));
    } else if (draw == 6) {
        const bool with_comma = past < tokens.size() && text[tokens[past].begin] == ',';
        text.erase(token.begin, with_comma ? tokens[past].end - token.begin : length);
    } else if (draw == 7) {
        text.insert(token.begin, span + ",");
    } else if (draw == 8) {
        const std::size_t from = random() % tokens.size();
        const std::size_t to = tokens[from].kind == Kind::open ? past_bracket(tokens, from) : from + 1;
        text.replace(token.begin, length, text.substr(tokens[from].begin, tokens[to - 1].end - tokens[from].begin));
    } else if (draw == 9) {
        text.replace(token.begin, length, value(random));
    } else if (token.kind == Kind::number) {
        text.replace(token.begin, length, other_number(span, random));
    } else if (token.kind == Kind::word || token.kind == Kind::quoted) {
        text.replace(token.begin, length, other_word(token.kind, random));
    } else {
        text.replace(token.begin, token.end - token.begin,
                     picked(std::array{",", ":", "=", "+", "-", "*", "/", "^", "?", "(", ")", "\n", "|", ""}, random));
    }
}

std::string TokenMutator::mutated(std::string_view text, std::size_t most, std::uint32_t seed) const {
    Random random(seed);
    std::string changed(text);
    do
        change(changed, random);
    while (random() % 3 == 0);
    changed.resize(std::min(changed.size(), most));
    return changed;
}

} // namespace meshwright::fuzz

/// Learns words from the schemas and the corpus.
extern "C" int LLVMFuzzerInitialize(int *count, char ***words) {
    using namespace meshwright::fuzz;
    for (const auto &file : files_of(MESHWRIGHT_PRESETS "/schema"))
        mutator().learn(read_whole(file));
    for (int i = 1; i < *count; ++i)
        if ((*words)[i][0] != '-')
            for (const auto &file : files_of((*words)[i]))
                mutator().learn(read_whole(file));
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t most, unsigned seed) {
    using namespace meshwright::fuzz;
    if (seed % 5 == 0)
        return LLVMFuzzerMutate(data, size, most);
    const std::string changed = mutator().mutated(text_of(data, size), most, seed);
    std::memcpy(data, changed.data(), changed.size());
    return changed.size();
}

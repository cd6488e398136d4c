// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_conditions.h"

#include "launch/shell_arithmetic.h"
#include "launch/shell_patterns.h"

#include <algorithm>

namespace meshwright {

namespace {

using Truth = std::optional<bool>;

Truth both(Truth a, Truth b) {
    if ((a && !*a) || (b && !*b))
        return false;
    return a && b ? Truth(true) : std::nullopt;
}
Truth either(Truth a, Truth b) {
    if ((a && *a) || (b && *b))
        return true;
    return a && b ? Truth(false) : std::nullopt;
}
Truth opposite(Truth a) {
    return a ? Truth(!*a) : std::nullopt;
}

/// A word with its variables expanded; variables that the script never sets are empty. Unset if the word contains a
/// command's output.
std::optional<std::string> known_word(const std::string &word, UnsetVariables unset) {
    if (unset == UnsetVariables::unknown && word.find('$') != std::string::npos)
        return std::nullopt;
    if (word.find("$(") != std::string::npos || word.find('`') != std::string::npos)
        return std::nullopt;
    std::string result;
    for (std::size_t at = 0; at < word.size(); ++at) {
        if (word[at] != '$' || at + 1 == word.size()) {
            result += word[at];
        } else if (word[at + 1] == '{') {
            at = std::min(word.find('}', at), word.size() - 1);
        } else {
            ++at;
            while (at + 1 < word.size() && is_shell_name(word[at]) && is_shell_name(word[at + 1]))
                ++at;
        }
    }
    return result;
}

Truth compared(const std::string &left, const std::string &sign, const std::string &right, UnsetVariables unset) {
    const auto a = known_word(left, unset);
    const auto b = known_word(right, unset);
    if (!a || !b)
        return std::nullopt;
    if (sign == "=" || sign == "==")
        return matches_shell_pattern(*a, *b);
    if (sign == "!=")
        return !matches_shell_pattern(*a, *b);
    long long x = 0;
    long long y = 0;
    if (!shell_arithmetic(*a, {}, x) || !shell_arithmetic(*b, {}, y))
        return std::nullopt;
    if (sign == "-eq")
        return x == y;
    if (sign == "-ne")
        return x != y;
    if (sign == "-gt" || sign == ">")
        return x > y;
    if (sign == "-ge")
        return x >= y;
    if (sign == "-lt" || sign == "<")
        return x < y;
    return sign == "-le" ? Truth(x <= y) : std::nullopt;
}

/// Value of a test: the words between its brackets.
Truth primary(std::vector<std::string> words, UnsetVariables unset) {
    bool negated = false;
    while (!words.empty() && words.front() == "!") {
        negated = !negated;
        words.erase(words.begin());
    }
    Truth holds;
    if (words.size() == 2 && (words[0] == "-z" || words[0] == "-n")) {
        if (const auto word = known_word(words[1], unset))
            holds = word->empty() == (words[0] == "-z");
    } else if (words.size() == 1) {
        if (const auto word = known_word(words[0], unset))
            holds = !word->empty();
    } else if (words.size() == 3) {
        holds = compared(words[0], words[1], words[2], unset);
    } else if (words.empty()) {
        holds = false;
    }
    return negated ? opposite(holds) : holds;
}

/// Value of "A -o B -a C"; -a takes precedence over -o.
Truth joined_by_letters(const std::vector<std::string> &words, UnsetVariables unset) {
    Truth any = false;
    Truth all = true;
    std::vector<std::string> part;
    for (std::size_t i = 0; i <= words.size(); ++i) {
        const bool is_joint = i < words.size() && (words[i] == "-a" || words[i] == "-o") && !part.empty();
        if (i < words.size() && !is_joint) {
            part.push_back(words[i]);
            continue;
        }
        all = both(all, primary(std::move(part), unset));
        part.clear();
        if (i == words.size() || words[i] == "-o") {
            any = either(any, all);
            all = true;
        }
    }
    return any;
}

Truth single(std::string text, ShellWords &words, const ShellVariables &variables, UnsetVariables unset) {
    bool negated = false;
    while (text.starts_with("!")) {
        negated = !negated;
        text.erase(0, std::min(text.find_first_not_of(" \t", 1), text.size()));
    }
    Truth holds;
    if (text.starts_with("((")) {
        const std::size_t end = text.rfind("))");
        long long value = 0;
        const std::string inside = words.document_of(text.substr(2, end == std::string::npos ? end : end - 2));
        if (shell_arithmetic(inside, variables, value))
            holds = value != 0;
    } else if (is_shell_test(text)) {
        std::replace(text.begin(), text.end(), '<',
                     ' '); // "<" compares strings here; the result is unknown
        std::vector<std::string> inner = words.words_of(text, true);
        std::erase_if(inner, [](const std::string &word) {
            return word == "[" || word == "]" || word == "[[" || word == "]]" || word == "test";
        });
        holds = joined_by_letters(inner, unset);
    } else if (text == "true" || text == ":" || text == "false") {
        holds = text != "false";
    }
    return negated ? opposite(holds) : holds;
}

} // namespace

bool is_shell_test(const std::string &statement) {
    return statement.starts_with("[ ") || statement.starts_with("[[ ") || statement.starts_with("((")
        || statement.starts_with("test ") || statement.starts_with("! [");
}

std::optional<bool> shell_condition(const std::vector<ShellStatement> &all, std::size_t from, std::size_t to,
                                    ShellWords &words, const ShellVariables &variables, UnsetVariables unset) {
    Truth holds;
    bool inside = false; // "[[ A && B ]]" was split inside its brackets
    for (std::size_t i = from; i < to; ++i) {
        std::string text = all[i].text;
        if (inside)
            text.insert(0, "[[ ");
        inside = text.starts_with("[[") && text.find("]]") == std::string::npos;
        const Truth own = single(text, words, variables, unset);
        const char joint = i == from ? ';' : all[i - 1].end;
        holds = joint == '&' ? both(holds, own) : joint == '|' ? either(holds, own) : own;
    }
    return holds;
}

} // namespace meshwright

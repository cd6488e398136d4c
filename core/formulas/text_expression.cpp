// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/text_expression.h"

#include "formulas/formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

namespace meshwright {

namespace {

struct Malformed { };

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool begins_name(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether the text needs no parentheses: one number with its unit, one name or one function call.
bool stands_alone(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0 && i > 0 && std::string_view("+-*/^<>=&|?").find(text[i]) != std::string_view::npos
            && text[i - 1] == ' ')
            return false;
    }
    return !text.starts_with('-');
}

/// The remaining branch of a conditional needs no parentheses of its own.
std::string without_outer_brackets(std::string text) {
    while (text.starts_with('(')) {
        int depth = 0;
        std::size_t end = 0;
        do
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        while (++end < text.size() && depth > 0);
        if (end != text.size())
            break;
        text = text.substr(1, text.size() - 2);
    }
    return text;
}

double call(std::string_view name, const std::vector<Substitution> &arguments) {
    const auto one = [&](std::size_t count) {
        if (arguments.size() != count)
            throw Malformed{};
        return arguments.front().value;
    };
    if (name == "min" || name == "max") {
        if (arguments.size() != 2)
            throw Malformed{};
        const double first = arguments[0].value;
        const double second = arguments[1].value;
        return (name == "min" ? first < second : first > second) ? first : second;
    }
    using Function = double (*)(double);
    static constexpr std::array<std::pair<std::string_view, Function>, 6> functions{
        {{"sqrt", [](double x) { return std::sqrt(x); }},
         {"ln", [](double x) { return std::log(x); }},
         {"log2", [](double x) { return std::log2(x); }},
         {"exp", [](double x) { return std::exp(x); }},
         {"cos", [](double x) { return std::cos(x); }},
         {"abs", [](double x) { return std::abs(x); }}}};
    for (const auto &[known, function] : functions)
        if (known == name)
            return function(one(1));
    for (const TextFunction &function : text_functions())
        if (function.name == name)
            return function.of_three != nullptr
                ? (one(3), function.of_three(arguments[0].value, arguments[1].value, arguments[2].value))
                : function.function(one(1));
    throw Malformed{};
}

/// Recursive descent, with one function per level of muParser's precedence.
class TextReader {
public:
    TextReader(std::string_view text, const NameLookup &lookup)
        : m_rest(text)
        , m_lookup(lookup) { }

    Substitution whole() {
        Substitution all = conditional();
        skip_spaces();
        if (!m_rest.empty())
            throw Malformed{};
        all.text = without_outer_brackets(all.text);
        return all;
    }

private:
    void skip_spaces() {
        while (m_rest.starts_with(' '))
            m_rest.remove_prefix(1);
    }
    bool take(std::string_view token) {
        skip_spaces();
        if (!m_rest.starts_with(token))
            return false;
        m_rest.remove_prefix(token.size());
        return true;
    }
    void expect(std::string_view token) {
        if (!take(token))
            throw Malformed{};
    }
    /// Counts nested parentheses, conditionals and signs, so that deeply nested input cannot overflow the stack.
    class Level {
    public:
        explicit Level(int &depth)
            : m_depth(depth) {
            constexpr int deepest = 100;
            if (m_depth == deepest)
                throw Malformed{};
            ++m_depth;
        }
        ~Level() { --m_depth; }
        Level(const Level &) = delete;
        Level &operator=(const Level &) = delete;

    private:
        int &m_depth;
    };

    static Substitution joined(const Substitution &left, std::string_view sign, const Substitution &right,
                               double value) {
        return {value, left.text + " " + std::string(sign) + " " + right.text};
    }

    Substitution conditional() {
        const Level level(m_depth);
        const Substitution condition = either();
        if (!take("?"))
            return condition;
        const Substitution yes = conditional();
        expect(":");
        const Substitution no = conditional();
        return condition.value != 0 ? yes : no;
    }
    Substitution either() {
        Substitution left = both();
        while (take("||")) {
            const Substitution right = both();
            left = joined(left, "||", right, left.value != 0 || right.value != 0 ? 1 : 0);
        }
        return left;
    }
    Substitution both() {
        Substitution left = comparison();
        while (take("&&")) {
            const Substitution right = comparison();
            left = joined(left, "&&", right, left.value != 0 && right.value != 0 ? 1 : 0);
        }
        return left;
    }
    Substitution comparison() {
        const Substitution left = sum();
        for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"}) {
            if (!take(sign))
                continue;
            const Substitution right = sum();
            const bool equal = left.value == right.value;
            const bool holds = sign == "==" ? equal
                : sign == "!="              ? !equal
                : sign.front() == '<'       ? left.value < right.value || (equal && sign.size() == 2)
                                            : left.value > right.value || (equal && sign.size() == 2);
            return joined(left, sign, right, holds ? 1 : 0);
        }
        return left;
    }
    Substitution sum() {
        Substitution left = product();
        for (;;) {
            if (take("+")) {
                const Substitution right = product();
                left = joined(left, "+", right, left.value + right.value);
            } else if (take("-")) {
                const Substitution right = product();
                left = joined(left, "-", right, left.value - right.value);
            } else {
                return left;
            }
        }
    }
    Substitution product() {
        Substitution left = sign();
        for (;;) {
            if (take("*")) {
                const Substitution right = sign();
                left = joined(left, "*", right, left.value * right.value);
            } else if (take("/")) {
                const Substitution right = sign();
                left = joined(left, "/", right, left.value / right.value);
            } else {
                return left;
            }
        }
    }
    Substitution sign() {
        const Level level(m_depth);
        if (!take("-"))
            return power();
        const Substitution of = sign();
        return {-of.value, "-" + of.text};
    }
    Substitution power() {
        const Substitution base = atom();
        if (!take("^"))
            return base;
        const Substitution exponent = sign();
        return joined(base, "^", exponent, std::pow(base.value, exponent.value));
    }
    Substitution atom() {
        if (take("(")) {
            const Substitution inner = conditional();
            expect(")");
            return stands_alone(inner.text) ? inner : Substitution{inner.value, "(" + inner.text + ")"};
        }
        if (m_rest.empty())
            throw Malformed{};
        return is_digit(m_rest.front()) ? number() : name();
    }
    Substitution number() {
        double value = 0;
        const auto [end, error] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
        if (error != std::errc())
            throw Malformed{};
        const auto length = static_cast<std::size_t>(end - m_rest.data());
        Substitution read{value, std::string(m_rest.substr(0, length))};
        m_rest.remove_prefix(length);
        return read;
    }
    Substitution name() {
        std::size_t length = 0;
        while (length < m_rest.size() && (begins_name(m_rest[length]) || (length > 0 && is_digit(m_rest[length]))))
            ++length;
        const std::string_view word = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        if (length > 0 && take("("))
            return function(word);
        if (word == "_pi")
            return {std::numbers::pi, "pi"};
        const std::optional<Substitution> found = m_lookup(word);
        if (length == 0 || !found)
            throw Malformed{};
        return *found;
    }
    Substitution function(std::string_view word) {
        std::vector<Substitution> arguments;
        std::string text = std::string(word) + "(";
        do {
            text += arguments.empty() ? "" : ", ";
            arguments.push_back(conditional());
            text += arguments.back().text;
        } while (take(","));
        expect(")");
        return {call(word, arguments), text + ")"};
    }

    std::string_view m_rest;
    const NameLookup &m_lookup;
    int m_depth = 0;
};

} // namespace

std::optional<Substitution> substituted(std::string_view text, const NameLookup &lookup) {
    try {
        return TextReader(text, lookup).whole();
    } catch (const Malformed &) {
        return std::nullopt;
    }
}

} // namespace meshwright

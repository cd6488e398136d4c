// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/expression_parts.h"

#include <charconv>
#include <utility>

namespace meshwright {

namespace {

struct Malformed { };

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Recursive descent, with one function per level of muParser's precedence.
class TextReader {
public:
    explicit TextReader(std::string_view text)
        : m_rest(text) { }

    Expression whole() {
        Expression all = conditional();
        skip_spaces();
        if (!m_rest.empty())
            throw Malformed{};
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

    /// A binary operation. A long chain of operations makes a deep tree, so the number of operations is limited.
    Expression operation(std::string_view sign, Expression left, Expression right) {
        constexpr int most_operations = 2000;
        if (++m_operations > most_operations)
            throw Malformed{};
        return Expression::operation(sign, std::move(left), std::move(right));
    }

    Expression conditional() {
        const Level level(m_depth);
        Expression condition = either();
        if (!take("?"))
            return condition;
        Expression yes = conditional();
        expect(":");
        return Expression::choice(std::move(condition), std::move(yes), conditional());
    }
    Expression either() {
        Expression left = both();
        while (take("||"))
            left = operation("||", std::move(left), both());
        return left;
    }
    Expression both() {
        Expression left = comparison();
        while (take("&&"))
            left = operation("&&", std::move(left), comparison());
        return left;
    }
    Expression comparison() {
        Expression left = sum();
        for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"})
            if (take(sign))
                return operation(sign, std::move(left), sum());
        return left;
    }
    Expression sum() {
        Expression left = product();
        for (;;) {
            if (take("+"))
                left = operation("+", std::move(left), product());
            else if (take("-"))
                left = operation("-", std::move(left), product());
            else
                return left;
        }
    }
    Expression product() {
        Expression left = sign();
        for (;;) {
            if (take("*"))
                left = operation("*", std::move(left), sign());
            else if (take("/"))
                left = operation("/", std::move(left), sign());
            else
                return left;
        }
    }
    Expression sign() {
        const Level level(m_depth);
        bool is_negative = false;
        while (take("-")) // two signs cancel, so that a row of signs does not become a row of brackets when written
            is_negative = !is_negative;
        Expression of = power();
        return is_negative ? Expression::negation(std::move(of)) : of;
    }
    Expression power() {
        Expression base = atom();
        return take("^") ? operation("^", std::move(base), sign()) : base;
    }
    Expression atom() {
        if (take("(")) {
            Expression inner = conditional();
            expect(")");
            return inner;
        }
        if (m_rest.empty())
            throw Malformed{};
        return is_digit(m_rest.front()) ? number() : name();
    }
    Expression number() {
        double value = 0;
        const auto [end, error] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
        if (error != std::errc())
            throw Malformed{};
        const auto length = static_cast<std::size_t>(end - m_rest.data());
        Expression read = Expression::written(value, m_rest.substr(0, length));
        m_rest.remove_prefix(length);
        return read;
    }
    Expression name() {
        std::size_t length = 0;
        while (length < m_rest.size() && (begins_name(m_rest[length]) || (length > 0 && is_digit(m_rest[length]))))
            ++length;
        const std::string_view word = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        if (length == 0)
            throw Malformed{};
        return take("(") ? function(word) : Expression::name(word);
    }
    Expression function(std::string_view word) {
        std::vector<Expression> arguments;
        do
            arguments.push_back(conditional());
        while (take(","));
        expect(")");
        const Expression::Function value = function_named(word, arguments.size());
        return Expression::call(word, value, std::move(arguments));
    }

    std::string_view m_rest;
    int m_depth = 0;
    int m_operations = 0;
};

} // namespace

std::optional<Expression> parse_expression(std::string_view text) {
    try {
        return TextReader(text).whole();
    } catch (const Malformed &) {
        return std::nullopt;
    }
}

} // namespace meshwright

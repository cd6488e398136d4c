// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace meshwright::testing {

/// Exponents of bytes, seconds, FLOPs, dollars and joules; halves and quarters on the way through roots.
using Exponents = std::array<double, 5>;

inline Exponents exponents_of(const Dimensions &dimensions) {
    return {double(dimensions.bytes), double(dimensions.seconds), double(dimensions.flops), double(dimensions.dollars),
            double(dimensions.joules)};
}

/// What a part of a text is made of. A literal 0 goes with anything; the value of a plain literal is kept, as exponents
/// have to be literals where their base has a dimension.
struct Made {
    Exponents exponents{};
    bool anything = false;
    std::optional<double> literal = std::nullopt;
};

/// Checks a text by dimension: only like is added, compared or chosen between, functions and exponents take plain
/// numbers. Throws std::runtime_error with what does not agree.
class TextDimensions {
public:
    TextDimensions(std::string_view text, std::map<std::string, Exponents, std::less<>> names)
        : m_text(text)
        , m_rest(text)
        , m_names(std::move(names)) { }

    Exponents whole() {
        const Made made = conditional();
        skip();
        if (!m_rest.empty())
            fail("an end");
        return made.exponents;
    }

private:
    [[noreturn]] void fail(const std::string &expected) const {
        throw std::runtime_error(std::string(m_text) + ": " + expected + " is expected before \"" + std::string(m_rest)
                                 + "\"");
    }
    void skip() {
        while (m_rest.starts_with(' '))
            m_rest.remove_prefix(1);
    }
    bool take(std::string_view token) {
        skip();
        if (!m_rest.starts_with(token))
            return false;
        m_rest.remove_prefix(token.size());
        return true;
    }
    Made like(const Made &a, const Made &b) const {
        if (!a.anything && !b.anything && a.exponents != b.exponents)
            fail("one dimension on both sides");
        return {.exponents = a.anything ? b.exponents : a.exponents, .anything = a.anything && b.anything};
    }
    void plain(const Made &made) const {
        if (!made.anything && made.exponents != Exponents{})
            fail("a plain number");
    }
    Made conditional() {
        const Made condition = logic();
        if (!take("?"))
            return condition;
        plain(condition);
        const Made yes = conditional();
        if (!take(":"))
            fail(":");
        return like(yes, conditional());
    }
    Made logic() {
        Made left = comparison();
        while (take("&&") || take("||")) {
            plain(left);
            plain(comparison());
            left = {};
        }
        return left;
    }
    Made comparison() {
        const Made left = sum();
        for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"})
            if (take(sign)) {
                like(left, sum());
                return {};
            }
        return left;
    }
    Made sum() {
        Made left = product();
        while (take("+") || take("-"))
            left = like(left, product());
        return left;
    }
    Made product() {
        Made left = sign();
        for (;;) {
            const bool times = take("*");
            if (!times && !take("/"))
                return left;
            const Made right = sign();
            for (std::size_t i = 0; i < left.exponents.size(); ++i)
                left.exponents[i] += times ? right.exponents[i] : -right.exponents[i];
            const bool both = left.literal && right.literal;
            left.literal = both ? std::optional(times ? *left.literal * *right.literal : *left.literal / *right.literal)
                                : std::nullopt;
            left.anything = left.anything && times;
        }
    }
    Made sign() {
        if (!take("-"))
            return power();
        Made of = sign();
        of.literal = of.literal ? std::optional(-*of.literal) : std::nullopt;
        return of;
    }
    Made power() {
        Made base = atom();
        if (!take("^"))
            return base;
        const Made exponent = sign();
        plain(exponent);
        if (base.exponents == Exponents{})
            return {};
        if (!exponent.literal)
            fail("a literal exponent");
        for (double &one : base.exponents)
            one *= *exponent.literal;
        return base;
    }
    Made atom() {
        if (take("(")) {
            const Made inner = conditional();
            if (!take(")"))
                fail(")");
            return inner;
        }
        std::size_t length = 0;
        if (!m_rest.empty() && std::isdigit(static_cast<unsigned char>(m_rest.front())) != 0) {
            const double value = std::stod(std::string(m_rest), &length);
            m_rest.remove_prefix(length);
            return {.exponents = {}, .anything = value == 0, .literal = value};
        }
        while (length < m_rest.size()
               && (std::isalnum(static_cast<unsigned char>(m_rest[length])) != 0 || m_rest[length] == '_'))
            ++length;
        const std::string_view name = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        if (take("("))
            return function(name);
        const auto found = m_names.find(name);
        if (name == "_pi")
            return {};
        if (found == m_names.end())
            fail("a name");
        return {.exponents = found->second, .anything = false, .literal = std::nullopt};
    }
    Made function(std::string_view name) {
        Made argument = conditional();
        while (take(","))
            argument = like(argument, conditional());
        if (!take(")"))
            fail(")");
        if (name == "min" || name == "max" || name == "abs")
            return argument;
        if (name == "sqrt") {
            for (double &one : argument.exponents)
                one /= 2;
            return {.exponents = argument.exponents};
        }
        plain(argument);
        return {};
    }

    std::string_view m_text;
    std::string_view m_rest;
    std::map<std::string, Exponents, std::less<>> m_names;
};

} // namespace meshwright::testing

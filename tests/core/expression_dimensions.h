// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace meshwright::testing {

/// Exponents of bytes, seconds, FLOPs, dollars and joules. A square root halves them.
using Exponents = std::array<double, 5>;

inline Exponents exponents_of(const Dimensions &dimensions) {
    return {double(dimensions.bytes), double(dimensions.seconds), double(dimensions.flops), double(dimensions.dollars),
            double(dimensions.joules)};
}

/// Checks the dimensions in an expression. Terms that are added or compared, and the two alternatives of a condition,
/// must have the same dimension. Arguments of functions and exponents must be plain numbers. 0 and infinity have any
/// dimension.
class ExpressionDimensions {
public:
    explicit ExpressionDimensions(std::map<std::string, Exponents, std::less<>> names)
        : m_names(std::move(names)) { }

    /// @throws std::runtime_error naming the part whose dimensions are inconsistent
    Exponents of(const Expression &expression) const { return checked(expression).value_or(Exponents{}); }

private:
    using Kind = Expression::Kind;
    /// Empty if any dimension is possible.
    using Found = std::optional<Exponents>;

    [[noreturn]] static void fail(const Expression &at, const std::string &expected) {
        throw std::runtime_error("expected " + expected + " in " + text_of(at));
    }
    Found like(const Expression &at, const Found &a, const Found &b) const {
        if (a && b && *a != *b)
            fail(at, "terms of one dimension");
        return a ? a : b;
    }
    void plain(const Expression &expression) const {
        if (checked(expression).value_or(Exponents{}) != Exponents{})
            fail(expression, "a plain number");
    }
    Found checked(const Expression &expression) const {
        const auto &parts = expression.parts();
        switch (expression.kind()) {
        case Kind::number:
            return expression.number() == 0 || std::isinf(expression.number())
                ? Found()
                : exponents_of(dimensions_of(expression.quantity()));
        case Kind::name: {
            const auto found = m_names.find(expression.text());
            if (expression.text() == "_pi")
                return Exponents{};
            if (found == m_names.end())
                fail(expression, "a known name");
            return found->second;
        }
        case Kind::negation:
            return checked(parts[0]);
        case Kind::operation:
            return operation(expression);
        case Kind::call:
            return call(expression);
        case Kind::choice:
            plain(parts[0]);
            return like(expression, checked(parts[1]), checked(parts[2]));
        case Kind::opaque:
            break;
        }
        fail(expression, "a formula");
    }
    Found operation(const Expression &expression) const {
        const Expression &left = expression.parts()[0];
        const Expression &right = expression.parts()[1];
        switch (expression.text().front()) {
        case '+':
        case '-':
            return like(expression, checked(left), checked(right));
        case '*':
        case '/':
            return product(expression.text() == "*" ? 1 : -1, checked(left), checked(right));
        case '^':
            return power(left, right);
        case '|':
        case '&':
            plain(left);
            plain(right);
            return Exponents{};
        default:
            like(expression, checked(left), checked(right));
            return Exponents{};
        }
    }
    static Found product(int sign, const Found &left, const Found &right) {
        if (!left)
            return left;
        Exponents all = *left;
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] += sign * right.value_or(Exponents{})[i];
        return all;
    }
    Found power(const Expression &base, const Expression &exponent) const {
        plain(exponent);
        Exponents all = checked(base).value_or(Exponents{});
        if (all == Exponents{})
            return all;
        if (exponent.kind() != Kind::number)
            fail(exponent, "a number as the exponent of a quantity");
        for (double &one : all)
            one *= exponent.number();
        return all;
    }
    Found call(const Expression &expression) const {
        const auto &parts = expression.parts();
        Found all = checked(parts[0]);
        for (std::size_t i = 1; i < parts.size(); ++i)
            all = like(expression, all, checked(parts[i]));
        if (expression.text() == "min" || expression.text() == "max" || expression.text() == "abs")
            return all;
        if (expression.text() == "sqrt") {
            Exponents root = all.value_or(Exponents{});
            for (double &one : root)
                one /= 2;
            return root;
        }
        if (all.value_or(Exponents{}) != Exponents{})
            fail(expression, "a plain number");
        return Exponents{};
    }

    std::map<std::string, Exponents, std::less<>> m_names;
};

} // namespace meshwright::testing

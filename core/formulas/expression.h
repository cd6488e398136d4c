// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/text.h"

#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace meshwright {

/// A number with a unit inside a formula: `2 * flop`. In arithmetic it acts as a plain number.
struct UnitNumber {
    double value = 1;
    Quantity quantity = Quantity::number;

    constexpr operator double() const { return value; }
};
template <typename Factor>
requires std::is_arithmetic_v<Factor>
constexpr UnitNumber operator*(Factor factor, UnitNumber unit) {
    return {static_cast<double>(factor) * unit.value, unit.quantity};
}

/// The syntax tree of a formula. A formula's function returns it when called with the names of its symbols instead of
/// numbers. Neutral terms and factors are omitted, and comparisons of constants are evaluated.
class Expression {
public:
    enum class Kind {
        number,
        name, ///< a symbol
        negation,
        operation, ///< the text is an operator, and the two parts are its operands
        call, ///< the text is a function's name, and the parts are its arguments
        choice, ///< the parts are the condition, the value if it is true, and the value if it is false
        opaque ///< a computation that has no formula
    };
    using Function = double (*)(std::span<const double>);

    Expression(double number);
    Expression(int number)
        : Expression(static_cast<double>(number)) { }
    Expression(UnitNumber number);

    static Expression name(std::string_view name);
    static Expression opaque();
    static Expression operation(std::string_view sign, Expression left, Expression right);
    static Expression negation(Expression of);
    static Expression choice(Expression condition, Expression yes, Expression no);
    static Expression call(std::string_view function, Function value, std::vector<Expression> arguments);
    /// A number that text_of() writes as the given text.
    static Expression written(double number, std::string_view text);

    Kind kind() const;
    std::string_view text() const; ///< name, operator, function or number as written
    double number() const;
    Quantity quantity() const;
    const std::vector<Expression> &parts() const;
    /// Value of a call; NaN if the function is not allowed in formulas. @pre the kind is call
    double value_of(std::span<const double> arguments) const;
    /// Whether both refer to the same node, as for a part of a formula that is used twice.
    bool is_same(const Expression &other) const;
    bool has_opaque_part() const;

private:
    struct Node;
    explicit Expression(std::shared_ptr<const Node> node)
        : m_node(std::move(node)) { }

    std::shared_ptr<const Node> m_node;
};

Expression operator+(const Expression &a, const Expression &b);
Expression operator-(const Expression &a, const Expression &b);
Expression operator*(const Expression &a, const Expression &b);
Expression operator/(const Expression &a, const Expression &b);
Expression operator-(const Expression &a);
Expression operator<(const Expression &a, const Expression &b);
Expression operator<=(const Expression &a, const Expression &b);
Expression operator>(const Expression &a, const Expression &b);
Expression operator>=(const Expression &a, const Expression &b);
Expression operator==(const Expression &a, const Expression &b);
Expression operator!=(const Expression &a, const Expression &b);
Expression operator||(const Expression &a, const Expression &b);
Expression operator&&(const Expression &a, const Expression &b);

Expression min(const Expression &a, const Expression &b);
Expression max(const Expression &a, const Expression &b);
Expression pow(const Expression &base, const Expression &exponent);
Expression ceil(const Expression &x);
Expression floor(const Expression &x);
Expression sqrt(const Expression &x);
Expression log(const Expression &x); ///< written "ln"
Expression log2(const Expression &x);
Expression exp(const Expression &x);
Expression exp2(const Expression &x); ///< written "2 ^ x"
Expression expm1(const Expression &x); ///< written "exp(x) - 1"
Expression cos(const Expression &x);
Expression abs(const Expression &x);
/// The number pi, written as "_pi" in formulas.
struct Pi {
    constexpr operator double() const { return std::numbers::pi; }
};
constexpr double operator*(const Pi &pi, double factor) {
    return static_cast<double>(pi) * factor;
}
Expression operator*(const Pi &pi, const Expression &factor);

template <typename Value>
constexpr auto branch_value(const Value &value) {
    if constexpr (std::is_invocable_v<Value>)
        return value();
    else
        return value;
}
/// Returns `yes` if the condition holds, otherwise `no`. A function without parameters is called only if its value is
/// needed.
template <typename Yes, typename No>
constexpr double when(bool condition, const Yes &yes, const No &no) {
    return condition ? static_cast<double>(branch_value(yes)) : static_cast<double>(branch_value(no));
}
template <typename Yes, typename No>
Expression when(const Expression &condition, const Yes &yes, const No &no) {
    if (condition.kind() == Expression::Kind::number)
        return condition.number() != 0 ? Expression(branch_value(yes)) : Expression(branch_value(no));
    return Expression::choice(condition, branch_value(yes), branch_value(no));
}

/// Precedence of an expression's outermost operation: 0 for a choice, then ||, &&, comparisons, sums, products,
/// negations and powers. Expressions that never need parentheses have the highest precedence.
int precedence_of(const Expression &expression);

/// The formula in muParser's syntax. Numbers are written without units.
std::string text_of(const Expression &expression);

/// Parses muParser's syntax: arithmetic, comparisons, ?:, calls of any function. Returns nothing if the text is not
/// such a formula, or if it is too long or too deeply nested.
std::optional<Expression> parse_expression(std::string_view text);

/// A part of a formula with numbers in place of names, and its value.
struct Substitution {
    double value = 0;
    std::string text;
};
using NameLookup = std::function<std::optional<Substitution>(std::string_view)>;

/// Substitutes numbers for the names. A conditional is reduced to the branch that applies. Returns nothing if a name is
/// unknown or a part is opaque.
std::optional<Substitution> substituted(const Expression &expression, const NameLookup &lookup);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/expression_parts.h"

#include "formulas/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshwright {

namespace {

using Kind = Expression::Kind;

bool is_number(const Expression &expression) {
    return expression.kind() == Kind::number;
}
bool is_number(const Expression &expression, double value) {
    return is_number(expression) && expression.number() == value;
}
/// Whether the expression is this number without a unit. A factor of 1 with a unit cannot be dropped, because the unit
/// determines the dimension of the term.
bool is_plain(const Expression &expression, double value) {
    return is_number(expression, value) && expression.quantity() == Quantity::number;
}

/// Shortens a number: "1e15" for "1000000000000000", "3.6e6" for "3600000", "1 / 6" for "0.16666666666666666".
std::string number_text(double value) {
    if (std::isinf(value))
        return value > 0 ? "1 / 0" : "-1 / 0";
    if (std::isnan(value))
        return "0 / 0";
    constexpr double most_parts = 1000;
    const double parts = 1 / value;
    if (std::abs(parts) <= most_parts && parts == std::round(parts) && fmt::format("{}", value).size() > 8)
        return fmt::format("1 / {}", parts);
    constexpr double smallest_power = 1e5;
    if (std::abs(value) >= smallest_power) {
        constexpr std::size_t most_digits = 4;
        std::string power = fmt::format("{:e}", value);
        const std::size_t e = power.find('e');
        std::string digits = power.substr(0, e);
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.ends_with('.'))
            digits.pop_back();
        std::string shortest = fmt::format("{}e{}", digits, std::stoi(power.substr(e + 1)));
        if (digits.size() <= most_digits && std::stod(shortest) == value)
            return shortest;
    }
    return fmt::format("{}", value);
}

template <double (*Of)(double)>
double of_one(std::span<const double> arguments) {
    return Of(arguments[0]);
}
double lesser(std::span<const double> x) {
    return std::min(x[0], x[1]);
}
double greater(std::span<const double> x) {
    return std::max(x[0], x[1]);
}

struct BuiltIn {
    std::string_view name;
    std::size_t arguments;
    Expression::Function value;
};
/// The muParser functions that formulas use, plus ceiling and floor, which muParser lacks.
constexpr std::array<BuiltIn, 10> built_in{{{"min", 2, lesser},
                                            {"max", 2, greater},
                                            {"ceil", 1, of_one<[](double x) { return std::ceil(x); }>},
                                            {"floor", 1, of_one<[](double x) { return std::floor(x); }>},
                                            {"sqrt", 1, of_one<[](double x) { return std::sqrt(x); }>},
                                            {"ln", 1, of_one<[](double x) { return std::log(x); }>},
                                            {"log2", 1, of_one<[](double x) { return std::log2(x); }>},
                                            {"exp", 1, of_one<[](double x) { return std::exp(x); }>},
                                            {"cos", 1, of_one<[](double x) { return std::cos(x); }>},
                                            {"abs", 1, of_one<[](double x) { return std::abs(x); }>}}};

Expression called(std::string_view name, std::vector<Expression> arguments) {
    const Expression::Function value = function_named(name, arguments.size());
    return Expression::call(name, value, std::move(arguments));
}

} // namespace

Expression compared(std::string_view sign, const Expression &a, const Expression &b) {
    if (!is_number(a) || !is_number(b))
        return Expression::operation(sign, a, b);
    const double x = a.number();
    const double y = b.number();
    const bool holds = sign == "<" ? x < y
        : sign == "<="             ? x <= y
        : sign == ">"              ? x > y
        : sign == ">="             ? x >= y
        : sign == "=="             ? x == y
                                   : x != y;
    return holds ? 1 : 0;
}

Expression::Function function_named(std::string_view name, std::size_t arguments) {
    const auto known = std::find_if(built_in.begin(), built_in.end(),
                                    [&](const BuiltIn &one) { return one.name == name && one.arguments == arguments; });
    if (known != built_in.end())
        return known->value;
    for (const TextFunction &function : text_functions())
        if (function.name == name && (function.of_three != nullptr ? 3U : 1U) == arguments)
            return function.value;
    return nullptr;
}

struct Expression::Node {
    Kind kind = Kind::number;
    std::string text = {};
    double number = 0;
    Quantity quantity = Quantity::number;
    std::vector<Expression> parts = {};
    Function value = nullptr;
    bool has_opaque_part = false;
};

Expression::Expression(double number)
    : Expression(UnitNumber{number}) { }
Expression::Expression(UnitNumber number)
    : m_node(std::make_shared<Node>(Node{.kind = Kind::number,
                                         .text = number_text(number.value),
                                         .number = number.value,
                                         .quantity = number.quantity})) { }

Expression Expression::name(std::string_view name) {
    return Expression(std::make_shared<Node>(Node{.kind = Kind::name, .text = std::string(name)}));
}
Expression Expression::opaque() {
    return Expression(std::make_shared<Node>(Node{.kind = Kind::opaque, .has_opaque_part = true}));
}
Expression Expression::operation(std::string_view sign, Expression left, Expression right) {
    const bool opaque = left.has_opaque_part() || right.has_opaque_part();
    return Expression(std::make_shared<Node>(Node{.kind = Kind::operation,
                                                  .text = std::string(sign),
                                                  .parts = {std::move(left), std::move(right)},
                                                  .has_opaque_part = opaque}));
}
Expression Expression::negation(Expression of) {
    const bool opaque = of.has_opaque_part();
    return Expression(
        std::make_shared<Node>(Node{.kind = Kind::negation, .parts = {std::move(of)}, .has_opaque_part = opaque}));
}
Expression Expression::choice(Expression condition, Expression yes, Expression no) {
    const bool opaque = condition.has_opaque_part() || yes.has_opaque_part() || no.has_opaque_part();
    return Expression(std::make_shared<Node>(Node{.kind = Kind::choice,
                                                  .parts = {std::move(condition), std::move(yes), std::move(no)},
                                                  .has_opaque_part = opaque}));
}
Expression Expression::call(std::string_view function, Function value, std::vector<Expression> arguments) {
    const bool opaque =
        std::any_of(arguments.begin(), arguments.end(), [](const Expression &one) { return one.has_opaque_part(); });
    return Expression(std::make_shared<Node>(Node{.kind = Kind::call,
                                                  .text = std::string(function),
                                                  .parts = std::move(arguments),
                                                  .value = value,
                                                  .has_opaque_part = opaque}));
}
Expression Expression::written(double number, std::string_view text) {
    return Expression(std::make_shared<Node>(Node{.kind = Kind::number, .text = std::string(text), .number = number}));
}

Expression::Kind Expression::kind() const {
    return m_node->kind;
}
std::string_view Expression::text() const {
    return m_node->text;
}
double Expression::number() const {
    return m_node->number;
}
Quantity Expression::quantity() const {
    return m_node->quantity;
}
const std::vector<Expression> &Expression::parts() const {
    return m_node->parts;
}
double Expression::value_of(std::span<const double> arguments) const {
    return m_node->value != nullptr ? m_node->value(arguments) : std::nan("");
}
bool Expression::is_same(const Expression &other) const {
    return m_node == other.m_node;
}
bool Expression::has_opaque_part() const {
    return m_node->has_opaque_part;
}

Expression operator+(const Expression &a, const Expression &b) {
    if (is_number(a, 0))
        return b;
    return is_number(b, 0) ? a : Expression::operation("+", a, b);
}
Expression operator-(const Expression &a, const Expression &b) {
    if (is_number(a, 0))
        return -b;
    return is_number(b, 0) ? a : Expression::operation("-", a, b);
}
Expression operator*(const Expression &a, const Expression &b) {
    if (is_plain(a, 0) || is_plain(b, 1))
        return a;
    if (is_plain(b, 0) || is_plain(a, 1))
        return b;
    if (a.is_same(b))
        return pow(b, 2);
    const bool is_power = a.kind() == Kind::operation && a.text() == "^" && is_number(a.parts()[1]);
    if (is_power && a.parts()[0].is_same(b))
        return pow(b, a.parts()[1].number() + 1);
    return Expression::operation("*", a, b);
}
Expression operator/(const Expression &a, const Expression &b) {
    return is_plain(b, 1) || is_plain(a, 0) ? a : Expression::operation("/", a, b);
}
Expression operator-(const Expression &a) {
    return is_number(a) ? Expression(UnitNumber{-a.number(), a.quantity()}) : Expression::negation(a);
}
Expression operator<(const Expression &a, const Expression &b) {
    return compared("<", a, b);
}
Expression operator<=(const Expression &a, const Expression &b) {
    return compared("<=", a, b);
}
Expression operator>(const Expression &a, const Expression &b) {
    return compared(">", a, b);
}
Expression operator>=(const Expression &a, const Expression &b) {
    return compared(">=", a, b);
}
Expression operator==(const Expression &a, const Expression &b) {
    return compared("==", a, b);
}
Expression operator!=(const Expression &a, const Expression &b) {
    return compared("!=", a, b);
}
Expression operator||(const Expression &a, const Expression &b) {
    if (is_number(a))
        return a.number() != 0 ? Expression(1) : b;
    if (is_number(b))
        return b.number() != 0 ? Expression(1) : a;
    return Expression::operation("||", a, b);
}
Expression operator&&(const Expression &a, const Expression &b) {
    if (is_number(a))
        return a.number() == 0 ? Expression(0) : b;
    if (is_number(b))
        return b.number() == 0 ? Expression(0) : a;
    return Expression::operation("&&", a, b);
}

Expression min(const Expression &a, const Expression &b) {
    return called("min", {a, b});
}
Expression max(const Expression &a, const Expression &b) {
    return called("max", {a, b});
}
Expression pow(const Expression &base, const Expression &exponent) {
    return is_plain(exponent, 1) ? base : Expression::operation("^", base, exponent);
}
Expression ceil(const Expression &x) {
    return called("ceil", {x});
}
Expression floor(const Expression &x) {
    return called("floor", {x});
}
Expression sqrt(const Expression &x) {
    return called("sqrt", {x});
}
Expression log(const Expression &x) {
    return called("ln", {x});
}
Expression log2(const Expression &x) {
    return called("log2", {x});
}
Expression exp(const Expression &x) {
    return called("exp", {x});
}
Expression exp2(const Expression &x) {
    return pow(2, x);
}
Expression expm1(const Expression &x) {
    return exp(x) - 1;
}
Expression cos(const Expression &x) {
    return called("cos", {x});
}
Expression abs(const Expression &x) {
    return called("abs", {x});
}
Expression operator*(const Pi & /*pi*/, const Expression &factor) {
    return Expression::name("_pi") * factor;
}

} // namespace meshwright

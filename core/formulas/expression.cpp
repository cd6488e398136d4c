// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/expression.h"

#include "formulas/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

namespace meshwright {

namespace {

using Kind = Expression::Kind;

constexpr int sum_precedence = 4;
constexpr int product_precedence = 5;
constexpr int negation_precedence = 6;
constexpr int power_precedence = 7;
constexpr int atom_precedence = 8;

bool is_number(const Expression &expression) {
    return expression.kind() == Kind::number;
}
bool is_number(const Expression &expression, double value) {
    return is_number(expression) && expression.number() == value;
}
/// A number that can be left out: one with a unit carries the dimension of the whole term.
bool is_plain(const Expression &expression, double value) {
    return is_number(expression, value) && expression.quantity() == Quantity::number;
}

/// "1e15" for "1000000000000000", "3.6e6" for "3600000", "1 / 6" for "0.16666666666666666".
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
/// Functions of muParser's own that formulas use, and the ceiling and floor that it lacks.
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

/// The function of that name and number of arguments, or null.
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

Expression called(std::string_view name, std::vector<Expression> arguments) {
    const Expression::Function value = function_named(name, arguments.size());
    return Expression::call(name, value, std::move(arguments));
}

} // namespace

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

int precedence_of(const Expression &expression) {
    switch (expression.kind()) {
    case Kind::choice:
        return 0;
    case Kind::negation:
        return negation_precedence;
    case Kind::number:
        return expression.text().find('/') != std::string_view::npos ? product_precedence
            : expression.text().starts_with('-')                     ? negation_precedence
                                                                     : atom_precedence;
    case Kind::operation:
        switch (expression.text().front()) {
        case '|':
            return 1;
        case '&':
            return 2;
        case '+':
        case '-':
            return sum_precedence;
        case '*':
        case '/':
            return product_precedence;
        case '^':
            return power_precedence;
        default:
            return sum_precedence - 1;
        }
    case Kind::name:
    case Kind::call:
    case Kind::opaque:
        break;
    }
    return atom_precedence;
}

namespace {

/// A written part and the precedence of its outermost operation.
struct Written {
    std::string text;
    int precedence = atom_precedence;
    double value = 0;
};

std::string in_brackets_below(int precedence, const Written &part) {
    return part.precedence < precedence ? "(" + part.text + ")" : part.text;
}

/// "left sign right" with the brackets that it needs. Brackets that change nothing but the order of rounding are left
/// out: a * (b / c) is written a * b / c.
Written joined(std::string_view sign, int precedence, const Written &left, const Written &right) {
    const bool is_power = precedence == power_precedence;
    const bool is_comparison = precedence == sum_precedence - 1;
    const bool is_ordered = sign == "-" || sign == "/" || is_comparison || is_power;
    const int least_left = precedence + (is_power || is_comparison ? 1 : 0);
    const bool is_signed = right.text.starts_with('-'); // a * (-b / c)
    const int least_right = is_signed ? atom_precedence : precedence + (is_ordered ? 1 : 0);
    return {in_brackets_below(least_left, left) + " " + std::string(sign) + " " + in_brackets_below(least_right, right),
            precedence};
}

/// Writes an expression, with or without numbers in place of its names.
class Writer {
public:
    explicit Writer(const NameLookup *lookup)
        : m_lookup(lookup) { }

    std::optional<Written> written(const Expression &expression) const {
        switch (expression.kind()) {
        case Kind::number:
            return number(expression);
        case Kind::name:
            return name(expression);
        case Kind::negation:
            return negation(expression);
        case Kind::operation:
            return operation(expression);
        case Kind::call:
            return call(expression);
        case Kind::choice:
            return choice(expression);
        case Kind::opaque:
            break;
        }
        return std::nullopt;
    }

private:
    Written number(const Expression &expression) const {
        if (m_lookup != nullptr && expression.quantity() != Quantity::number)
            return {exact_text(expression.number(), expression.quantity()), atom_precedence, expression.number()};
        return {std::string(expression.text()), precedence_of(expression), expression.number()};
    }
    std::optional<Written> name(const Expression &expression) const {
        if (m_lookup == nullptr)
            return Written{std::string(expression.text())};
        if (expression.text() == "_pi")
            return Written{"pi", atom_precedence, std::numbers::pi};
        const std::optional<Substitution> found = (*m_lookup)(expression.text());
        if (!found)
            return std::nullopt;
        return Written{found->text, found->text.starts_with('-') ? negation_precedence : atom_precedence, found->value};
    }
    std::optional<Written> negation(const Expression &expression) const {
        const std::optional<Written> of = written(expression.parts()[0]);
        if (!of)
            return std::nullopt;
        return Written{"-" + in_brackets_below(power_precedence, *of), negation_precedence, -of->value};
    }
    std::optional<Written> operation(const Expression &expression) const {
        const Expression &left_part = expression.parts()[0];
        const Expression &right_part = expression.parts()[1];
        // A unit alone, which a text without units leaves out: "flops / flop".
        if (m_lookup == nullptr && precedence_of(expression) == product_precedence && is_unit(right_part))
            return written(left_part);
        const std::optional<Written> left = written(left_part);
        const std::optional<Written> right = written(right_part);
        if (!left || !right)
            return std::nullopt;
        Written all = joined(expression.text(), precedence_of(expression), *left, *right);
        all.value = result(expression.text(), left->value, right->value);
        return all;
    }
    static bool is_unit(const Expression &expression) {
        return is_number(expression, 1) && expression.quantity() != Quantity::number;
    }
    static double result(std::string_view sign, double a, double b) {
        switch (sign.front()) {
        case '+':
            return a + b;
        case '-':
            return a - b;
        case '*':
            return a * b;
        case '/':
            return a / b;
        case '^':
            return std::pow(a, b);
        case '|':
            return a != 0 || b != 0 ? 1 : 0;
        case '&':
            return a != 0 && b != 0 ? 1 : 0;
        default:
            return compared(sign, a, b).number();
        }
    }
    std::optional<Written> call(const Expression &expression) const {
        Written all{std::string(expression.text()) + "("};
        std::vector<double> values;
        for (const Expression &part : expression.parts()) {
            const std::optional<Written> argument = written(part);
            if (!argument)
                return std::nullopt;
            all.text += (values.empty() ? "" : ", ") + argument->text;
            values.push_back(argument->value);
        }
        all.text += ")";
        if (m_lookup != nullptr)
            all.value = expression.value_of(values);
        return all;
    }
    std::optional<Written> choice(const Expression &expression) const {
        const std::optional<Written> condition = written(expression.parts()[0]);
        if (!condition)
            return std::nullopt;
        if (m_lookup != nullptr)
            return written(expression.parts()[condition->value != 0 ? 1 : 2]);
        const std::optional<Written> yes = written(expression.parts()[1]);
        const std::optional<Written> no = written(expression.parts()[2]);
        if (!yes || !no)
            return std::nullopt;
        return Written{in_brackets_below(1, *condition) + " ? " + yes->text + " : " + no->text, 0};
    }

    const NameLookup *m_lookup;
};

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

    /// A long chain of operations is a deep tree.
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
        return take("-") ? Expression::negation(sign()) : power();
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

std::string text_of(const Expression &expression) {
    const std::optional<Written> all = Writer(nullptr).written(expression);
    return all ? all->text : std::string();
}

std::optional<Expression> parse_expression(std::string_view text) {
    try {
        return TextReader(text).whole();
    } catch (const Malformed &) {
        return std::nullopt;
    }
}

std::optional<Substitution> substituted(const Expression &expression, const NameLookup &lookup) {
    const std::optional<Written> all = Writer(&lookup).written(expression);
    return all ? std::optional(Substitution{all->value, all->text}) : std::nullopt;
}

} // namespace meshwright

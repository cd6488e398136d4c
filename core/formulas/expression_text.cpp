// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/expression_parts.h"

#include <cmath>
#include <numbers>

namespace meshwright {

namespace {

using Kind = Expression::Kind;

constexpr int sum_precedence = 4;
constexpr int product_precedence = 5;
constexpr int negation_precedence = 6;
constexpr int power_precedence = 7;
constexpr int atom_precedence = 8;

} // namespace

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

/// Text of a subexpression and the precedence of its outermost operation.
struct Written {
    std::string text;
    int precedence = atom_precedence;
    double value = 0;
};

std::string in_brackets_below(int precedence, const Written &part) {
    return part.precedence < precedence ? "(" + part.text + ")" : part.text;
}

/// "left sign right" with the necessary brackets. Brackets that affect only the order of rounding are omitted: a * (b /
/// c) is written a * b / c.
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
        // A text without units omits a factor that is only a unit: "flops / flop" becomes "flops".
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
        return expression.kind() == Kind::number && expression.number() == 1
            && expression.quantity() != Quantity::number;
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

} // namespace

std::string text_of(const Expression &expression) {
    const std::optional<Written> all = Writer(nullptr).written(expression);
    return all ? all->text : std::string();
}

std::optional<Substitution> substituted(const Expression &expression, const NameLookup &lookup) {
    const std::optional<Written> all = Writer(&lookup).written(expression);
    return all ? std::optional(Substitution{all->value, all->text}) : std::nullopt;
}

} // namespace meshwright

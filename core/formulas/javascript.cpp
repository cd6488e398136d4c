// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/javascript.h"

#include <algorithm>
#include <array>
#include <optional>

namespace meshwright {

namespace {

/// A function that formulas call: its JavaScript name, and its definition if JavaScript lacks it.
struct ScriptFunction {
    std::string_view name;
    std::string_view script;
    std::string_view definition = {};
};
constexpr std::array<ScriptFunction, 12> script_functions{{
    {"min", "Math.min"},
    {"max", "Math.max"},
    {"ceil", "Math.ceil"},
    {"floor", "Math.floor"},
    {"sqrt", "Math.sqrt"},
    {"ln", "Math.log"},
    {"log2", "Math.log2"},
    {"exp", "Math.exp"},
    {"cos", "Math.cos"},
    {"abs", "Math.abs"},
    {"harmonic", "harmonic", R"(    function harmonic(n) {
        if (n < 0)
            return NaN;
        if (n > 100)
            return Math.log(n) + 0.5772156649015329 + 1 / (2 * n) - 1 / (12 * n * n) + 1 / (120 * n * n * n * n);
        let sum = 0;
        for (let k = Math.floor(n); k >= 1; --k)
            sum += 1 / k;
        return sum;
    }
)"},
    {"binary_entropy", "binary_entropy", R"(    function binary_entropy(p) {
        return p <= 0 || p >= 1 ? 0 : -p * Math.log2(p) - (1 - p) * Math.log2(1 - p);
    }
)"},
}};

const ScriptFunction *script_function(std::string_view name) {
    const auto *const found = std::find_if(script_functions.begin(), script_functions.end(),
                                           [&](const ScriptFunction &one) { return one.name == name; });
    return found == script_functions.end() ? nullptr : found;
}

/// JavaScript name of a symbol. Reserved words are changed.
std::string script_name(std::string_view name) {
    constexpr std::array<std::string_view, 43> reserved{
        "arguments", "await",  "break",    "case",  "catch",  "class", "const",     "continue", "debugger",
        "default",   "delete", "do",       "else",  "enum",   "eval",  "export",    "extends",  "false",
        "finally",   "for",    "function", "if",    "import", "in",    "let",       "new",      "null",
        "package",   "return", "static",   "super", "switch", "this",  "throw",     "true",     "try",
        "typeof",    "var",    "void",     "while", "with",   "yield", "instanceof"};
    if (name == "_pi")
        return "Math.PI";
    const bool taken = std::find(reserved.begin(), reserved.end(), name) != reserved.end();
    return std::string(name) + (taken ? "_" : "");
}

/// JavaScript text of a subexpression, with the precedence of its outermost operator as in precedence_of().
struct ScriptPart {
    std::string text;
    int precedence;
};
using MaybeScript = std::optional<ScriptPart>;

constexpr int script_or = 1;
constexpr int script_and = 2;
constexpr int script_comparison = 3;
constexpr int script_sum = 4;
constexpr int script_product = 5;
constexpr int script_negation = 6;
constexpr int script_power = 7;
constexpr int script_atom = 8;

std::string bracketed_below(int precedence, const ScriptPart &part) {
    return part.precedence < precedence ? "(" + part.text + ")" : part.text;
}

class ScriptWriter {
public:
    MaybeScript number(const Expression &expression) {
        switch (expression.kind()) {
        case Expression::Kind::number:
            return ScriptPart{std::string(expression.text()), precedence_of(expression)};
        case Expression::Kind::name:
            return ScriptPart{script_name(expression.text()), script_atom};
        case Expression::Kind::negation:
            return negation(expression);
        case Expression::Kind::operation:
            return operation(expression);
        case Expression::Kind::call:
            return call(expression);
        case Expression::Kind::choice:
            return choice(expression);
        case Expression::Kind::opaque:
            break;
        }
        return std::nullopt;
    }
    std::string definitions() const {
        std::string all;
        for (const ScriptFunction &one : script_functions)
            if (std::find(m_called.begin(), m_called.end(), one.name) != m_called.end())
                all += one.definition;
        return all;
    }

private:
    static bool is_condition(const Expression &expression) {
        const int precedence = precedence_of(expression);
        return expression.kind() == Expression::Kind::operation && precedence >= script_or
            && precedence <= script_comparison;
    }
    MaybeScript negation(const Expression &expression) {
        const MaybeScript of = number(expression.parts()[0]);
        return of ? MaybeScript({"-" + bracketed_below(script_atom, *of), script_negation}) : std::nullopt;
    }
    MaybeScript operation(const Expression &expression) {
        if (is_condition(expression)) {
            const MaybeScript holds = condition(expression);
            return holds ? MaybeScript({holds->text + " ? 1 : 0", 0}) : std::nullopt;
        }
        const Expression &right_part = expression.parts()[1];
        const int precedence = precedence_of(expression);
        const bool is_unit = right_part.kind() == Expression::Kind::number && right_part.number() == 1
            && right_part.quantity() != Quantity::number;
        if (is_unit && precedence == script_product)
            return number(expression.parts()[0]);
        const MaybeScript left = number(expression.parts()[0]);
        const MaybeScript right = number(right_part);
        if (!left || !right)
            return std::nullopt;
        const bool is_power = precedence == script_power;
        const int least_right = right->text.starts_with('-') ? script_atom : precedence + 1;
        return ScriptPart{bracketed_below(is_power ? script_atom : precedence, *left)
                              + (is_power ? " ** " : " " + std::string(expression.text()) + " ")
                              + bracketed_below(least_right, *right),
                          precedence};
    }
    MaybeScript condition(const Expression &expression) {
        if (!is_condition(expression)) {
            const MaybeScript value = number(expression);
            return value ? MaybeScript({bracketed_below(script_sum, *value) + " !== 0", script_comparison})
                         : std::nullopt;
        }
        const int precedence = precedence_of(expression);
        const bool joins = precedence <= script_and;
        const MaybeScript left = joins ? condition(expression.parts()[0]) : number(expression.parts()[0]);
        const MaybeScript right = joins ? condition(expression.parts()[1]) : number(expression.parts()[1]);
        if (!left || !right)
            return std::nullopt;
        const bool is_equality = expression.text() == "==" || expression.text() == "!=";
        const std::string sign = std::string(expression.text()) + (is_equality ? "=" : "");
        return ScriptPart{bracketed_below(joins ? precedence : precedence + 1, *left) + " " + sign + " "
                              + bracketed_below(precedence + 1, *right),
                          precedence};
    }
    MaybeScript choice(const Expression &expression) {
        const MaybeScript holds = condition(expression.parts()[0]);
        const MaybeScript yes = number(expression.parts()[1]);
        const MaybeScript no = number(expression.parts()[2]);
        if (!holds || !yes || !no)
            return std::nullopt;
        return ScriptPart{holds->text + " ? " + bracketed_below(script_or, *yes) + " : " + no->text, 0};
    }
    MaybeScript call(const Expression &expression) {
        const ScriptFunction *const function = script_function(expression.text());
        if (function == nullptr)
            return std::nullopt;
        m_called.push_back(function->name);
        std::string text = std::string(function->script) + "(";
        for (const Expression &part : expression.parts()) {
            const MaybeScript argument = number(part);
            if (!argument)
                return std::nullopt;
            text += (text.ends_with('(') ? "" : ", ") + argument->text;
        }
        return ScriptPart{text + ")", script_atom};
    }

    std::vector<std::string_view> m_called;
};

} // namespace

std::string javascript_of(const Expression &expression) {
    const MaybeScript all = ScriptWriter().number(expression);
    return all ? all->text : std::string();
}

std::string javascript_function(std::string_view name, const std::vector<std::string_view> &parameters,
                                const Expression &expression) {
    ScriptWriter writer;
    const MaybeScript all = writer.number(expression);
    if (!all)
        return {};
    std::string listed;
    for (auto parameter = parameters.begin(); parameter != parameters.end(); ++parameter)
        if (std::find(parameters.begin(), parameter, *parameter) == parameter)
            listed += (listed.empty() ? "" : ", ") + script_name(*parameter);
    return "function " + std::string(name) + "(" + listed + ") {\n" + writer.definitions() + "    return " + all->text
        + ";\n}\n";
}

} // namespace meshwright

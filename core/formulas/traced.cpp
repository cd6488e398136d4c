// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/traced.h"

#include "formulas/formula.h"
#include "formulas/function.h"
#include "formulas/special_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace meshwright {

namespace {

constexpr char opening = '\1';
constexpr char closing = '\2';

/// A node's name in an expression. It is unique and never occurs in a formula's text.
std::string address_of(const Derivation *node) {
    return fmt::format("{}{}{}", opening, static_cast<const void *>(node), closing);
}

struct Catalogued {
    const Formula *formula = nullptr;
    const FormulaResult *result = nullptr;
};
Catalogued catalogued(const void *function) {
    static const std::map<const void *, Catalogued> by_function = [] {
        std::map<const void *, Catalogued> all;
        for (const Formula &formula : formulas())
            for (const FormulaResult &result : formula.results)
                all.try_emplace(result.identity, Catalogued{&formula, &result});
        return all;
    }();
    const auto found = by_function.find(function);
    return found != by_function.end() ? found->second : Catalogued{};
}

} // namespace

Traced::Traced(double number)
    : m_value(number)
    , m_expression(number) { }

Traced::Traced(Derivation node)
    : m_value(node.value)
    , m_expression(0.0)
    , m_nodes{std::make_shared<const Derivation>(std::move(node))} {
    m_expression = Expression::name(address_of(m_nodes.front().get()));
}

void Traced::add_nodes_of(const Traced &other) {
    for (const Node &node : other.m_nodes)
        if (std::find(m_nodes.begin(), m_nodes.end(), node) == m_nodes.end())
            m_nodes.push_back(node);
}

Traced Traced::joined(const Traced &a, const Traced &b, double value, Express express) {
    Traced all(value);
    if (a.is_plain() && b.is_plain())
        return all;
    all.m_expression = express(a.m_expression, b.m_expression);
    all.m_nodes = a.m_nodes;
    all.add_nodes_of(b);
    return all;
}

Traced operator+(const Traced &a, const Traced &b) {
    return Traced::joined(a, b, a.m_value + b.m_value, [](const Expression &x, const Expression &y) { return x + y; });
}
Traced operator-(const Traced &a, const Traced &b) {
    return Traced::joined(a, b, a.m_value - b.m_value, [](const Expression &x, const Expression &y) { return x - y; });
}
Traced operator*(const Traced &a, const Traced &b) {
    return Traced::joined(a, b, a.m_value * b.m_value, [](const Expression &x, const Expression &y) { return x * y; });
}
Traced operator/(const Traced &a, const Traced &b) {
    return Traced::joined(a, b, a.m_value / b.m_value, [](const Expression &x, const Expression &y) { return x / y; });
}
Traced min(const Traced &a, const Traced &b) {
    return Traced::joined(a, b, std::min(a.m_value, b.m_value),
                          [](const Expression &x, const Expression &y) { return min(x, y); });
}
Traced max(const Traced &a, const Traced &b) {
    return Traced::joined(a, b, std::max(a.m_value, b.m_value),
                          [](const Expression &x, const Expression &y) { return max(x, y); });
}
Traced pow(const Traced &base, const Traced &exponent) {
    return Traced::joined(base, exponent, std::pow(base.m_value, exponent.m_value),
                          [](const Expression &x, const Expression &y) { return pow(x, y); });
}

Traced ceil(const Traced &number) {
    return Traced::joined(number, 0, std::ceil(number.m_value),
                          [](const Expression &x, const Expression & /*unused*/) { return ceil(x); });
}

Traced floor(const Traced &number) {
    return Traced::joined(number, 0, std::floor(number.m_value),
                          [](const Expression &x, const Expression & /*unused*/) { return floor(x); });
}

Traced select(const Traced &condition, const Traced &yes, const Traced &no) {
    const Traced &chosen = condition.m_value != 0 ? yes : no;
    if (condition.is_plain())
        return chosen;
    Traced all(chosen.m_value);
    all.m_expression = Expression::choice(condition.m_expression, yes.m_expression, no.m_expression);
    for (const Traced *const part : {&condition, &yes, &no})
        all.add_nodes_of(*part);
    return all;
}

Derivation Traced::derivation(Labelled what, std::string_view source) const {
    if (is_plain())
        return published(std::move(what), m_value, std::string(source));
    if (m_expression.kind() == Expression::Kind::name) {
        Derivation node = *m_nodes.front();
        for (const Node &each : m_nodes)
            if (m_expression.text() == address_of(each.get()))
                node = *each;
        node.name = std::move(what.name);
        if (!what.title.empty())
            node.title = std::move(what.title);
        return node;
    }
    const std::string addressed = text_of(m_expression);
    std::vector<Derivation> inputs;
    std::map<std::string, std::string, std::less<>> names;
    std::map<std::string, int> uses;
    for (const Node &node : m_nodes) {
        const std::string address = address_of(node.get());
        if (addressed.find(address) == std::string::npos)
            continue; // the node was multiplied by zero, so it is absent from the expression
        const int before = uses[node->name]++;
        inputs.push_back(*node);
        if (before > 0)
            inputs.back().name += fmt::format("_{}", before + 1);
        names[address] = inputs.back().name;
    }
    if (inputs.empty())
        return published(std::move(what), m_value, std::string(source));
    std::string text;
    for (std::size_t at = 0; at < addressed.size();) {
        if (addressed[at] != opening) {
            text += addressed[at++];
            continue;
        }
        const std::size_t end = addressed.find(closing, at) + 1;
        text += names.find(std::string_view(addressed).substr(at, end - at))->second;
        at = end;
    }
    return derived(std::move(what), m_value, std::move(text), std::string(source), std::move(inputs));
}

Traced traced_constant(ConstantId id, double value) {
    Derivation leaf = constant_value(id, Assumptions());
    leaf.value = value;
    return Traced(std::move(leaf));
}

Traced label(const Traced &number, const Label &as) {
    if (number.is_plain())
        return number;
    return Traced(number.derivation({identifier(as.name), std::string(as.title), as.quantity}, as.source));
}

Traced traced_call(const void *function, std::span<const Traced> arguments, double value,
                   Expression (*express)(std::span<const Expression>)) {
    if (std::all_of(arguments.begin(), arguments.end(), [](const Traced &argument) { return argument.is_plain(); }))
        return Traced(value);
    const auto [formula, result] = catalogued(function);
    if (formula == nullptr) {
        Traced written_out(value);
        std::vector<Expression> expressions;
        for (const Traced &argument : arguments) {
            expressions.push_back(argument.m_expression);
            written_out.add_nodes_of(argument);
        }
        written_out.m_expression = express(expressions);
        return written_out;
    }
    std::vector<Derivation> inputs;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const Symbol &symbol = *formula->find_symbol(result->arguments[i]);
        inputs.push_back(
            arguments[i].derivation({std::string(symbol.name), {}, own_quantity(symbol)}, formula->source));
        if (inputs.back().title.empty())
            inputs.back().title = symbol.meaning;
    }
    return Traced(by_formula({std::string(result->name), std::string(result->meaning), own_quantity(*result)},
                             formula->id, result->name, std::move(inputs)));
}

} // namespace meshwright

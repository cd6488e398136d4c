// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/step_expressions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshwright {

namespace {

void collect(const Expression &expression, std::set<std::string> &names) {
    if (expression.kind() == Expression::Kind::name)
        names.emplace(expression.text());
    for (const Expression &part : expression.parts())
        collect(part, names);
}

} // namespace

double value_of(const StepExpression &expression, const NamedNumbers &numbers) {
    const std::optional<Substitution> value =
        substituted(expression.parsed, [&](std::string_view name) -> std::optional<Substitution> {
            const auto found = numbers.find(name);
            return found == numbers.end() ? std::nullopt
                                          : std::optional(Substitution{.value = found->second, .text = {}});
        });
    return value ? value->value : std::numeric_limits<double>::quiet_NaN();
}

std::set<std::string> names_in(const Expression &expression) {
    std::set<std::string> names;
    collect(expression, names);
    return names;
}

std::optional<StepExpression> expression_over(std::string_view text, const std::set<std::string, std::less<>> &known) {
    const std::optional<Expression> parsed = parse_expression(text);
    if (!parsed)
        return std::nullopt;
    const std::set<std::string> names = names_in(*parsed);
    if (!std::all_of(names.begin(), names.end(), [&](const std::string &name) { return known.contains(name); }))
        return std::nullopt;
    return StepExpression{.text = std::string(text), .parsed = *parsed};
}

bool is_expression_name(std::string_view name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && name.size() <= 40 && is_letter(name.front())
        && std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

} // namespace meshwright

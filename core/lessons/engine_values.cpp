// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/engine_values.h"

#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "explain/explain.h"
#include "formulas/formula.h"
#include "formulas/special_units.h"
#include "input/diagnostic.h"
#include "lessons/step_parts.h"
#include "plan/plan_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_results = 4096;

/// The number of a figure in a result's JSON; 1 or 0 for true or false.
double number_at(const Json &figures, const std::string &path) {
    const Json::json_pointer place = pointer_of_path(path);
    if (figures.contains(place)) {
        const Json &found = figures.at(place);
        if (found.is_boolean())
            return found.get<bool>() ? 1 : 0;
        if (found.is_number())
            return found.get<double>();
    }
    throw InputError("", fmt::format("results have no figure {}", path), "expected a figure, such as step.mfu");
}

Derivation without_depth(const Derivation &whole) {
    Derivation node = whole;
    for (Derivation &input : node.inputs.own()) {
        input.inputs = {};
        input.formula.clear();
    }
    return node;
}

} // namespace

std::string text_of(double value, const FigureKind &kind) {
    if (kind.is_yes_or_no)
        return value != 0 ? "yes" : "no";
    return text_of(value, kind.quantity);
}

std::string display_text(double value, Quantity quantity, const std::string &unit) {
    return unit.empty() ? text_of(value, quantity) : with_unit(text_of(value, Quantity::number), unit);
}

std::string engine_value_text(const LessonStep &step, std::string_view name, double value) {
    for (const EngineValue &each : step.values)
        if (each.name == name)
            if (const Formula *const formula = find_formula(each.formula))
                if (const FormulaResult *const result = formula->find_result(each.result))
                    return text_of(value, result->quantity);
    return text_of(value, Quantity::number);
}

std::string usual_unit(Quantity quantity) {
    if (quantity == Quantity::number || quantity == Quantity::count)
        return {};
    return quantity == Quantity::share ? "%" : unit_name(quantity, {});
}

std::map<std::string, std::string, std::less<>>
LessonEngine::arguments_of(const LessonStep &step, const EngineValue &value, const NamedNumbers &numbers) const {
    const Formula &formula = *find_formula(value.formula);
    std::map<std::string, std::string, std::less<>> arguments;
    for (const DrawnNumber &draw : step.draws)
        if (const Symbol *const symbol = formula.find_symbol(draw.name))
            if (const auto number = numbers.find(draw.name); number != numbers.end())
                arguments[draw.name] = value_text(number->second, *symbol);
    for (const GivenArgument &argument : value.arguments) {
        const Symbol *const symbol = formula.find_symbol(argument.name);
        const auto text = [&](const GivenArgument &each) {
            return each.expression && symbol != nullptr
                ? value_text(meshwright::value_of(*each.expression, numbers), *symbol)
                : each.text;
        };
        std::string &all = arguments[argument.name] = text(argument);
        for (const GivenArgument &item : argument.items)
            all += (all.empty() ? "" : ",") + text(item);
    }
    return arguments;
}

double LessonEngine::value_of(const LessonStep &step, const EngineValue &value, const NamedNumbers &numbers) {
    if (!value.figure.empty())
        return number_at(figures_json(*result_with(value.settings, numbers)), value.figure);
    const Calculation calculation = calculate(value.formula, arguments_of(step, value, numbers));
    for (const Calculation::Value &each : calculation.values)
        if (each.result->name == value.result)
            return each.value * si_of(each.result->quantity, each.result->unit);
    throw InputError("", fmt::format("{} needs more arguments to calculate {}", value.formula, value.result),
                     "expected all arguments that the result needs");
}

Derivation LessonEngine::derivation_of(const LessonStep &step, const EngineValue &value, const NamedNumbers &numbers) {
    if (!value.figure.empty()) {
        const std::shared_ptr<const Result> result = result_with(value.settings, numbers);
        const Derivation tree = explain(*result);
        if (const Derivation *const figure = find_figure(tree, value.figure))
            return named(value.name, without_depth(*figure));
        Derivation node;
        node.name = value.name;
        node.title = value.figure;
        node.value = number_at(figures_json(*result), value.figure);
        node.source = "the evaluated plan";
        return node;
    }
    const Calculation calculation = calculate(value.formula, arguments_of(step, value, numbers));
    std::vector<Derivation> inputs;
    for (const Symbol &symbol : calculation.formula->symbols) {
        const auto argument = calculation.arguments.find(symbol.name);
        if (argument == calculation.arguments.end())
            continue;
        Derivation leaf;
        leaf.name = std::string(symbol.name);
        leaf.title = std::string(symbol.meaning);
        leaf.value = argument->second;
        leaf.quantity = own_quantity(symbol);
        if (!symbol.unit.empty())
            leaf.title += fmt::format(" ({})", symbol.unit);
        leaf.origin = Origin::plan;
        leaf.source = "given";
        inputs.push_back(std::move(leaf));
    }
    for (const Calculation::Value &each : calculation.values) {
        if (each.result->name != value.result)
            continue;
        Derivation node;
        node.name = value.name;
        node.title = std::string(each.result->meaning);
        node.value = each.value * si_of(each.result->quantity, each.result->unit);
        node.quantity = each.result->quantity;
        node.formula = formula_text(*each.result);
        node.source = std::string(calculation.formula->source);
        node.calculator = value.formula;
        node.result = value.result;
        const std::vector<std::string_view> &used = each.result->arguments;
        for (Derivation &input : inputs)
            if (std::find(used.begin(), used.end(), input.name) != used.end())
                node.inputs.push_back(std::move(input));
        return node;
    }
    throw InputError("", fmt::format("{} needs more arguments to calculate {}", value.formula, value.result),
                     "expected all arguments that the result needs");
}

Json with_settings(Json document, const std::vector<FieldSetting> &settings, const NamedNumbers &numbers,
                   const Library &library) {
    for (const FieldSetting &setting : settings) {
        if (setting.field == "plan") {
            document = library.json(PresetKind::plan, text_of_json(setting.value));
            continue;
        }
        Json value = setting.value;
        if (setting.expression) {
            const double number = value_of(*setting.expression, numbers);
            if (std::abs(number) < 1e15 && number == std::floor(number))
                value = static_cast<std::int64_t>(number);
            else
                value = number;
        }
        set_field(document, setting.field + "=" + value.dump(), library);
    }
    return document;
}

std::shared_ptr<const Result> LessonEngine::result_with(const std::vector<FieldSetting> &settings,
                                                        const NamedNumbers &numbers) {
    const Json document = with_settings(m_lesson.plan, settings, numbers, m_library);
    if (m_results.size() > most_results)
        m_results.clear();
    std::shared_ptr<const Result> &result = m_results[document.dump()];
    if (result == nullptr)
        result = std::make_shared<const Result>(evaluate(plan_from_json(document, m_library), Depth::numbers));
    return result;
}

const FigureKind &LessonEngine::kind_in(const Result &result, const std::string &path) {
    const auto known = m_kinds.find(path);
    if (known != m_kinds.end())
        return known->second;
    FigureKind kind{.quantity = Quantity::number, .title = path, .is_yes_or_no = false};
    const Derivation tree = explain(result);
    if (const Derivation *const found = find_figure(tree, path)) {
        kind.quantity = found->quantity;
        kind.title = found->title;
    }
    const Json figures = figures_json(result);
    const Json::json_pointer place = pointer_of_path(path);
    kind.is_yes_or_no = figures.contains(place) && figures.at(place).is_boolean();
    return m_kinds.emplace(path, std::move(kind)).first->second;
}

const FigureKind &LessonEngine::kind_of(const EngineValue &value, const NamedNumbers &numbers) {
    const auto known = m_kinds.find(value.figure);
    return known == m_kinds.end() ? kind_in(*result_with(value.settings, numbers), value.figure) : known->second;
}

PlanFigure LessonEngine::figure_of(const Result &result, const std::string &path) {
    return {.value = number_at(figures_json(result), path), .kind = kind_in(result, path)};
}

} // namespace meshwright

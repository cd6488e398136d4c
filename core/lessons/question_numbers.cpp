// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/question_numbers.h"

#include "formulas/formula.h"
#include "formulas/special_units.h"
#include "lessons/step_parts.h"
#include "quantities/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Words for quantities in lessons, in the order of Quantity's enumerators.
const std::vector<std::string> &quantity_words() {
    static const std::vector<std::string> words{"number",
                                                "share",
                                                "count",
                                                "bytes",
                                                "seconds",
                                                "bytes_per_second",
                                                "bits_per_second",
                                                "flops",
                                                "flops_per_second",
                                                "watts",
                                                "joules",
                                                "dollars",
                                                "dollars_per_hour",
                                                "dollars_per_kilowatt_hour",
                                                "tokens",
                                                "parameters"};
    return words;
}

} // namespace

void QuestionNumbers::read() {
    read_formula_ids();
    read_draws();
    read_values();
}

/// Reads the ids of the formulas that the step uses, because their symbols determine the units of the random numbers.
void QuestionNumbers::read_formula_ids() {
    if (std::string id; m_reader.has("formula") && m_reader.text("formula", id))
        m_formulas.push_back(id);
    if (const Json *const values = m_reader.raw("values"); values != nullptr && values->is_object())
        for (const auto &item : values->items())
            if (item.value().is_object() && item.value().contains("formula") && item.value()["formula"].is_string())
                m_formulas.push_back(item.value()["formula"].get<std::string>());
}

/// Symbol of this name in the formulas that the step uses; null if there is none.
const Symbol *QuestionNumbers::symbol_named(std::string_view name) const {
    for (const std::string &id : m_formulas)
        if (const Formula *const formula = find_formula(id))
            if (const Symbol *const symbol = formula->find_symbol(name))
                return symbol;
    return nullptr;
}

void QuestionNumbers::read_draws() {
    const Json *const draws = m_reader.raw("draw");
    if (draws == nullptr)
        return;
    if (!draws->is_object()) {
        m_reader.problem("draw", "is not an object", "expected names, each with a list of values");
        return;
    }
    for (const auto &item : draws->items())
        read_draw(item.key(), item.value());
}

void QuestionNumbers::read_draw(const std::string &name, const Json &given) {
    if (!is_expression_name(name)) {
        m_reader.problem("draw", fmt::format("\"{}\" is not a valid name", name.substr(0, 40)),
                         "expected letters, digits and underscores");
        return;
    }
    DrawnNumber draw{.name = name, .quantity = Quantity::number, .unit = {}, .values = {}, .words = {}};
    const Symbol *const known = symbol_named(name);
    if (known != nullptr && known->is_list) {
        m_reader.problem(
            "draw", fmt::format("{} is a list of numbers, which cannot be drawn as a whole", name),
            fmt::format("expected one draw per item, and a list of the items under \"with\": {{{}: [first, second]}}",
                        name));
        return;
    }
    if (known != nullptr) {
        draw.quantity = known->quantity;
        draw.unit = std::string(known->unit);
    }
    if (given.is_object() && given.contains("quantity"))
        draw.quantity = quantity_named("draw", text_of_json(given["quantity"]), draw.quantity);
    const Symbol own{.name = draw.name, .letter = {}, .meaning = {}, .quantity = draw.quantity, .unit = draw.unit};
    const Json *const list = given.is_array()           ? &given
        : given.is_object() && given.contains("values") ? &given["values"]
                                                        : nullptr;
    const std::string unit = given.is_object() && given.contains("unit") ? " " + text_of_json(given["unit"]) : "";
    std::vector<std::string> texts;
    if (list != nullptr && list->is_array())
        for (const Json &item : *list)
            texts.push_back(text_of_json(item));
    else if (given.is_object() && given.contains("from") && given.contains("to"))
        texts = texts_of_range(name, given);
    else
        m_reader.problem("draw", fmt::format("{} has no values to draw", name),
                         "expected a list of values, or the keys from and to, with step or factor");
    for (const std::string &text : texts)
        add_value(text + unit, known != nullptr && !known->choices.empty() ? *known : own, draw);
    if (draw.values.empty()) // an empty list is already reported; later checks need a value
        draw.values.push_back(1);
    m_names.insert(name);
    m_step.draws.push_back(std::move(draw));
}

void QuestionNumbers::add_value(const std::string &text, const Symbol &symbol, DrawnNumber &draw) {
    if (!symbol.choices.empty()) {
        const auto found = std::find(symbol.choices.begin(), symbol.choices.end(), text);
        if (found == symbol.choices.end()) {
            m_reader.problem("draw", fmt::format("{1} cannot be \"{0}\"", text.substr(0, 40), draw.name),
                             "expected one of the values listed by `meshwright-cli calc --list`");
            return;
        }
        draw.words.push_back(text);
        draw.values.push_back(static_cast<double>(found - symbol.choices.begin()));
        return;
    }
    const std::optional<double> value = value_from(text, symbol);
    if (value && std::isfinite(*value) && draw.values.size() < most_listed_values)
        draw.values.push_back(*value);
    else
        m_reader.problem("draw", fmt::format("{1} cannot be \"{0}\"", text.substr(0, 40), draw.name),
                         fmt::format("expected {}", description_of(draw.quantity)));
}

std::vector<std::string> QuestionNumbers::texts_of_range(const std::string &name, const Json &given) {
    const auto number = [&](const char *field) {
        return given.contains(field) && given[field].is_number() ? given[field].get<double>() : 0.0;
    };
    const double from = number("from"), to = number("to"), step = number("step"), factor = number("factor");
    const bool grows = step > 0 || factor > 1;
    std::vector<std::string> texts;
    if (!(from <= to) || !grows || (factor > 1 && !(from > 0))
        || (step > 0 && (to - from) / step > most_listed_values)) {
        m_reader.problem("draw", fmt::format("the range of {} is invalid", name),
                         "expected numbers with from <= to, and a step above 0 or a factor above 1");
        return texts;
    }
    constexpr double rounding = 1 + 1e-9;
    double value = from;
    for (std::size_t i = 1; value <= to + (rounding - 1) * std::abs(to) && i <= most_listed_values; ++i) {
        texts.push_back(fmt::format("{:.12g}", value));
        value = factor > 1 ? value * factor : from + static_cast<double>(i) * step;
    }
    return texts;
}

Quantity QuestionNumbers::quantity_named(const std::string &key, const std::string &word, Quantity otherwise) {
    const std::vector<std::string> &words = quantity_words();
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) {
        m_reader.problem(key, fmt::format("\"{}\" is not a quantity", word.substr(0, 40)), "expected " + listed(words));
        return otherwise;
    }
    return static_cast<Quantity>(found - words.begin());
}

void QuestionNumbers::read_values() {
    if (m_reader.has("formula")) {
        EngineValue value;
        m_reader.text("formula", value.formula);
        m_reader.text("result", value.result);
        value.name = value.result;
        complete(m_reader, value, "formula");
    } else if (m_reader.has("figure_value")) {
        EngineValue value;
        m_reader.text("figure_value", value.figure);
        value.name = "figure_value";
        complete(m_reader, value, "figure_value");
    }
    m_reader.object("values", [&](FieldReader &all) {
        const Json *const values = m_reader.raw("values");
        for (const auto &item : values->items()) {
            all.object(item.key(), [&](FieldReader &each) {
                EngineValue value;
                value.name = item.key();
                each.text("formula", value.formula);
                each.text("result", value.result);
                each.text("figure", value.figure);
                complete(each, value, value.figure.empty() ? "formula" : "figure");
                each.finish();
            });
        }
        all.finish();
    });
}

void QuestionNumbers::complete(FieldReader &reader, EngineValue &value, std::string_view key) {
    const bool is_known =
        !value.figure.empty() || find_formula(value.formula) != nullptr; // an unknown name is reported below
    if (is_known && (!is_expression_name(value.name) || m_names.contains(value.name) || value.name == "answer"))
        reader.problem(key, fmt::format("the name \"{}\" is already used or malformed", value.name.substr(0, 40)),
                       "expected a new name of letters, digits and underscores");
    if (value.figure.empty())
        read_arguments(reader, value);
    else
        read_settings(reader, "set", m_names, value.settings);
    if (!value.figure.empty() && m_lesson.plan.is_null())
        reader.problem(key, "the lesson has no plan", "expected a plan in the front matter");
    m_names.insert(value.name);
    m_step.values.push_back(std::move(value));
}

void QuestionNumbers::read_arguments(FieldReader &reader, EngineValue &value) const {
    const Formula *const formula = find_formula(value.formula);
    const Json *const with = reader.raw("with");
    if (formula == nullptr || formula->find_result(value.result) == nullptr) {
        reader.problem(formula == nullptr ? "formula" : "result",
                       formula == nullptr ? fmt::format("unknown formula \"{}\"", value.formula.substr(0, 60))
                                          : fmt::format("{} has no result \"{}\"", value.formula, value.result),
                       "expected a name listed by `meshwright-cli calc --list`");
        return;
    }
    if (with == nullptr)
        return;
    if (!with->is_object()) {
        reader.problem("with", "is not an object", "expected arguments of the formula");
        return;
    }
    for (const auto &item : with->items()) {
        if (formula->find_symbol(item.key()) == nullptr) {
            reader.problem("with", fmt::format("{} has no argument \"{}\"", value.formula, item.key().substr(0, 40)),
                           "expected a name listed by `meshwright-cli calc --list`");
            continue;
        }
        GivenArgument argument{.name = item.key(), .text = {}, .expression = {}, .items = {}};
        const auto give = [this](GivenArgument &given, const Json &json) {
            given.text = text_of_json(json);
            given.expression = expression_over(given.text, m_names);
        };
        if (item.value().is_array())
            for (const Json &each : item.value())
                give(argument.items.emplace_back(), each);
        else
            give(argument, item.value());
        value.arguments.push_back(std::move(argument));
    }
}

std::optional<StepExpression> QuestionNumbers::expression(FieldReader &reader, std::string_view key,
                                                          const std::set<std::string> &more) const {
    const Json *const given = reader.raw(key);
    if (given == nullptr)
        return std::nullopt;
    std::set<std::string, std::less<>> known = m_names;
    known.insert(more.begin(), more.end());
    const std::string text = text_of_json(*given);
    std::optional<StepExpression> parsed = expression_over(text, known);
    if (!parsed)
        reader.problem(key, fmt::format("\"{}\" cannot be calculated", text.substr(0, 60)),
                       fmt::format("expected a formula over {}",
                                   known.empty() ? std::string("randomly drawn numbers and engine values")
                                                 : listed(std::vector<std::string>(known.begin(), known.end()))));
    return parsed;
}

bool QuestionNumbers::uses_engine(const Expression &expression) const {
    const std::set<std::string> names = names_in(expression);
    return std::any_of(m_step.values.begin(), m_step.values.end(),
                       [&](const EngineValue &value) { return names.contains(value.name); });
}

} // namespace meshwright

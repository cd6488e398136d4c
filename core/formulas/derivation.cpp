// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/derivation.h"

#include "formulas/formula.h"
#include "formulas/special_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_map>

namespace meshwright {

namespace {

Quantity quantity_of(const Constant &constant) {
    if (constant.unit == "s")
        return Quantity::seconds;
    if (constant.unit == "B/s")
        return Quantity::bytes_per_second;
    if (constant.unit == "FLOP/s")
        return Quantity::flops_per_second;
    return constant.unit == "bytes" ? Quantity::bytes : Quantity::number;
}

Derivation leaf(Labelled what, double value, Origin origin, std::string source, std::string field) {
    return {.name = std::move(what.name),
            .title = std::move(what.title),
            .value = value,
            .quantity = what.quantity,
            .origin = origin,
            .formula = {},
            .source = std::move(source),
            .field = std::move(field),
            .inputs = {}};
}

std::string joined(const std::vector<Derivation> &inputs, const char *operation) {
    std::string text;
    for (const Derivation &input : inputs)
        text += (text.empty() ? "" : operation) + input.name;
    return text.empty() ? "0" : text;
}

/// Caches formula texts, because every derivation tree asks for the same results.
const std::string &text_of_result(const FormulaResult &result) {
    thread_local std::unordered_map<const FormulaResult *, std::string> known;
    const auto found = known.find(&result);
    return found != known.end() ? found->second : known.emplace(&result, formula_text(result)).first->second;
}

/// Caches parsed formulas, because many nodes of a tree share one.
const std::optional<Expression> &parsed_formula(const std::string &formula) {
    constexpr std::size_t most = 10'000;
    thread_local std::unordered_map<std::string, std::optional<Expression>> known;
    if (known.size() >= most)
        known.clear();
    const auto found = known.find(formula);
    return found != known.end() ? found->second : known.emplace(formula, parse_expression(formula)).first->second;
}

} // namespace

std::string_view name_of(Origin origin) {
    switch (origin) {
    case Origin::derived:
        return "derived";
    case Origin::plan:
        return "plan";
    case Origin::model:
        return "model";
    case Origin::hardware:
        return "hardware";
    case Origin::software:
        return "software";
    case Origin::simulation:
        return "simulation";
    case Origin::constant:
        break;
    }
    return "constant";
}

SharedInputs::SharedInputs(std::vector<Derivation> inputs)
    : m_inputs(inputs.empty() ? nullptr : std::make_shared<std::vector<Derivation>>(std::move(inputs))) { }

std::size_t SharedInputs::size() const {
    return empty() ? 0 : m_inputs->size();
}

const Derivation *SharedInputs::begin() const {
    return empty() ? nullptr : m_inputs->data();
}

const Derivation *SharedInputs::end() const {
    return begin() + size();
}

std::vector<Derivation> &SharedInputs::detached() {
    if (m_inputs == nullptr)
        m_inputs = std::make_shared<std::vector<Derivation>>();
    else if (m_inputs.use_count() > 1)
        m_inputs = std::make_shared<std::vector<Derivation>>(*m_inputs);
    return *m_inputs;
}

void SharedInputs::push_back(Derivation input) {
    detached().push_back(std::move(input));
}

std::span<Derivation> SharedInputs::own() {
    return empty() ? std::span<Derivation>() : detached();
}

std::string Derivation::substituted() const {
    const std::optional<Expression> &expression = parsed_formula(formula);
    if (!expression)
        return formula;
    const auto lookup = [this](std::string_view word) -> std::optional<Substitution> {
        const Derivation *input = find(word);
        return input != nullptr ? Substitution{input->value, text_of(input->value, input->quantity)}
                                : Substitution{std::nan(""), std::string(word)};
    };
    return meshwright::substituted(*expression, lookup)->text;
}

const Derivation *Derivation::find(std::string_view input) const {
    for (const Derivation &candidate : inputs)
        if (candidate.name == input)
            return &candidate;
    return nullptr;
}

Derivation plan_field(Labelled what, double value, std::string pointer) {
    return leaf(std::move(what), value, Origin::plan, "the plan", std::move(pointer));
}

Derivation model_fact(Labelled what, double value, std::string source) {
    return leaf(std::move(what), value, Origin::model, std::move(source), "/model");
}

Derivation hardware_fact(Labelled what, double value, std::string source, std::string pointer) {
    return leaf(std::move(what), value, Origin::hardware, std::move(source), std::move(pointer));
}

Derivation software_fact(Labelled what, double value, std::string source, std::string pointer) {
    return leaf(std::move(what), value, Origin::software, std::move(source), std::move(pointer));
}

Derivation constant_value(ConstantId id, const Assumptions &assumptions) {
    const Constant &constant = constants()[static_cast<std::size_t>(id)];
    constexpr std::string_view provenances[] = {"physics", "published", "fitted", "assumed"};
    return leaf(
        {.name = identifier(constant.name), .title = std::string(constant.meaning), .quantity = quantity_of(constant)},
        assumptions[id], Origin::constant,
        fmt::format("{}: {}", provenances[static_cast<std::size_t>(constant.provenance)], constant.source),
        fmt::format("/assumptions/{}", constant.name));
}

Inputs::Inputs(std::initializer_list<One> list) {
    m_list.reserve(list.size());
    for (const One &one : list)
        m_list.push_back(std::move(one.m_node));
}

Derivation derived(Labelled what, double value, std::string formula, std::string source, Inputs inputs) {
    return {.name = std::move(what.name),
            .title = std::move(what.title),
            .value = value,
            .quantity = what.quantity,
            .origin = Origin::derived,
            .formula = std::move(formula),
            .source = std::move(source),
            .field = {},
            .inputs = std::move(inputs).take()};
}

Derivation sum_of(Labelled what, std::string source, Inputs inputs) {
    double sum = 0;
    for (const Derivation &input : inputs.list())
        sum += input.value;
    std::string formula = joined(inputs.list(), " + ");
    return derived(std::move(what), sum, std::move(formula), std::move(source), std::move(inputs));
}

Derivation product_of(Labelled what, std::string source, Inputs inputs) {
    double product = 1;
    for (const Derivation &input : inputs.list())
        product *= input.value;
    std::string formula = joined(inputs.list(), " * ");
    return derived(std::move(what), product, std::move(formula), std::move(source), std::move(inputs));
}

Derivation by_formula(Labelled what, std::string_view id, std::string_view result_name, Inputs given_inputs) {
    const Formula &formula = *find_formula(id);
    const FormulaResult &result = *formula.find_result(result_name);
    std::vector<Derivation> inputs = std::move(given_inputs).take();
    std::vector<double> arguments;
    std::vector<Derivation> used;
    arguments.reserve(result.arguments.size());
    used.reserve(result.arguments.size());
    for (const std::string_view name : result.arguments) {
        const auto given =
            std::find_if(inputs.begin(), inputs.end(), [&](const Derivation &input) { return input.name == name; });
        const Symbol &symbol = *formula.find_symbol(name);
        used.push_back(given != inputs.end()
                           ? std::move(*given)
                           : leaf({std::string(name), std::string(symbol.meaning), own_quantity(symbol)},
                                  symbol.otherwise.value_or(0), Origin::constant,
                                  "published: " + std::string(formula.source), {}));
        arguments.push_back(used.back().value);
    }
    Derivation made = derived(std::move(what), result.function(arguments), text_of_result(result),
                              std::string(formula.source), std::move(used));
    made.calculator = id;
    made.result = result_name;
    return made;
}

Derivation reference_to(std::string figure, Labelled what, double value) {
    Derivation reference = leaf(std::move(what), value, Origin::derived, "explained as a separate figure", {});
    reference.figure = std::move(figure);
    return reference;
}

Derivation by_simulation(Labelled what, double value, std::string_view simulation, std::string source, Inputs inputs) {
    std::string call = fmt::format("{}({})", simulation, joined(inputs.list(), ", "));
    Derivation made = derived(std::move(what), value, std::move(call), std::move(source), std::move(inputs));
    made.origin = Origin::simulation;
    return made;
}

Derivation nothing(Labelled what, std::string why, std::string pointer) {
    return leaf(std::move(what), 0, Origin::plan, "the plan: " + std::move(why), std::move(pointer));
}

Derivation counted(Labelled what, double value, std::string how, std::string pointer) {
    return leaf(std::move(what), value, Origin::plan, "the plan: " + std::move(how), std::move(pointer));
}

Derivation published(Labelled what, double value, const std::string &source) {
    return leaf(std::move(what), value, Origin::constant, "published: " + source, {});
}

Derivation named(std::string name, Derivation derivation) {
    derivation.name = std::move(name);
    return derivation;
}

std::string identifier(std::string_view words) {
    std::string name;
    for (const char c : words)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0)
        name.insert(0, "_");
    return name;
}

} // namespace meshwright

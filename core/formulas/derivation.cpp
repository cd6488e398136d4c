// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/derivation.h"

#include "quantities/units.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>

namespace meshwright {

namespace {

bool begins_name(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool continues_name(char c) {
    return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
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
    case Origin::constant:
        break;
    }
    return "constant";
}

std::string Derivation::substituted() const {
    std::string text;
    for (std::size_t at = 0; at < formula.size();) {
        if (!begins_name(formula[at])) {
            text += formula[at++];
            continue;
        }
        std::size_t end = at;
        while (end < formula.size() && continues_name(formula[end]))
            ++end;
        const std::string word = formula.substr(at, end - at);
        const Derivation *input = find(word);
        text += input != nullptr ? text_of(input->value, input->quantity) : word;
        at = end;
    }
    return text;
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

Derivation software_fact(Labelled what, double value, std::string source) {
    return leaf(std::move(what), value, Origin::software, std::move(source), "/stack");
}

Derivation constant_value(ConstantId id, const Assumptions &assumptions) {
    const Constant &constant = constants()[static_cast<std::size_t>(id)];
    constexpr std::string_view provenances[] = {"physics", "published", "fitted", "assumed"};
    return leaf({.name = identifier(constant.name), .title = std::string(constant.meaning)}, assumptions[id],
                Origin::constant,
                fmt::format("{}: {}", provenances[static_cast<std::size_t>(constant.provenance)], constant.source),
                fmt::format("/assumptions/{}", constant.name));
}

Derivation derived(Labelled what, double value, std::string formula, std::string source,
                   std::vector<Derivation> inputs) {
    return {.name = std::move(what.name),
            .title = std::move(what.title),
            .value = value,
            .quantity = what.quantity,
            .origin = Origin::derived,
            .formula = std::move(formula),
            .source = std::move(source),
            .field = {},
            .inputs = std::move(inputs)};
}

Derivation sum_of(Labelled what, std::string source, std::vector<Derivation> inputs) {
    double sum = 0;
    for (const Derivation &input : inputs)
        sum += input.value;
    std::string formula = joined(inputs, " + ");
    return derived(std::move(what), sum, std::move(formula), std::move(source), std::move(inputs));
}

Derivation product_of(Labelled what, std::string source, std::vector<Derivation> inputs) {
    double product = 1;
    for (const Derivation &input : inputs)
        product *= input.value;
    std::string formula = joined(inputs, " * ");
    return derived(std::move(what), product, std::move(formula), std::move(source), std::move(inputs));
}

nlohmann::ordered_json to_json(const Derivation &derivation) {
    nlohmann::ordered_json json{{"name", derivation.name},
                                {"title", derivation.title},
                                {"value", derivation.value},
                                {"unit", units_of(derivation.quantity).front().name},
                                {"formula", derivation.formula},
                                {"substituted", derivation.substituted()},
                                {"source", derivation.source},
                                {"origin", name_of(derivation.origin)},
                                {"inputs", nlohmann::ordered_json::array()}};
    if (!derivation.field.empty())
        json["field"] = derivation.field;
    for (const Derivation &input : derivation.inputs)
        json["inputs"].push_back(to_json(input));
    return json;
}

std::string identifier(std::string_view words) {
    std::string name;
    for (const char c : words)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    if (name.empty() || !begins_name(name.front()))
        name.insert(0, "_");
    return name;
}

} // namespace meshwright

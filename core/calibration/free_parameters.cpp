// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/free_parameters.h"

#include "catalog/library.h"
#include "catalog/stack_fields.h"
#include "input/field_reader.h"

#include <nlohmann/json.hpp>

namespace meshwright {

bool FreeParameter::concerns(const Plan &plan) const {
    if (constant != nullptr)
        return !plan.assumptions.contains(std::string(constant->name));
    const auto preset = stacks.find(plan.stack_id);
    return preset != stacks.end() && preset->second == plan.stack.*stack_number(field);
}

double FreeParameter::value_in(const Plan &plan, const Assumptions &assumptions) const {
    return constant != nullptr ? assumptions[constant->id] : plan.stack.*stack_number(field);
}

void FreeParameter::set(double value, Plan &plan, Assumptions &assumptions) const {
    if (constant != nullptr)
        assumptions.set(constant->id, value);
    else
        plan.stack.*stack_number(field) = value;
}

std::vector<FreeParameter> read_free_parameters(const nlohmann::ordered_json &document, const Library &library,
                                                const char *list) {
    std::vector<FreeParameter> parameters;
    std::vector<Diagnostic> problems;
    FieldReader reader(document, "", problems);
    reader.raw("schema");
    reader.raw("parameters");
    reader.raw("memory_parameters");
    reader.require(list, "expected an array of objects");
    reader.objects(list, [&](FieldReader &item) {
        FreeParameter parameter;
        std::string constant;
        if (item.text("constant", constant)) {
            parameter.constant = find_constant(constant);
            if (parameter.constant == nullptr)
                item.problem("constant", "unknown constant", "expected the name of a registry constant");
            parameter.name = constant;
        }
        if (parameter.constant != nullptr)
            parameter.expected = parameter.constant->value;
        item.text("field", parameter.field);
        const nlohmann::ordered_json *const stacks = item.raw("stacks");
        if (stacks != nullptr && stack_number(parameter.field) == nullptr)
            item.problem("field", "not a numeric field of a stack", "expected a numeric field of a stack");
        else if (stacks != nullptr)
            for (const auto &id : *stacks) {
                if (parameter.name.empty())
                    parameter.name = id.get<std::string>() + "." + parameter.field;
                parameter.stacks[id.get<std::string>()] =
                    (*library.stack(id.get<std::string>())).*stack_number(parameter.field);
            }
        item.number("expected", parameter.expected, positive);
        item.number("spread", parameter.spread, positive);
        parameter.low = parameter.constant != nullptr ? parameter.constant->low : parameter.expected / 20;
        parameter.high = parameter.constant != nullptr ? parameter.constant->high : parameter.expected * 20;
        item.number("low", parameter.low, not_negative);
        item.number("high", parameter.high, positive);
        item.finish();
        parameters.push_back(std::move(parameter));
    });
    reader.finish();
    if (!problems.empty())
        throw InputError(std::move(problems));
    return parameters;
}

} // namespace meshwright

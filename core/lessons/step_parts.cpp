// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/step_parts.h"

#include "input/field_reader.h"
#include "lessons/step_expressions.h"
#include "plan/plan_json.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

std::string text_of_json(const Json &value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

Json::json_pointer pointer_of_path(std::string_view path) {
    std::string pointer;
    for (;;) {
        const std::size_t dot = path.find('.');
        pointer += "/" + pointer_token(path.substr(0, dot));
        if (dot == std::string_view::npos)
            return Json::json_pointer(pointer);
        path.remove_prefix(dot + 1);
    }
}

std::string problem_text(const InputError &error) {
    const Diagnostic &first = error.diagnostics().front();
    const std::string place = first.fields.empty() || first.fields.front().empty() ? "" : first.fields.front() + ": ";
    return fmt::format("{}{}{}{}", place, first.message.text, first.expected.empty() ? "" : "; ", first.expected.text);
}

void read_strings(FieldReader &reader, std::string_view key, std::vector<std::string> &texts) {
    const Json *const found = reader.raw(key);
    if (found == nullptr)
        return;
    if (found->is_array()
        && std::all_of(found->begin(), found->end(), [](const Json &item) { return item.is_string(); }))
        texts = found->get<std::vector<std::string>>();
    else
        reader.problem(key, "is not an array of strings", "expected an array of strings");
}

void read_settings(FieldReader &reader, std::string_view key, const std::set<std::string, std::less<>> &names,
                   std::vector<FieldSetting> &settings) {
    const Json *const given = reader.raw(key);
    if (given == nullptr)
        return;
    if (!given->is_object()) {
        reader.problem(key, "is not an object", "expected dotted names of plan fields, each with a value");
        return;
    }
    for (const auto &item : given->items()) {
        FieldSetting setting{.field = item.key(), .value = item.value(), .expression = {}};
        if (item.value().is_string())
            setting.expression = expression_over(item.value().get<std::string>(), names);
        settings.push_back(std::move(setting));
    }
}

void read_free_fields(FieldReader &reader, std::string_view key, std::vector<FreeField> &fields) {
    const Json *const given = reader.raw(key);
    if (given == nullptr)
        return;
    if (!given->is_object()) {
        reader.problem(key, "is not an object", "expected dotted names of plan fields, each with a list of values");
        return;
    }
    for (const auto &item : given->items()) {
        if (!item.value().is_array() || item.value().empty() || item.value().size() > most_listed_values) {
            reader.problem(key, fmt::format("{} has no list of values, or too many values", item.key().substr(0, 60)),
                           fmt::format("expected a list of 1 to {} values", most_listed_values));
            continue;
        }
        fields.push_back({.field = item.key(), .values = std::vector<Json>(item.value().begin(), item.value().end())});
    }
}

std::vector<std::optional<std::size_t>> own_choices(const std::vector<FreeField> &fields, const Json &document,
                                                    const Library &library) {
    std::vector<std::optional<std::size_t>> choices(fields.size());
    if (fields.empty() || !document.is_object())
        return choices;
    Plan plan = read_plan(document, library).plan;
    plan.model_id.clear(); // with an id, to_json() would omit the fields of the preset
    plan.stack_id.clear();
    const Json written = to_json(plan);
    std::transform(fields.begin(), fields.end(), choices.begin(), [&](const FreeField &field) {
        const Json::json_pointer place = pointer_of_path(field.field);
        const auto own = written.contains(place)
            ? std::find(field.values.begin(), field.values.end(), written.at(place))
            : field.values.end();
        return own == field.values.end() ? std::nullopt : std::optional(std::size_t(own - field.values.begin()));
    });
    return choices;
}

} // namespace meshwright

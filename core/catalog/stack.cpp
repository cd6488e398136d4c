// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/stack.h"

#include "catalog/json_values.h"
#include "catalog/stack_fields.h"

#include <nlohmann/json.hpp>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

void read_field(FieldReader &reader, const StackField &field, Stack &stack) {
    if (const auto *const number = std::get_if<double Stack::*>(&field.place))
        reader.number(field.key, stack.**number, field.range);
    else if (const auto *const count = std::get_if<std::int64_t Stack::*>(&field.place))
        reader.count(field.key, stack.**count, static_cast<std::int64_t>(field.range.low),
                     static_cast<std::int64_t>(field.range.high));
    else if (const auto *const flag = std::get_if<bool Stack::*>(&field.place))
        reader.boolean(field.key, stack.**flag);
    else if (int word = 0; reader.word(field.key, word, field.words()))
        field.set(stack, word);
}

Json field_to_json(const StackField &field, const Stack &stack) {
    const double value = field.value(stack);
    if (std::holds_alternative<bool Stack::*>(field.place))
        return value != 0;
    const std::vector<std::string> words = field.words();
    return words.empty() ? number_to_json(value) : Json(words[static_cast<std::size_t>(value)]);
}

} // namespace

const std::vector<std::string> &attention_kernel_names() {
    static const std::vector<std::string> names{"unfused", "flash-1", "flash-2", "flash-3"};
    return names;
}

void read_fields(FieldReader &reader, Stack &stack) {
    read_schema(reader, "meshwright.stack/1");
    reader.text("id", stack.id);
    stack.name = stack.id;
    reader.text("name", stack.name);
    reader.text("framework", stack.framework);
    reader.count("year", stack.year, 1900, 2200);
    reader.text("based_on", stack.based_on);
    reader.object("can_run", [&](FieldReader &inner) { read_fields(inner, stack.can_run); });
    for (const StackField &field : stack_fields())
        read_field(reader, field, stack);
    read_sources(reader, stack.sources);
}

Json to_json(const Stack &stack) {
    Json json = Json::object();
    if (!stack.id.empty())
        json["id"] = stack.id;
    if (!stack.name.empty())
        json["name"] = stack.name;
    if (!stack.framework.empty())
        json["framework"] = stack.framework;
    if (stack.year != 0)
        json["year"] = stack.year;
    if (!stack.based_on.empty())
        json["based_on"] = stack.based_on;
    if (stack.can_run.is_known())
        json["can_run"] = to_json(stack.can_run);
    for (const StackField &field : stack_fields())
        json[field.key] = field_to_json(field, stack);
    write_sources(json, stack.sources);
    return json;
}

} // namespace meshwright

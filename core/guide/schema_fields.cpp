// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide/schema_fields.h"

#include "catalog/library.h"
#include "guide/generated_tables.h"
#include "input/diagnostic.h"
#include "input/json_document.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view local_reference = "#/definitions/";

/// Alternatives of a value; empty if it has only one form.
std::vector<Json> alternatives(const Json &schema) {
    for (const char *const key : {"oneOf", "anyOf"})
        if (schema.contains(key))
            return schema.at(key).get<std::vector<Json>>();
    return {};
}

std::string text_of(const Json &schema, const char *key) {
    return schema.contains(key) && schema.at(key).is_string() ? schema.at(key).get<std::string>() : std::string();
}

/// The type of a value, without null: "integer" for {"type": ["integer", "null"]}.
std::string type_of(const Json &schema) {
    if (!schema.contains("type"))
        return {};
    const Json &type = schema.at("type");
    if (type.is_string())
        return type.get<std::string>();
    for (const Json &each : type)
        if (each != "null")
            return each.get<std::string>();
    return {};
}

bool is_object(const Json &schema) {
    return schema.contains("properties");
}

/// The schema of the objects in an array. If a value has alternatives, the first one that is an array of objects is
/// used. Null if there is none.
const Json *element_of(const Json &schema) {
    if (schema.contains("items") && is_object(schema.at("items")))
        return &schema.at("items");
    for (const char *const key : {"oneOf", "anyOf"})
        if (schema.contains(key))
            for (const Json &each : schema.at(key))
                if (const Json *const element = element_of(each))
                    return element;
    return nullptr;
}

/// A limit as text: 10,000 for 10000, and 1e+12 for large numbers.
std::string number_text(const Json &number) {
    const double value = number.get<double>();
    if (std::abs(value) >= 1e7 || value != std::floor(value))
        return fmt::format("{:g}", value);
    std::string digits = fmt::format("{:.0f}", value);
    for (std::size_t at = digits.size(); at > 3 + (value < 0 ? 1u : 0u); at -= 3)
        digits.insert(at - 3, ",");
    return digits;
}

/// "1 to 10,000", "at least 1" or "above 0". Upper limits of a billion or more are omitted, because they only keep
/// arithmetic in range.
std::string range_text(const Json &schema) {
    constexpr double merely_bounded = 1e9;
    const bool has_high = schema.contains("maximum") && schema.at("maximum").get<double>() < merely_bounded;
    if (schema.contains("minimum"))
        return has_high ? fmt::format("{} to {}", number_text(schema.at("minimum")), number_text(schema.at("maximum")))
                        : fmt::format("at least {}", number_text(schema.at("minimum")));
    if (schema.contains("exclusiveMinimum"))
        return fmt::format("above {}{}", number_text(schema.at("exclusiveMinimum")),
                           has_high ? fmt::format(", at most {}", number_text(schema.at("maximum"))) : std::string());
    return has_high ? fmt::format("at most {}", number_text(schema.at("maximum"))) : std::string();
}

std::string words_text(const Json &words) {
    std::string text;
    for (const Json &word : words)
        if (!word.is_null())
            text += fmt::format("{}`{}`", text.empty() ? "" : ", ",
                                word.is_string() ? word.get<std::string>() : word.dump());
    return text;
}

/// Text of a schema reference: a section of this page, or another schema.
std::string reference_text(std::string_view reference) {
    if (reference.starts_with(local_reference))
        return fmt::format("object, see *{}*", reference.substr(local_reference.size()));
    const std::string_view name = reference.substr(0, reference.find('.'));
    return name == "schedule" ? "a [pipeline schedule](pipeline.md#schedules)" : fmt::format("{} object", name);
}

std::string values_text(const Json &schema) {
    if (schema.contains("$ref"))
        return reference_text(schema.at("$ref").get<std::string>());
    if (schema.contains("const"))
        return fmt::format("`{}`", schema.at("const").get<std::string>());
    if (schema.contains("enum"))
        return words_text(schema.at("enum"));
    std::string choice;
    for (const Json &each : alternatives(schema)) {
        const std::string text = values_text(each);
        if (!text.empty() && text != "null")
            choice += (choice.empty() ? "" : ", or ") + text;
    }
    if (!choice.empty())
        return choice;
    const std::string type = type_of(schema);
    if (type == "array") {
        const std::string items = schema.contains("items") ? values_text(schema.at("items")) : std::string();
        return items.empty() ? "array" : "array: " + items;
    }
    const std::string range = range_text(schema);
    return range.empty() ? type : type + ", " + range;
}

std::string meaning_text(const Json &schema) {
    std::string text = text_of(schema, "description");
    if (schema.contains("default"))
        text += fmt::format("{}Default {}.", text.empty() ? "" : " ",
                            schema.at("default").is_string() ? schema.at("default").get<std::string>()
                                                             : schema.at("default").dump());
    return text;
}

/// Whether the program reads a field. Every object also accepts fields that are not read.
bool is_read(const std::string &key, const Json &schema) {
    return key != "$schema" && key != "sources" && !schema.empty()
        && text_of(schema, "description") != "Not read by the program.";
}

/// Adds an object's fields, each followed by the fields of the objects in it.
void add_fields(const Json &object, const std::string &prefix, std::vector<SchemaField> &fields);

void add_field(const std::string &key, const Json &schema, const std::string &prefix,
               std::vector<SchemaField> &fields) {
    fields.push_back({prefix + key, values_text(schema), meaning_text(schema)});
    if (is_object(schema))
        add_fields(schema, prefix + key + ".", fields);
    else if (const Json *const element = element_of(schema))
        add_fields(*element, prefix + key + "[].", fields);
}

void add_fields(const Json &object, const std::string &prefix, std::vector<SchemaField> &fields) {
    for (const auto &[key, schema] : object.at("properties").items())
        if (is_read(key, schema))
            add_field(key, schema, prefix, fields);
}

} // namespace

std::vector<SchemaSection> schema_sections(const Json &schema) {
    std::vector<SchemaSection> sections(1);
    for (const auto &[key, value] : schema.at("properties").items()) {
        if (!is_read(key, value))
            continue;
        const Json *const element = is_object(value) ? &value : element_of(value);
        if (element == nullptr) {
            sections.front().fields.push_back({key, values_text(value), meaning_text(value)});
            continue;
        }
        SchemaSection section{.title = key, .meaning = meaning_text(value), .fields = {}};
        add_fields(*element, is_object(value) ? key + "." : key + "[].", section.fields);
        sections.push_back(std::move(section));
    }
    if (schema.contains("definitions"))
        for (const auto &[name, definition] : schema.at("definitions").items())
            if (is_object(definition)) {
                SchemaSection section{.title = name, .meaning = meaning_text(definition), .fields = {}};
                add_fields(definition, "", section.fields);
                sections.push_back(std::move(section));
            }
    return sections;
}

std::string fields_table(std::string_view name, const Library &library) {
    const bool is_plain = !name.empty()
        && std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
    if (!is_plain)
        throw InputError("", fmt::format("there is no schema \"{}\"", name), "expected a name such as plan");
    const Json schema = read_json_file(library.own_folder() / "schema" / fmt::format("{}.schema.json", name));
    std::string text;
    for (const SchemaSection &section : schema_sections(schema)) {
        if (!section.title.empty())
            text += fmt::format("\n### {}\n\n{}\n\n", section.title, section.meaning);
        text += "| Field | Values | Meaning |\n|---|---|---|\n";
        for (const SchemaField &field : section.fields)
            text +=
                fmt::format("| `{}` | {} | {} |\n", field.path, table_cell(field.values), table_cell(field.meaning));
    }
    return text;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/yaml_options.h"

#include "input/diagnostic.h"
#include "input/json_document.h"
#include "input/json_members.h"
#include "input/yaml_document.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <cmath>
#include <sstream>
#include <string>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

Json converted(const toml::node &node, int depth) {
    if (depth > deepest_input_nesting)
        throw InputError("", fmt::format("the TOML is nested deeper than {} levels", deepest_input_nesting),
                         "expected a launch configuration");
    if (const toml::table *const table = node.as_table()) {
        JsonMembers members;
        for (const auto &[key, value] : *table)
            members.set(std::string(key.str()), converted(value, depth + 1));
        return std::move(members).object();
    }
    if (const toml::array *const array = node.as_array()) {
        Json list = Json::array();
        for (const toml::node &item : *array)
            list.push_back(converted(item, depth + 1));
        return list;
    }
    if (const auto *const text = node.as_string())
        return text->get();
    if (const auto *const integer = node.as_integer())
        return integer->get();
    if (const auto *const number = node.as_floating_point())
        return std::isfinite(number->get()) ? Json(number->get()) : Json(nullptr);
    if (const auto *const truth = node.as_boolean())
        return truth->get();
    std::ostringstream text; // dates and times
    node.visit([&](const auto &value) { text << value; });
    return text.str();
}

void flatten(const Json &value, const std::string &name, std::vector<LaunchOption> &options) {
    const bool has_objects = value.is_array() && std::any_of(value.begin(), value.end(), [](const Json &item) {
                                 return item.is_object() || item.is_array();
                             });
    if (value.is_object() && !value.empty()) {
        for (const auto &item : value.items())
            flatten(item.value(), name.empty() ? item.key() : name + "." + item.key(), options);
    } else if (has_objects) {
        for (std::size_t i = 0; i < value.size(); ++i)
            flatten(value[i], fmt::format("{}.{}", name, i), options);
    } else {
        options.push_back({.name = name, .value = value});
    }
}

} // namespace

Json parse_toml(std::string_view text) {
    try {
        return converted(toml::parse(text), 0);
    } catch (const toml::parse_error &error) {
        throw InputError("", fmt::format("line {}: not TOML: {}", error.source().begin.line, error.description()),
                         "expected a TOML document");
    }
}

std::vector<LaunchOption> dotted_options(const Json &document) {
    if (!document.is_object() || document.empty())
        throw InputError("", "no options", "expected a launch configuration with named options");
    std::vector<LaunchOption> options;
    flatten(document, "", options);
    return options;
}

} // namespace meshwright

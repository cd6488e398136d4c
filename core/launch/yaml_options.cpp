// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/yaml_options.h"

#include "input/diagnostic.h"
#include "input/json_document.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_values = 1'000'000; ///< aliases multiply what a document holds

Json scalar(const YAML::Node &node) {
    const std::string &text = node.Scalar();
    if (node.Tag() == "!") // quoted
        return text;
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
        return nullptr;
    if (text == "true" || text == "True" || text == "TRUE")
        return true;
    if (text == "false" || text == "False" || text == "FALSE")
        return false;
    std::string digits;
    for (const char c : text)
        if (c != '_')
            digits += c;
    std::string_view body = digits;
    if (body.size() > 1 && body.front() == '+')
        body.remove_prefix(1);
    std::int64_t integer = 0;
    const char *const end = body.data() + body.size();
    if (const auto read = std::from_chars(body.data(), end, integer); read.ec == std::errc() && read.ptr == end)
        return integer;
    double number = 0;
    const bool numeric = !body.empty()
        && (std::isdigit(static_cast<unsigned char>(body.front())) != 0 || body.front() == '-' || body.front() == '.');
    if (const auto read = std::from_chars(body.data(), end, number);
        numeric && read.ec == std::errc() && read.ptr == end && std::isfinite(number))
        return number;
    return text;
}

/// Members of an object in the order in which they were first set. An ordered_json looks a key up from its front, which
/// takes long files too long.
class Members {
public:
    bool has(const std::string &key) const { return m_places.contains(key); }
    void set(const std::string &key, Json value) {
        const auto [place, is_new] = m_places.try_emplace(key, static_cast<std::ptrdiff_t>(m_members.size()));
        if (is_new)
            m_members.emplace_back(key, std::move(value));
        else
            (m_members.begin() + place->second)->second = std::move(value);
    }
    Json object() && { return Json(std::move(m_members)); }

private:
    Json::object_t m_members;
    std::unordered_map<std::string, std::ptrdiff_t> m_places;
};

Json converted(const YAML::Node &node, int depth, std::size_t &values) {
    if (depth > deepest_input_nesting)
        throw InputError("", fmt::format("the YAML is nested deeper than {} levels", deepest_input_nesting),
                         "expected a launch configuration");
    if (++values > most_values)
        throw InputError("", "the YAML's aliases repeat too much", "expected a launch configuration");
    if (node.IsSequence()) {
        Json list = Json::array();
        for (const YAML::Node &item : node)
            list.push_back(converted(item, depth + 1, values));
        return list;
    }
    if (node.IsMap()) {
        Members members;
        for (const auto &item : node) {
            const std::string key = item.first.IsScalar() ? item.first.Scalar() : "?";
            if (key == "<<" && item.second.IsMap()) { // merged keys yield to the map's own
                for (const auto &merged : item.second)
                    if (merged.first.IsScalar() && !members.has(merged.first.Scalar()))
                        members.set(merged.first.Scalar(), converted(merged.second, depth + 1, values));
                continue;
            }
            members.set(key, converted(item.second, depth + 1, values));
        }
        return std::move(members).object();
    }
    return node.IsScalar() ? scalar(node) : Json(nullptr);
}

Json converted(const toml::node &node, int depth) {
    if (depth > deepest_input_nesting)
        throw InputError("", fmt::format("the TOML is nested deeper than {} levels", deepest_input_nesting),
                         "expected a launch configuration");
    if (const toml::table *const table = node.as_table()) {
        Members members;
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

Json parse_yaml(std::string_view text) {
    try {
        std::size_t values = 0;
        return converted(YAML::Load(std::string(text)), 0, values);
    } catch (const YAML::DeepRecursion &) {
        throw InputError("", fmt::format("the YAML is nested deeper than {} levels", deepest_input_nesting),
                         "expected a launch configuration");
    } catch (const YAML::Exception &error) {
        throw InputError("", fmt::format("line {}: not YAML: {}", error.mark.line + 1, error.msg),
                         "expected a YAML document");
    }
}

Json parse_toml(std::string_view text) {
    try {
        return converted(toml::parse(text), 0);
    } catch (const toml::parse_error &error) {
        throw InputError("", fmt::format("line {}: not TOML: {}", error.source().begin.line, error.description()),
                         "expected a TOML document");
    }
}

std::vector<LaunchOption> dotted_options(const Json &document) {
    std::vector<LaunchOption> options;
    flatten(document, "", options);
    return options;
}

} // namespace meshwright

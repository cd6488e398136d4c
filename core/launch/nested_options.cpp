// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/nested_options.h"

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

/// A JSON value as YAML. Readers of YAML 1.1 take "3e-05" for a string, so it gets a decimal point.
std::string yaml_value(const nlohmann::ordered_json &value) {
    std::string text = value.dump();
    if (!value.is_number_float())
        return text;
    const std::size_t exponent = text.find('e');
    if (exponent != std::string::npos && text.find('.') == std::string::npos)
        text.insert(exponent, ".0");
    return text;
}

} // namespace

void NestedOptions::add(std::string name, nlohmann::ordered_json value, std::string field, std::string why) {
    m_entries.push_back(
        {.name = std::move(name), .value = std::move(value), .field = std::move(field), .why = std::move(why)});
}

void NestedOptions::write_yaml(ExportText &text) const {
    write(text, "", 0, Form::yaml);
}

void NestedOptions::write_json(ExportText &text) const {
    text.add("{");
    write(text, "", 1, Form::json);
    text.add("}");
}

std::vector<std::string> NestedOptions::keys_of(const std::string &prefix) const {
    std::vector<std::string> keys;
    for (const Entry &entry : m_entries) {
        if (!entry.name.starts_with(prefix))
            continue;
        const std::size_t end = std::min(entry.name.find('.', prefix.size()), entry.name.size());
        std::string key = entry.name.substr(0, end);
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(std::move(key));
    }
    return keys;
}

void NestedOptions::write(ExportText &text, const std::string &prefix, std::size_t depth, Form form) const {
    const bool json = form == Form::json;
    const std::vector<std::string> keys = keys_of(prefix);
    for (const std::string &key : keys) {
        const std::string name = key.substr(prefix.size());
        const std::string begin = std::string(2 * depth, ' ') + (json ? "\"" + name + "\":" : name + ":");
        const char *const comma = json && &key != &keys.back() ? "," : "";
        const auto entry =
            std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &each) { return each.name == key; });
        if (entry == m_entries.end()) {
            text.add(begin + (json ? " {" : ""));
            write(text, key + ".", depth + 1, form);
            if (json)
                text.add(std::string(2 * depth, ' ') + "}" + comma);
            continue;
        }
        std::string line = begin + " " + (json ? entry->value.dump() : yaml_value(entry->value)) + comma;
        if (!json && !entry->why.empty())
            line += " # " + entry->why;
        text.add(std::move(line), entry->field, entry->why);
    }
}

} // namespace meshwright

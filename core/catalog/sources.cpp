// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/sources.h"

#include "input/field_reader.h"

#include <nlohmann/json.hpp>

namespace meshwright {

using Json = nlohmann::ordered_json;

void read_sources(FieldReader &reader, Sources &sources) {
    const Json *found = reader.raw("sources");
    if (found == nullptr)
        return;
    const std::string expected = "expected an object with a string for each field";
    if (!found->is_object()) {
        reader.problem("sources", "not an object", expected);
        return;
    }
    Sources::Texts read;
    for (const auto &item : found->items()) {
        if (!item.value().is_string()) {
            reader.problem("sources", "\"" + item.key() + "\" is not a string", expected);
            return;
        }
        read.emplace(item.key(), item.value().get<std::string>());
    }
    sources = Sources(std::move(read));
}

void write_sources(Json &value, const Sources &sources) {
    if (sources.empty())
        return;
    Json &written = value["sources"] = Json::object();
    for (const auto &[field, source] : sources.texts())
        written[field] = source;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/json_values.h"

#include "input/field_reader.h"
#include "input/schema_version.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>

namespace meshwright {

using Json = nlohmann::ordered_json;

Json number_to_json(double value) {
    constexpr double exact_in_both = 9007199254740992.0; // 2^53
    if (value == std::floor(value) && std::abs(value) <= exact_in_both)
        return static_cast<std::int64_t>(value);
    return value;
}

void read_schema(FieldReader &reader, const std::string &name) {
    std::string read;
    if (reader.text("schema", read) && read != name)
        reader.problem("schema", schema_fault(read, name), "expected \"" + name + "\"");
}

void read_sources(FieldReader &reader, std::map<std::string, std::string> &sources) {
    const Json *found = reader.raw("sources");
    if (found == nullptr)
        return;
    const std::string expected = "an object of texts, one a field, is expected";
    if (!found->is_object()) {
        reader.problem("sources", "is not an object", expected);
        return;
    }
    std::map<std::string, std::string> read;
    for (const auto &item : found->items()) {
        if (!item.value().is_string()) {
            reader.problem("sources", "holds something else than texts", expected);
            return;
        }
        read.emplace(item.key(), item.value().get<std::string>());
    }
    sources = std::move(read);
}

void write_sources(Json &value, const std::map<std::string, std::string> &sources) {
    if (sources.empty())
        return;
    Json &written = value["sources"] = Json::object();
    for (const auto &[field, source] : sources)
        written[field] = source;
}

} // namespace meshwright

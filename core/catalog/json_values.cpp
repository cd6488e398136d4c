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

} // namespace meshwright

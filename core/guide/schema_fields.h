// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

struct SchemaField {
    /// Keys from the section's object downward: "tiers[].latency_seconds"; "[]" stands for each element.
    std::string path;
    std::string values; ///< type, range or words: "integer, 1 to 10,000"
    std::string meaning; ///< the schema's description; may be empty
};

struct SchemaSection {
    std::string title; ///< empty for fields of the document itself
    std::string meaning;
    std::vector<SchemaField> fields;
};

/// Sections of a schema: values of the document itself, each of its objects, then its definitions. Fields that every
/// object accepts and the program ignores (`$schema`, `sources`, an unrestricted `description`) are omitted.
std::vector<SchemaSection> schema_sections(const nlohmann::ordered_json &schema);

/// Sections of presets/schema/NAME.schema.json as Markdown headings and tables.
/// @throws FileError, InputError
std::string fields_table(std::string_view name, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// One field of a JSON schema.
struct SchemaField {
    std::string path; ///< keys from the section's object down: "tiers[].latency_seconds"; "[]" for each element
    std::string values; ///< type, range or words: "integer, 1 to 10,000"
    std::string meaning; ///< the schema's description; may be empty
};

/// Fields that are explained together.
struct SchemaSection {
    std::string title; ///< empty for fields of the document itself
    std::string meaning;
    std::vector<SchemaField> fields;
};

/// Sections of a schema: the document's own values, each of its objects, then its definitions. Fields that every object
/// accepts and the program does not read (`$schema`, `sources`, an unrestricted `description`) are left out.
std::vector<SchemaSection> schema_sections(const nlohmann::ordered_json &schema);

/// The sections of presets/schema/NAME.schema.json as Markdown headings and tables.
/// @throws FileError, InputError
std::string fields_table(std::string_view name, const Library &library);

} // namespace meshwright

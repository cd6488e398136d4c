// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

class Library;

/// A Markdown table for a page of the guide, generated from the program's own data so that it is always up to date.
/// @param request "fields NAME" for the fields of presets/schema/NAME.schema.json, "schedules", "constants", "terms",
/// "imports", "presets KIND"
/// @throws InputError for an unknown request, FileError if a schema cannot be read
std::string generated_table(std::string_view request, const Library &library);

/// Text as a table cell: bars are escaped, and line breaks become spaces.
std::string table_cell(std::string_view text);

} // namespace meshwright

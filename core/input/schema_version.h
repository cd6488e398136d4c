// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

/// Explains why a document's `schema` is rejected, as the end of a sentence, beginning with "is". The same kind with a
/// higher number ("meshwright.plan/2") means a newer version of the program; any other schema means another kind of
/// file.
/// @param read  the schema that this program reads: "meshwright.plan/1"
std::string schema_fault(std::string_view schema, std::string_view read);

/// Whether `schema` names the same kind as `read` with a higher version number.
bool is_newer_schema(std::string_view schema, std::string_view read);

} // namespace meshwright

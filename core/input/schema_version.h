// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

/// The end of a sentence, from "is" on, that explains why a document's `schema` is rejected: it was written by a newer
/// version of the program if the kind is the same ("meshwright.plan/2"); otherwise it is another kind of file.
/// @param read  the schema that this program reads: "meshwright.plan/1"
std::string schema_fault(std::string_view schema, std::string_view read);

/// Whether `schema` names the same kind as `read` with a higher version number.
bool is_newer_schema(std::string_view schema, std::string_view read);

} // namespace meshwright

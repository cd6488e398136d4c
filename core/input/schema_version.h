// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace meshwright {

/// What is wrong with a document's `schema` that is not the one that is read, as a predicate: that a newer version of
/// the program wrote it, where it names the same kind ("meshwright.plan/2"), else that it is another kind of file.
/// @param read  the schema that this program reads: "meshwright.plan/1"
std::string schema_fault(std::string_view schema, std::string_view read);

/// Whether it names the same kind as `read`, with a higher number.
bool is_newer_schema(std::string_view schema, std::string_view read);

} // namespace meshwright

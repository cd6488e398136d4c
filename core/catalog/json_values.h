// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

class FieldReader;

/// A number as JSON; whole ones without the ".0" that a double would be printed with. Reads back as the same double.
nlohmann::ordered_json number_to_json(double value);

/// Reads "schema", which a file of its own carries and an inline object may leave out; any other than `name` is
/// reported.
void read_schema(FieldReader &reader, const std::string &name);

} // namespace meshwright

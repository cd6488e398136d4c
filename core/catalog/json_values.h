// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

class FieldReader;

/// Writes a number as JSON. Integers have no ".0", and reading gives the same double.
nlohmann::ordered_json number_to_json(double value);

/// Reads "schema", which is required in files and optional in inline objects. Any value other than `name` is an error.
void read_schema(FieldReader &reader, const std::string &name);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace meshwright {

class FieldReader;

/// A number as JSON. Integral values are written without ".0"; reading gives the same double.
nlohmann::ordered_json number_to_json(double value);

/// Reads "schema", which files have and inline objects may omit; reports any value other than `name`.
void read_schema(FieldReader &reader, const std::string &name);

} // namespace meshwright

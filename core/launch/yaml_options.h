// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/yaml_document.h"
#include "launch/option_list.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// Converts a TOML document to JSON. @throws InputError with line and column
nlohmann::ordered_json parse_toml(std::string_view text);

/// Converts the leaves of an object to options with dotted names: {"parallelism": {"tp": 2}} gives "parallelism.tp".
/// Arrays of scalars are values; items of an array of objects are named "name.0.key".
std::vector<LaunchOption> dotted_options(const nlohmann::ordered_json &document);

} // namespace meshwright

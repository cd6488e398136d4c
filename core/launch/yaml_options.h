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

/// Leaves of an object as options with dotted names: {"parallelism": {"tp": 2}} is "parallelism.tp". An array of
/// scalars is one value; elements of an array of objects are named by index, as in "name.0.key". @throws InputError if
/// there is none
std::vector<LaunchOption> dotted_options(const nlohmann::ordered_json &document);

} // namespace meshwright

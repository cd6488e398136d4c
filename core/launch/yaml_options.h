// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/yaml_document.h"
#include "launch/option_list.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// A TOML document as JSON. @throws InputError with line and column
nlohmann::ordered_json parse_toml(std::string_view text);

/// Leaves of an object as options with dotted names: {"parallelism": {"tp": 2}} is "parallelism.tp". Arrays of scalars
/// are values; arrays of objects give names with indices: "name.0.key".
std::vector<LaunchOption> dotted_options(const nlohmann::ordered_json &document);

} // namespace meshwright

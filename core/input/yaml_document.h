// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace meshwright {

/// Called with the JSON pointer and the line of every value of a YAML document.
using YamlLines = std::function<void(const std::string &pointer, int line)>;

/// Converts a YAML document to JSON. Plain scalars become numbers, booleans and null by YAML 1.2's core schema; "1e-5"
/// and "220_000_000" also become numbers, because users of PyYAML write numbers this way. Aliases are resolved within
/// limits.
/// @param first_line  line of the text in its file
/// @throws InputError if it is not YAML, too deep, or too large after aliases are resolved
nlohmann::ordered_json parse_yaml(std::string_view text, const YamlLines &lines = {}, int first_line = 1);

} // namespace meshwright

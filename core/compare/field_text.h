// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace meshwright {

/// Values of one plan field as they are shown side by side: numbers in the unit at the end of the field's name ("200
/// Gb/s", "5 µs"), lists with repeated values counted ("2 × 8, 7"), objects by their name or, if unnamed, field by
/// field, and "-" for an omitted value. Different values have different texts: they are not rounded if rounding would
/// make them equal. Long texts are shortened around the first difference: "64 values: …, 3 × 8, 7, …".
/// @param pointer  JSON pointer into the plan
std::vector<std::string> field_texts(const std::string &pointer, const std::vector<nlohmann::ordered_json> &values);

} // namespace meshwright

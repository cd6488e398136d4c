// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace meshwright {

/// Values of one plan field as they are shown side by side: numbers in the unit that the field's name ends in
/// ("200 Gb/s", "5 µs"), lists with repeated values counted ("2 × 8, 7"), objects by their name or else field by field,
/// "-" for a value that is left out. Different values have different texts: if rounding would make them alike, they are
/// not rounded. Long texts are cut around the first difference: "64 values: …, 3 × 8, 7, …".
/// @param pointer  JSON pointer into the plan
std::vector<std::string> field_texts(const std::string &pointer, const std::vector<nlohmann::ordered_json> &values);

} // namespace meshwright

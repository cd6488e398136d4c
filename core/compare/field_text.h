// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace meshwright {

/// Formats values of one plan field for a side-by-side comparison. Numbers have the unit with which the field's name
/// ends ("200 Gb/s", "5 µs"). Repeated values in a list are counted ("2 × 8, 7"). Objects are shown by name or, if
/// unnamed, field by field. An omitted value is "-". Different values have different texts, so rounding never makes
/// them equal. Long texts are shortened around the first difference: "64 values: …, 3 × 8, 7, …".
/// @param pointer  JSON pointer into the plan
std::vector<std::string> field_texts(const std::string &pointer, const std::vector<nlohmann::ordered_json> &values);

} // namespace meshwright

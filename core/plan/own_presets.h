// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

class Library;
struct Plan;

/// Warns about a plan's presets that are overridden by a user preset with the same id, and about invalid user presets
/// that the plan uses. Results with such presets differ from other users' results.
std::vector<Diagnostic> own_preset_warnings(const nlohmann::ordered_json &document, const Plan &plan,
                                            const Library &library);

} // namespace meshwright

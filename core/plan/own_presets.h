// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

class Library;
struct Plan;

/// Warns of each preset in a plan that a user preset with the same id overrides, or whose user preset is invalid. Such
/// a plan gives other users different results.
/// @param document  document that the plan was read from
std::vector<Diagnostic> own_preset_warnings(const nlohmann::ordered_json &document, const Plan &plan,
                                            const Library &library);

} // namespace meshwright

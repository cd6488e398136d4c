// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

class Library;
struct Plan;

/// Warns of each built-in preset of the plan for which the user has a file with the same id: a valid file overrides the
/// built-in preset, so other users get different results; an invalid one is not used.
/// @param document  document that the plan was read from
std::vector<Diagnostic> own_preset_warnings(const nlohmann::ordered_json &document, const Plan &plan,
                                            const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace meshwright {

class Library;
struct Plan;

/// A warning for each preset of a plan that is not the one that the program comes with: the user has one of that id,
/// or one that does not read. Results with it differ from those of others.
/// @param document  that the plan was read from
std::vector<Diagnostic> own_preset_warnings(const nlohmann::ordered_json &document, const Plan &plan,
                                            const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

/// The planner compiled with formulas that are nothing but their arithmetic.
namespace bare {

struct Plan;

/// Reads a plan document, as the planner's own plan_from_json.
std::shared_ptr<const Plan> read(const std::string &document, const std::string &presets);
/// Evaluates it for its numbers; gives the step's seconds.
double step_seconds(const Plan &plan);

} // namespace bare

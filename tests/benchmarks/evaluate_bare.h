// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

/// The planner compiled with formulas that are nothing but their arithmetic.
namespace bare {

struct Plan;

/// Reads a plan document, as the planner's own plan_from_json.
std::shared_ptr<const Plan> read(const std::string &document, const std::string &presets);
/// The step's seconds as a search compares them, and with the pipeline executed.
double compared_seconds(const Plan &plan);
double executed_seconds(const Plan &plan);
/// The same from the costs of its layers on: nothing but formulas.
double cost_seconds(const Plan &plan);

} // namespace bare

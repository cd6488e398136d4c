// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

/// The planner, compiled with formulas that are plain arithmetic.
namespace bare {

struct Plan;

/// Reads a plan document with the bare planner's plan_from_json.
std::shared_ptr<const Plan> read(const std::string &document, const std::string &presets);
/// Step time in seconds: as a search compares plans, and with the pipeline executed.
double compared_seconds(const Plan &plan);
double executed_seconds(const Plan &plan);
/// Step time without counting the layers' costs anew, which leaves only formulas.
double cost_seconds(const Plan &plan);

} // namespace bare

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

/// The planner compiled with formulas that are plain arithmetic.
namespace bare {

struct Plan;

/// Reads a plan document like plan_from_json() of the planner.
std::shared_ptr<const Plan> read(const std::string &document, const std::string &presets);
/// Step time as a search compares it, and with the pipeline executed.
double compared_seconds(const Plan &plan);
double executed_seconds(const Plan &plan);
/// Step time from the costs of the layers on: only formulas.
double cost_seconds(const Plan &plan);

} // namespace bare

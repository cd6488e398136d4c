// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

/// The planner, compiled with formulas that are plain arithmetic.
namespace bare {

struct Plan;

/// Reads a plan document with the bare planner's plan_from_json.
std::shared_ptr<const Plan> read(const std::string &document, const std::string &presets);
/// Step time in seconds: by closed forms, as a search compares plans, and with the pipeline executed.
double compared_seconds(const Plan &plan);
double executed_seconds(const Plan &plan);
/// The step time alone, from layer costs, stage costs and closed forms, without the rest of an evaluation.
double cost_seconds(const Plan &plan);

} // namespace bare

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/launch_plan.h"
#include "launch/measured_document.h"

#include <string>
#include <string_view>

namespace meshwright {

/// The column of a measured run that corresponds to a plan field; empty if there is none.
std::string_view run_column_of_field(std::string_view pointer);

/// Fills a measured run's columns from the options that a launch configuration states, without defaults. Columns that
/// are already set stay unchanged. The run records each option under its column.
/// @param spelled  an option's name as the log spells it
void set_run_columns(LaunchPlan launch, MeasuredDocument &run, std::string (*spelled)(const std::string &option));

} // namespace meshwright

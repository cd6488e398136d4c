// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts that only set environment variables and start another script: "TP=1 PP=8 bash train.sh --bf16".
#pragma once

#include "launch/command_options.h"
#include "launch/importers.h"
#include "launch/launch_plan.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

class Library;

/// Names of environment variables that many scripts of model zoos use for one of Megatron-LM's options. Names that
/// scripts use in different ways, such as VPP and BS, are not included.
std::vector<std::string_view> environment_names(std::string_view option);

/// How likely a text is a wrapper script, from 0 to 100.
int wrapper_likeness(const LaunchFile &file);

/// Reorders scripts so that the one that calls the first file, directly or through others, comes first.
std::vector<LaunchFile> from_calling_script(const std::vector<LaunchFile> &files);

/// Index of the first call of a script that was not given, if its variables or options describe the run.
std::optional<std::size_t> wrapped_call(const LaunchCommand &command);

/// The variables and options that a call passes on.
std::vector<LaunchOption> options_of_call(const ScriptCall &call);

/// Reads machines and model from a call's variables, and marks variables whose meaning only the script defines.
void read_call(LaunchPlan &launch, const ScriptCall &call, const Library &library);

/// Replaces "${NAME}" in the options' values by a call's variables.
std::vector<LaunchOption> filled_options(std::vector<LaunchOption> options, const ShellVariables &variables);

} // namespace meshwright

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

/// Environment variables that stand for one of Megatron-LM's options in all scripts of the model zoos. Names that
/// differ in meaning between scripts, such as VPP and BS, are not included.
std::vector<std::string_view> environment_names(std::string_view option);

/// How likely a text is a wrapper script, from 0 to 100.
int wrapper_likeness(const LaunchFile &file);

/// Moves the script that calls the leading file, directly or through other scripts, to the front. The others follow.
std::vector<LaunchFile> from_calling_script(const std::vector<LaunchFile> &files);

/// The first call of a script that is not among the files, if its variables or options describe the run.
std::optional<std::size_t> wrapped_call(const LaunchCommand &command);

/// The variables and options that a call passes to its script.
std::vector<LaunchOption> options_of_call(const ScriptCall &call);

/// Reads machines and model from a call's variables, and marks the variables whose meaning only the called script
/// knows.
void read_call(LaunchPlan &launch, const ScriptCall &call, const Library &library);

/// The options, with each "${NAME}" in their values replaced by the call's variable.
std::vector<LaunchOption> filled_options(std::vector<LaunchOption> options, const ShellVariables &variables);

} // namespace meshwright

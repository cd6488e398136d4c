// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/program.h"

#include <filesystem>

namespace meshwright {

/// Runs an exercise program in a separate process, without files, network or further processes, for at most 2 s and
/// within 64 MB of memory. Never throws and never waits longer: errors are returned as the outcome's problem.
ProgramOutcome run_in_process(const ProgramCall &call);

ProgramOutcome run_in_process_of(const std::filesystem::path &meshwright, const ProgramCall &call);

/// Path of the `meshwright` executable that runs exercise programs: the current program itself, or the file of that
/// name in its folder, which may not exist.
std::filesystem::path meshwrightOf(const std::filesystem::path &program);

} // namespace meshwright

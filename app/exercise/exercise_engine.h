// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace meshwright {

bool asksForExercise(int argc, char **argv);

/// Reads a ProgramCall from standard input, confines the process, and runs it in Qt's engine.
/// @returns the exit status
int runExercise(char **argv);

} // namespace meshwright

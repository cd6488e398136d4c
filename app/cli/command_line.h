// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace CLI {
class App;
}

namespace meshwright {

inline constexpr std::string_view programVersion = MESHWRIGHT_VERSION;

/// Parses the command line and runs its verb. Prints the help, the version or a one-line error.
/// @returns the exit status
int runCommandLine(CLI::App &program, int argc, char **argv);

} // namespace meshwright

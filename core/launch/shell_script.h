// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/shell_arithmetic.h"
#include "launch/shell_text.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// Commands and variables of a shell script, found by reading it: nothing is run. Variables, arrays, defaults
/// (`${X:-8}`), arithmetic, conditions, `case`, loops over lists and functions are followed; a value that only a
/// running shell could know (command substitution, positional parameters, the environment) stays in the text
/// unexpanded, as "${X}" or "$(...)".
struct ShellScript {
    std::vector<std::vector<std::string>> commands; ///< simple commands in order, expanded into words
    ShellVariables variables; ///< variables with their values at the end of the script
    /// Here-documents: the file they go to, and the expanded text.
    std::vector<std::pair<std::string, std::string>> documents;
    std::vector<std::string> directives; ///< words after "#SBATCH", in order
};

/// The value taken for a condition that only a running shell could evaluate.
enum class UnknownConditions { fail, hold };

/// Reads a script. Never throws: unsupported statements are skipped. Work is bounded: loops run at most 64 times, and
/// at most 20,000 commands and 4 MiB of expanded text are stored.
/// @param variables  variables that are set before, such as those of a script that starts this one ("bash -c '...'")
ShellScript read_shell_script(std::string_view text, UnknownConditions unknown = UnknownConditions::fail,
                              const ShellVariables &variables = {});

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/shell_arithmetic.h"
#include "launch/shell_text.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// What a shell script says, as far as reading tells: nothing of it is run. Variables, arrays, defaults (`${X:-8}`),
/// arithmetic, conditions, `case`, loops over lists and functions are followed; a value that only a running shell would
/// know (command substitution, positional parameters, the environment) stays in the text as it stands there, "${X}" or
/// "$(...)".
struct ShellScript {
    std::vector<std::vector<std::string>> commands; ///< simple commands in order, expanded into words
    ShellVariables variables; ///< variables with their values at the end of the script
    /// Here-documents: the file they go to, and the expanded text.
    std::vector<std::pair<std::string, std::string>> documents;
    std::vector<std::string> directives; ///< words behind "#SBATCH", in order
};

/// What a condition that nobody but a running shell knows is taken for.
enum class UnknownConditions { fail, hold };

/// Reads a script. Never throws: what it cannot follow it passes over. Work is bounded: loops run at most 64 times, and
/// no more than 20,000 commands and 4 MiB of expanded text are kept.
/// @param variables  what is set before: of a script for one that it starts ("bash -c '...'")
ShellScript read_shell_script(std::string_view text, UnknownConditions unknown = UnknownConditions::fail,
                              const ShellVariables &variables = {});

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/shell_arithmetic.h"
#include "launch/shell_text.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshwright {

/// A script that another script may call.
struct ShellFile {
    std::string name; ///< name without folders
    std::string_view text;
};

/// A command that starts or sources a script that was not given.
struct ShellCall {
    std::size_t command = 0; ///< index of the command in the list of commands
    std::string script; ///< name without folders
    bool sourced = false; ///< whether the script is sourced rather than started
    ShellVariables environment; ///< variables that the command passes to the script
};

/// Commands and variables of a shell script, found by reading it: nothing is run. Variables, arrays, defaults
/// (`${X:-8}`), arithmetic, conditions, `case`, loops over lists and functions are evaluated. A value that only a
/// running shell could know (command substitution, positional parameters, the environment) remains in the text
/// unexpanded, as "${X}" or "$(...)".
struct ShellScript {
    std::vector<std::vector<std::string>> commands; ///< simple commands in order, expanded into words
    std::vector<ShellCall> calls; ///< the first 16 calls
    ShellVariables variables; ///< variables with their values at the end of the script
    /// Here-documents: the target file and the expanded text.
    std::vector<std::pair<std::string, std::string>> documents;
    /// Words after "#SBATCH", and options in front of a script that is read ("sbatch --nodes=4 run.sh"), in order.
    std::vector<std::string> directives;
};

/// Whether a condition that only a running shell could evaluate is assumed to fail or to hold.
enum class UnknownConditions { fail, hold };

/// Reads a script. Never throws: unsupported statements are skipped. Work is bounded: loops run at most 64 times, and
/// at most 20,000 commands and 4 MiB of expanded text are stored.
/// @param variables  variables set beforehand, such as those of a script that starts this one ("bash -c '...'")
/// @param files      scripts that are read when a command calls or sources them, at most 64 times
ShellScript read_shell_script(std::string_view text, UnknownConditions unknown = UnknownConditions::fail,
                              const ShellVariables &variables = {}, const std::vector<ShellFile> &files = {});

} // namespace meshwright

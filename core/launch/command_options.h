// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/launch_plan.h"
#include "launch/option_list.h"
#include "launch/shell_text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

struct LaunchFile;

/// A call of a shell script that is not among the imported files: "TP=8 bash train.sh --bf16".
struct ScriptCall {
    std::string script; ///< name without folders
    std::vector<LaunchOption> options;
    ShellVariables environment; ///< variables that the command passes to the script
};

/// The command that starts training in a launch script: the launcher's options, the program, and the program's options.
struct LaunchCommand {
    std::vector<LaunchOption> launcher; ///< options of torchrun, deepspeed or srun, and the batch system's directives
    /// "pretrain_gpt.py", or the module that `python -m` starts; empty if the text has only options
    std::string program;
    std::vector<LaunchOption> options;
    std::vector<ScriptCall> calls; ///< calls of scripts that are not among the imported files
    /// Index of the call to which `options` belong; unset if the command starts a program.
    std::optional<std::size_t> call;
    std::vector<std::pair<std::string, std::string>> documents; ///< here-documents of the script
    /// Substitutions by the script's sed commands ("s/ZERO_STAGE/1/"), which fill templates in other files.
    std::vector<std::pair<std::string, std::string>> substitutions;
};

/// Reads a shell script, a command line or a bare list of options. If there are several commands, the one with the most
/// options known to `knows` is taken.
/// @param others  accompanying files; scripts among them are followed if a command calls them
LaunchCommand read_launch_command(std::string_view text, bool (*knows)(std::string_view option),
                                  const std::vector<LaunchFile> &others);
LaunchCommand read_launch_command(std::string_view text, bool (*knows)(std::string_view option));

/// Reads the command that launches a program on several accelerators, whatever the program: `launcher` has the options
/// up to the program, `options` those after it.
LaunchCommand read_launcher_command(std::string_view text, const std::vector<LaunchFile> &others);

/// Reads the overrides "section.field=value" of a script or a list. If there are several commands, the one with the
/// most overrides is taken. A deleted field ("~section.field") is an option without a value; "name=value" after the
/// program is also an option.
LaunchCommand read_override_command(std::string_view text);

std::string without_quotes(std::string_view word);

/// Options of a list of words: "--name value", "--name=value", "--flag", "--list a b c".
std::vector<LaunchOption> options_of(const std::vector<std::string> &words);

/// Whether a name is a launcher's or batch system's option for the number of machines or accelerators, or a variable
/// commonly used for such an option.
bool counts_machines(std::string_view option);

/// Reads nodes and accelerators per node from the options of launchers and batch systems (torchrun, deepspeed, srun,
/// sbatch). `launch` already lists the options. Those that are not yet marked as read or ignored are marked here.
void read_launcher(LaunchPlan &launch, const std::vector<LaunchOption> &options);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/shell_calls.h"

#include <algorithm>

namespace meshwright {

bool has_script_ending(std::string_view word) {
    return word.ends_with(".sh") || word.ends_with(".bash") || word.ends_with(".sbatch") || word.ends_with(".slurm");
}

bool is_sourced(const std::vector<std::string> &command) {
    return !command.empty() && (command.front() == "source" || command.front() == ".");
}

std::optional<std::size_t> called_script(const std::vector<std::string> &command) {
    if (command.empty())
        return std::nullopt;
    const std::string name = script_name(command.front());
    if (has_script_ending(command.front()))
        return 0;
    if (is_sourced(command) || name == "bash" || name == "sh" || name == "zsh") {
        const auto word = std::find_if(command.begin() + 1, command.end(),
                                       [](const std::string &each) { return !each.starts_with("-"); });
        const bool is_command = std::find(command.begin(), word, "-c") != word;
        return word == command.end() || is_command ? std::nullopt
                                                   : std::optional(static_cast<std::size_t>(word - command.begin()));
    }
    if (name != "sbatch" && name != "srun" && name != "env" && name != "nohup" && name != "time" && name != "mpirun")
        return std::nullopt;
    const auto word = std::find_if(command.begin(), command.end(), [](const std::string &each) {
        return has_script_ending(each) || each.ends_with(".py");
    });
    return word == command.end() || word->ends_with(".py")
        ? std::nullopt
        : std::optional(static_cast<std::size_t>(word - command.begin()));
}

std::string script_name(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1)); // npos + 1 is 0
}

} // namespace meshwright

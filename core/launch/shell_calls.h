// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Index of the word that names the shell script that a command starts or sources: "bash -x ./run.sh --a 1", "sbatch
/// run.sh", ". config.sh". Unset for other commands.
std::optional<std::size_t> called_script(const std::vector<std::string> &command);

/// Whether a command runs its script with the variables of the calling script: "source config.sh", ". config.sh".
bool is_sourced(const std::vector<std::string> &command);

/// Name of a script without folders.
std::string script_name(const std::string &path);

} // namespace meshwright

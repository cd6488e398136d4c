// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshwright {

/// The name of the shell script that a command runs or sources: "bash -x ./run.sh --a 1", "sbatch run.sh", ".
/// config.sh". Unset for other commands.
std::optional<std::size_t> called_script(const std::vector<std::string> &command);

/// Whether a command runs a script with the calling script's variables: "source config.sh", ". config.sh".
bool is_sourced(const std::vector<std::string> &command);

bool has_script_ending(std::string_view word);

/// The last part of a path: the file name of a script without folders, or of "owner/model" the model.
std::string script_name(std::string_view path);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace meshwright {

/// The text of a file to import: at most 16 MiB, or at most 256 MiB for a PyTorch profile, which is read event by
/// event. Named pipes and folders are rejected.
/// @throws FileError if it cannot be read, InputError if it is larger
std::string read_launch_file(const std::filesystem::path &path);

} // namespace meshwright

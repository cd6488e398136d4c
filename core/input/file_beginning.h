// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace meshwright {

/// The first bytes of a regular file, at most `most`, which reveal its kind before it is read completely. Empty for
/// files that cannot be read, and for devices and pipes, which could not be read a second time.
std::string beginning_of_file(const std::filesystem::path &path, std::size_t most);

} // namespace meshwright

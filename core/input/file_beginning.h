// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace meshwright {

/// The first bytes of a regular file, at most `most`, to recognize its kind without reading all of it. Empty if the
/// file cannot be read, or is a device or pipe, which can be read only once.
std::string beginning_of_file(const std::filesystem::path &path, std::size_t most);

} // namespace meshwright

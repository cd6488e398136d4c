// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace meshwright {

/// At most the first `most` bytes of a regular file, to recognize its format without reading all of it. Empty if the
/// file cannot be read, or is a device or pipe, because those can be read only once.
std::string beginning_of_file(const std::filesystem::path &path, std::size_t most);

} // namespace meshwright

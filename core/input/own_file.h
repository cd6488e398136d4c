// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace meshwright {

/// Finds a built-in file or folder: under PREFIX/share/meshwright if the program is installed, otherwise in the
/// checkout from which it was built. Environment variables have no effect.
/// @param shared    path under share/meshwright: "presets", "glossary.json"
/// @param checkout  path in the checkout: "presets", "resources/glossary.json"
std::filesystem::path own_file(const std::filesystem::path &shared, const std::filesystem::path &checkout);

} // namespace meshwright

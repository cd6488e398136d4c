// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace meshwright {

/// Finds a built-in file or folder: in PREFIX/share/meshwright of an installed program, otherwise in the checkout that
/// the program was built from. Environment variables have no effect.
/// @param shared    path under share/meshwright: "presets", "glossary.json"
/// @param checkout  path in the checkout: "presets", "resources/glossary.json"
std::filesystem::path own_file(const std::filesystem::path &shared, const std::filesystem::path &checkout);

} // namespace meshwright

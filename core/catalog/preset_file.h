// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace meshwright {

/// The folder of a library in which presets of this kind stand: "plans", "models", ...
std::string folder_of(PresetKind kind);

/// Letters, digits, dots, dashes and underscores, at most 64, none of them first but a letter or digit.
bool is_preset_id(std::string_view id);

/// What a list of presets says of one, read from `text` without building the document.
/// @throws InputError if it is not JSON up to the place where all is known, has no name, or an id other than the
///         file's stem
PresetEntry read_preset_head(PresetKind kind, const std::filesystem::path &file, std::string_view text);

} // namespace meshwright

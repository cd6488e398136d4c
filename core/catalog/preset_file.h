// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace meshwright {

/// Library folder for presets of this kind: "plans", "models", ...
std::string folder_of(PresetKind kind);

/// Whether the id has at most 64 letters, digits, dots, dashes and underscores, starting with a letter or digit.
bool is_preset_id(std::string_view id);

/// A preset's entry in the library, read from `text` without building the document.
/// @throws InputError if the head of the text is not JSON, has no name, or has an id that differs from the file name
PresetEntry read_preset_head(PresetKind kind, const std::filesystem::path &file, std::string_view text);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace meshwright {

/// Folder of this kind of preset within a library: "plans", "models", ...
std::string folder_of(PresetKind kind);

/// Whether the id has at most 64 letters, digits, dots, dashes and underscores, starting with a letter or digit.
bool is_preset_id(std::string_view id);

/// A preset's entry in the library, read from `text` without building the document.
/// @throws InputError if the part that is read is not JSON, there is no name, or the id differs from the file name
PresetEntry read_preset_head(PresetKind kind, const std::filesystem::path &file, std::string_view text);

} // namespace meshwright

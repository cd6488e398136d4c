// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

bool is_users_own(const PresetEntry &entry, const Library &library);

/// The built-in file that a user preset overrides; empty if it overrides none.
std::optional<std::filesystem::path> hidden_by(const PresetEntry &entry, const Library &library);

/// The preset's name, marked if it is a user preset or overrides a built-in one.
std::string listed_name(const PresetEntry &entry, const Library &library);

/// States why the user's file for this preset is invalid, in one line with the file name; empty if there is no such
/// file.
std::optional<std::string> problem_of(PresetKind kind, std::string_view id, const Library &library);

} // namespace meshwright

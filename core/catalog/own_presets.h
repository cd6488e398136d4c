// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// Whether a preset is one of the user's own.
bool is_users_own(const PresetEntry &entry, const Library &library);

/// The program's own file of that id, which a preset of the user's stands in for; nothing where it hides none.
std::optional<std::filesystem::path> hidden_by(const PresetEntry &entry, const Library &library);

/// The preset's name, with a mark where it is one of the user's own or hides one of the program's.
std::string listed_name(const PresetEntry &entry, const Library &library);

/// Why the user's file that would be this preset is left out, in one line that names it; nothing where there is none.
std::optional<std::string> problem_of(PresetKind kind, std::string_view id, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/own_presets.h"

#include "catalog/preset_file.h"

#include <system_error>

namespace meshwright {

namespace fs = std::filesystem;

bool is_users_own(const PresetEntry &entry, const Library &library) {
    return entry.file.parent_path().parent_path() != library.own_folder();
}

std::optional<fs::path> hidden_by(const PresetEntry &entry, const Library &library) {
    if (!is_users_own(entry, library))
        return std::nullopt;
    const fs::path own = library.own_folder() / folder_of(entry.kind) / entry.file.filename();
    std::error_code error;
    return fs::is_regular_file(own, error) ? std::optional(own) : std::nullopt;
}

std::string listed_name(const PresetEntry &entry, const Library &library) {
    return entry.name
        + (hidden_by(entry, library)          ? " (yours, overrides the built-in preset)"
               : is_users_own(entry, library) ? " (yours)"
                                              : "");
}

std::optional<std::string> problem_of(PresetKind kind, std::string_view id, const Library &library) {
    for (const InvalidPreset &preset : library.invalid())
        if (preset.kind == kind && preset.id == id)
            return preset.problem;
    return std::nullopt;
}

} // namespace meshwright

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
        + (hidden_by(entry, library)          ? " (yours, hides the built-in)"
               : is_users_own(entry, library) ? " (yours)"
                                              : "");
}

std::optional<LeftOut> left_out_by(const std::string &problem) {
    for (std::size_t i = 0; i < preset_kind_names().size(); ++i) {
        const auto kind = static_cast<PresetKind>(i);
        const std::string folder = "/" + folder_of(kind) + "/";
        const std::size_t end = problem.find(".json: ");
        const std::size_t begin = end == std::string::npos ? end : problem.rfind(folder, end);
        if (begin == std::string::npos)
            continue;
        const std::string id = problem.substr(begin + folder.size(), end - begin - folder.size());
        if (id.find('/') == std::string::npos)
            return LeftOut{.kind = kind, .id = id};
    }
    return std::nullopt;
}

std::optional<std::string> problem_of(PresetKind kind, std::string_view id, const Library &library) {
    for (const std::string &problem : library.problems())
        if (const std::optional<LeftOut> left_out = left_out_by(problem);
            left_out && left_out->kind == kind && left_out->id == id)
            return problem;
    return std::nullopt;
}

} // namespace meshwright

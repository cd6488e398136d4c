// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/preset_digest.h"

#include "catalog/library.h"
#include "catalog/own_presets.h"
#include "input/diagnostic.h"
#include "input/digest.h"
#include "input/files.h"

#include <algorithm>
#include <system_error>

namespace meshwright {

namespace fs = std::filesystem;

std::optional<std::uint64_t> digest_of_presets(const Library &library) {
    const std::vector<PresetEntry> &entries = library.entries();
    if (!library.invalid().empty() || std::any_of(entries.begin(), entries.end(), [&](const PresetEntry &entry) {
            return is_users_own(entry, library);
        }))
        return std::nullopt;
    std::uint64_t hash = empty_digest;
    for (const char *const folder : {"accelerators", "clusters", "evidence", "models", "profiles", "stacks"}) {
        std::vector<fs::path> files;
        std::error_code error;
        for (fs::directory_iterator place(library.own_folder() / folder, error), end; !error && place != end;
             place.increment(error))
            if (const fs::path kind = place->path().extension(); kind == ".json" || kind == ".csv")
                files.push_back(place->path());
        std::sort(files.begin(), files.end());
        for (const fs::path &file : files) {
            try {
                hash = digest(read_file(file), digest(file.filename().string(), digest(folder, hash)));
            } catch (const FileError &) {
                return std::nullopt;
            }
        }
    }
    return hash;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace meshwright {

/// Names of the files that write_file_atomically() makes in a target's folder. None depends on the target's own name,
/// which may be as long as a name can be.
namespace temporary_names {
inline constexpr const char *start = ".meshwright-";
inline constexpr const char *part = ".part"; ///< a text that is being written, and will be renamed
inline constexpr const char *whole = ".whole"; ///< a text on its way into a file that is written in place
} // namespace temporary_names

/// Ends what killed programs left unfinished in a folder: removes temporary files that no living program holds, and
/// writes files in place whose writing was cut short. Only files of this user count. Never throws; what cannot be
/// settled now is left for the next time.
void settle_folder(const std::filesystem::path &folder) noexcept;

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace meshwright {

/// Names of the temporary files that write_file_atomically() creates in the target's folder. They do not contain the
/// target's name, which may already have the maximum length.
namespace temporary_names {
inline constexpr const char *start = ".meshwright-";
inline constexpr const char *part = ".part"; ///< unfinished new text, to be renamed to the target
inline constexpr const char *whole = ".whole"; ///< complete new text of a target that is being written in place
} // namespace temporary_names

/// Cleans up after killed programs: removes temporary files that no running program has locked, and finishes
/// interrupted in-place writes. Touches only files of this user. Never throws; a file that cannot be cleaned up now is
/// left for the next call.
void settle_folder(const std::filesystem::path &folder) noexcept;

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace meshwright {

inline constexpr std::size_t largest_input_bytes = 16u << 20; ///< 16 MiB

/// Reads a file, or a device that has data to read. Never blocks: named pipes and folders are rejected.
/// @throws FileError if it cannot be read, InputError if it is larger than `most` bytes
std::string read_file(const std::filesystem::path &path, std::size_t most = largest_input_bytes);

/// Whether the path is a named pipe, such as a shell's process substitution.
bool is_pipe(const std::filesystem::path &path);

/// Reads all data that the writer of a named pipe sends, up to 16 MiB plus one byte. Gives up after a second if no
/// process opens the pipe for writing. @throws FileError
std::string read_pipe(const std::filesystem::path &path);

/// Writes a private temporary file in the target's folder and renames it, so that a crash leaves either the old or the
/// new file. Follows symbolic links, including dangling ones, and keeps the target's mode, owner and group. A file with
/// several hard links, or with an owner that cannot be set on a new file, is overwritten after the whole text has been
/// stored next to it. If the program is killed during this, the next settle_folder() finishes the write. Devices and
/// pipes are written directly. Before writing, the folder is cleaned up as by settle_folder().
/// @throws FileError with the reason
void write_file_atomically(const std::filesystem::path &path, std::string_view text);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace meshwright {

inline constexpr std::size_t largest_input_bytes = 16u << 20; ///< 16 MiB

/// The bytes of a file, or of a device that gives some. Never waits: a named pipe or a folder is refused.
/// @throws FileError if it cannot be read, InputError if it has more than `most` bytes
std::string read_file(const std::filesystem::path &path, std::size_t most = largest_input_bytes);

/// Whether it is a named pipe, or the substitution of a process in a shell.
bool is_pipe(const std::filesystem::path &path);

/// Everything that a named pipe's writer sends, at most 16 MiB and one byte. A pipe that nobody opens for writing is
/// given up after a second. @throws FileError
std::string read_pipe(const std::filesystem::path &path);

/// Writes through a temporary file beside the target and renames it, so that a crash leaves the old file or the new.
/// Symbolic links are followed, the target keeps its mode; a file with several hard links keeps them and is written in
/// place, once the whole text is on the disk beside it. A device or pipe is written to. Temporary files that killed
/// programs left of the same target are removed.
/// @throws FileError
void write_file_atomically(const std::filesystem::path &path, std::string_view text);

} // namespace meshwright

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

/// Writes through a private temporary file in the target's folder and renames it, so that a crash leaves the old file
/// or the new. Symbolic links are followed, also where nothing is there yet; the target keeps its mode, owner and
/// group. A file with several hard links, or with an owner that cannot be given to another file, is written in place,
/// once the whole text is on the disk next to it; the next settle_folder() ends that if this program is killed in
/// between. A device or pipe is written to. What killed programs left in the folder is settled first.
/// @throws FileError with the reason
void write_file_atomically(const std::filesystem::path &path, std::string_view text);

} // namespace meshwright

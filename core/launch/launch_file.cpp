// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/launch_file.h"

#include "input/file_beginning.h"
#include "input/files.h"
#include "input/gzip_text.h"
#include "launch/measured_importers.h"
#include "measured/memory_snapshot.h"

namespace meshwright {

std::string read_launch_file(const std::filesystem::path &path) {
    constexpr std::size_t enough = 256 << 10;
    constexpr int surely = 90;
    const LaunchFile beginning{.name = path.filename().string(), .text = beginning_of_file(path, enough)};
    const bool is_profile =
        !is_gzip(beginning.text) && !is_pickle(beginning.text) && trace_likeness(beginning) >= surely;
    return read_file(path, is_profile ? largest_expanded_bytes : largest_input_bytes);
}

} // namespace meshwright

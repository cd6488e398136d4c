// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace meshwright {

/// Irrevocably removes this process's access to everything that an exercise program does not need: files, the network,
/// new processes and threads, executable memory. If the kernel refuses one of the restrictions, the others still apply.
/// The engine's JavaScript has no functions for any of this.
/// @param moreMemory bytes that the process may allocate in addition to those in use
/// @throws FileError if the kernel does not report the memory in use
void confine(std::size_t moreMemory, std::chrono::seconds time);

/// The last line that the confined process prints after each kind of failure, including the line break.
struct LastLines {
    std::string outOfMemory;
    std::string tooDeep;
    std::string failed;
};
/// If memory runs out, the stack overflows or the engine fails otherwise, the process writes the line for that failure
/// to standard output and exits. The engine itself does not handle a lack of memory.
void endWithALine(const LastLines &lines);

/// Writes all of the text to standard output, or ends the process if standard output is closed.
void writeOrEnd(const std::string &text);

} // namespace meshwright

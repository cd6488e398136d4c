// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace meshwright {

/// Irrevocably removes this process's access to everything that an exercise program does not need: files, the network,
/// further processes and threads, executable memory. If the kernel refuses one of the restrictions the others still
/// apply, and JavaScript in the engine has no functions for any of this anyway.
/// @param moreMemory bytes that the process may allocate in addition to those in use
/// @throws FileError if the kernel does not report the memory in use
void confine(std::size_t moreMemory, std::chrono::seconds time);

/// The last lines that the confined process writes, line breaks included.
struct LastLines {
    std::string outOfMemory;
    std::string tooDeep;
    std::string failed;
};
/// Makes the process end with one of these lines on standard output if memory runs out (even inside the engine, which
/// does not expect it), if the stack overflows, or if the engine fails in another way.
void endWithALine(const LastLines &lines);

/// Writes all of the text to standard output, or ends the process if that is closed.
void writeOrEnd(const std::string &text);

} // namespace meshwright

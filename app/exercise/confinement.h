// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace meshwright {

/// Takes from this process, for good, all that an exercise program has no use for: files, the network, further
/// processes and threads, executable memory. A kernel that refuses one of the means leaves the others, and the
/// engine's language has no words for any of it.
/// @param moreMemory bytes that the process may still take, in addition to what it uses
/// @throws FileError if the kernel does not say how much that is
void confine(std::size_t moreMemory, std::chrono::seconds time);

/// The last lines that the confined process writes, line breaks included.
struct LastLines {
    std::string outOfMemory;
    std::string tooDeep;
    std::string failed;
};
/// Ends the process with one of these lines on standard output if memory runs out, be it in the middle of an allocation
/// or of an engine that does not expect it, if the stack does, or if the engine fails otherwise.
void endWithALine(const LastLines &lines);

/// Writes all of the text to standard output, or ends the process: nobody reads any more.
void writeOrEnd(const std::string &text);

} // namespace meshwright

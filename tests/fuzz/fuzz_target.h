// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Functions called by libFuzzer and driver.cpp; each target defines the first.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);
extern "C" int LLVMFuzzerInitialize(int *count, char ***words);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t most, unsigned seed);
/// The fuzzer's own mutation of bytes.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t most);

namespace meshwright::fuzz {

/// Aborts like a crash if an answer is wrong although no error was reported.
void require(bool holds, std::string_view what);

/// Counts an input that was processed to the end; the count is printed at exit.
void went_all_the_way();
long all_the_way();

inline std::string_view text_of(const std::uint8_t *data, std::size_t size) {
    return {reinterpret_cast<const char *>(data), size};
}

/// Returns the first line and removes it with its line break from the text.
std::string_view take_line(std::string_view &text);

/// Calls a reader, which may reject its input with a one-line error. Any other exception is a finding.
template <typename Function>
int refusing(const Function &read) {
    try {
        read();
    } catch (const InputError &error) {
        require(!error.diagnostics().empty(), "a rejection names its errors");
        require(one_line("input", error.diagnostics()).find('\n') == std::string::npos, "a rejection is one line");
    }
    return 0;
}

} // namespace meshwright::fuzz

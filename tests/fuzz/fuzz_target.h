// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Functions that libFuzzer and driver.cpp call; each target defines the first.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);
extern "C" int LLVMFuzzerInitialize(int *count, char ***words);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t most, unsigned seed);
/// The fuzzer's own mutation of bytes.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t most);

namespace meshwright::fuzz {

/// Ends the program like a crash if an answer is wrong although nothing failed.
void require(bool holds, std::string_view what);

/// Counts an input that was not rejected. The count is printed when the program ends.
void went_all_the_way();
long all_the_way();

inline std::string_view text_of(const std::uint8_t *data, std::size_t size) {
    return {reinterpret_cast<const char *>(data), size};
}

/// Removes and returns the text up to the first line break, and removes the line break.
std::string_view take_line(std::string_view &text);

/// Input may be rejected with one line; any other exception of a reader is a finding.
template <typename Function>
int refusing(const Function &read) {
    try {
        read();
    } catch (const InputError &error) {
        require(!error.diagnostics().empty(), "a refusal says what is wrong");
        require(one_line("input", error.diagnostics()).find('\n') == std::string::npos, "a refusal is one line");
    }
    return 0;
}

} // namespace meshwright::fuzz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_target.h"

#include <cstdio>
#include <cstdlib>

namespace meshwright::fuzz {

namespace {

/// Hides the presets of the user who runs the test.
[[maybe_unused]] const int without_users_presets = ::setenv("XDG_DATA_HOME", "/nonexistent", 1);

struct Count {
    ~Count() { std::fprintf(stderr, "%ld inputs were accepted\n", all); }
    long all = 0;
} count;

} // namespace

void went_all_the_way() {
    ++count.all;
}

long all_the_way() {
    return count.all;
}

void require(bool holds, std::string_view what) {
    if (holds)
        return;
    std::fprintf(stderr, "violated: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

std::string_view take_line(std::string_view &text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

} // namespace meshwright::fuzz

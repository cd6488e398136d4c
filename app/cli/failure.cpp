// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/failure.h"

#include "input/printable.h"

#include <algorithm>
#include <cstdio>
#include <new>

namespace meshwright {

namespace {

/// An error must be one line, even if a file name or a message contains line breaks.
std::string oneLine(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return text;
}

/// Inserts the root pointer "/" into the core's message "FILE: what; expected" about a file that cannot be opened.
std::string withPointer(const std::string &file, const std::string &message) {
    const std::string name = printable(file);
    const bool named = message.starts_with(name + ": ");
    const std::string rest = named ? message.substr(name.size() + 2) : message;
    return name + ": /: " + rest;
}

} // namespace

Failure::Failure(ExitStatus status, const std::string &line)
    : std::runtime_error(oneLine(line))
    , m_status(status) { }

Failure failureFor(const std::string &file, const std::exception &error) {
    if (const auto *const input = dynamic_cast<const InputError *>(&error))
        return {ExitStatus::rejected, one_line(file, input->diagnostics())};
    if (dynamic_cast<const FileError *>(&error) != nullptr)
        return {ExitStatus::fileTrouble, withPointer(file, error.what())};
    if (dynamic_cast<const std::bad_alloc *>(&error) != nullptr)
        return {ExitStatus::rejected, printable(file) + ": /: out of memory; expected a smaller input"};
    return {ExitStatus::rejected, printable(file) + ": /: " + error.what() + "; expected input that can be evaluated"};
}

int report(const Failure &failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return static_cast<int>(failure.status());
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/diagnostic.h"

#include "input/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

std::string printable(std::string text) {
    constexpr std::size_t longest = 400;
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    if (text.size() > longest) {
        std::size_t end = longest;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
            --end; // never cut inside a UTF-8 sequence
        text = text.substr(0, end) + "...";
    }
    return text;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(one_line("input", diagnostics))
    , m_diagnostics(std::move(diagnostics)) { }

InputError::InputError(std::string pointer, std::string message, std::string expected)
    : InputError(std::vector<Diagnostic>{{.severity = Severity::error,
                                          .code = "input",
                                          .message = std::move(message),
                                          .expected = std::move(expected),
                                          .fields = {std::move(pointer)},
                                          .fixes = {}}}) { }

std::string one_line(const std::string &file, const std::vector<Diagnostic> &diagnostics) {
    std::vector<const Diagnostic *> errors;
    for (const Diagnostic &diagnostic : diagnostics)
        if (diagnostic.severity == Severity::error)
            errors.push_back(&diagnostic);
    if (errors.empty())
        return printable(file) + ": no error";
    const Diagnostic &first = *errors.front();
    const std::string pointer = first.fields.empty() || first.fields.front().empty() ? "/" : first.fields.front();
    std::string line = fmt::format("{}: {}: {}", printable(file), printable(pointer), printable(first.message.text));
    if (!first.expected.empty())
        line += "; " + printable(first.expected.text);
    if (errors.size() > 1)
        line += fmt::format(" (and {} more)", errors.size() - 1);
    return line;
}

} // namespace meshwright

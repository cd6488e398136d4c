// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/sentence.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace meshwright {

enum class Severity { error, warning, hint };

/// One way out of a problem, ready to be applied as one edit.
struct Fix {
    std::string title; ///< what the edit does, in a few words: "tensor 4, pipeline 4"
    std::string patch; ///< JSON merge patch (RFC 7396) for the plan, serialised
    std::string gain; ///< what it brings, from an evaluation: "-2.8 s", "+36.0 GB"; empty where the plan was invalid
    std::string figure = {}; ///< path in the result of what the gain is the change of: "step.seconds"; may be empty
};

/// Something to say about a plan or a file: a rejection, a warning or a hint.
struct Diagnostic {
    Severity severity = Severity::error;
    std::string code; ///< stable identifier for tests and tools: "tensor-does-not-divide"
    Sentence message; ///< what is wrong, with the numbers
    Sentence expected; ///< what was expected instead; may be empty for warnings and hints
    std::vector<std::string> fields; ///< JSON pointers (RFC 6901) into the plan, the first is the place to show it at
    std::vector<Fix> fixes;

    bool operator==(const Diagnostic &) const = default;
};

inline bool operator==(const Fix &a, const Fix &b) {
    return a.title == b.title && a.patch == b.patch && a.gain == b.gain && a.figure == b.figure;
}

/// Input that cannot be used. Carries every error found, the first one first.
class InputError : public std::runtime_error {
public:
    explicit InputError(std::vector<Diagnostic> diagnostics);
    InputError(std::string pointer, std::string message, std::string expected);

    const std::vector<Diagnostic> &diagnostics() const { return m_diagnostics; }

private:
    std::vector<Diagnostic> m_diagnostics;
};

/// "FILE: /json/pointer: what is wrong; what is expected (and N more)", always one line.
std::string one_line(const std::string &file, const std::vector<Diagnostic> &diagnostics);

/// A file that could not be read or written.
class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace meshwright

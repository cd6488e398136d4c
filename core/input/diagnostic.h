// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "quantities/sentence.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace meshwright {

enum class Severity { error, warning, hint };

struct Fix {
    std::string title; ///< short description of the edit: "tensor 4, pipeline 4"
    std::string patch; ///< JSON merge patch (RFC 7396) for the plan, serialized
    std::string gain; ///< evaluated gain: "-2.8 s", "+36.0 GB"; empty if the plan was invalid
    std::string figure = {}; ///< result path of the improved figure: "step.seconds"; may be empty
};

/// An error, warning or hint about a plan or a file.
struct Diagnostic {
    Severity severity = Severity::error;
    std::string code; ///< stable identifier that tests and tools rely on: "tensor-does-not-divide"
    Sentence message; ///< one sentence about the problem, with the numbers
    Sentence expected; ///< "expected …"; may be empty for warnings and hints
    /// JSON pointers (RFC 6901) into the plan; the problem is shown at the first of them.
    std::vector<std::string> fields;
    std::vector<Fix> fixes;

    bool operator==(const Diagnostic &) const = default;
};

inline bool operator==(const Fix &a, const Fix &b) {
    return a.title == b.title && a.patch == b.patch && a.gain == b.gain && a.figure == b.figure;
}

/// Thrown for invalid input. Holds all errors in the order of their detection.
class InputError : public std::runtime_error {
public:
    explicit InputError(std::vector<Diagnostic> diagnostics);
    InputError(std::string pointer, std::string message, std::string expected);

    const std::vector<Diagnostic> &diagnostics() const { return m_diagnostics; }

private:
    std::vector<Diagnostic> m_diagnostics;
};

/// Formats the errors as one line: "FILE: /json/pointer: problem; expected value (and N more)".
std::string one_line(const std::string &file, const std::vector<Diagnostic> &diagnostics);

class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace meshwright

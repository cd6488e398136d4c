// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/program.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

/// The hidden verb of `meshwright` that runs an exercise program. It reads one JSON document from standard input and
/// writes JSON lines: "ready", each value as soon as it is calculated, and finally the problem, which is empty if all
/// cases ran.
inline constexpr std::string_view exerciseVerb = "exercise";

/// Time limit for running the program, not counting the start of the JavaScript engine.
inline constexpr std::chrono::seconds exerciseTime{2};
inline constexpr std::size_t exerciseMemory = 64'000'000; ///< bytes, not counting those of the JavaScript engine
inline constexpr std::string_view tookTooMuchMemory = "took more than 64 MB of memory";

/// The document for the process's standard input. @throws InputError if the call exceeds the size limit of a program
std::string requestOf(const ProgramCall &call);
/// Reads a document from requestOf().
/// @throws InputError for any other document
ProgramCall callOf(std::string_view request);

std::string readyLine();
std::string valueLine(double value);
std::string problemLine(std::string_view problem);

class ExerciseAnswer {
public:
    explicit ExerciseAnswer(std::size_t cases)
        : m_cases(cases) { }

    /// @returns whether the line is a valid message of an exercise process
    bool take(std::string_view line);
    bool isReady() const { return m_ready; }
    bool isComplete() const { return m_complete; }
    /// Ends the answer with a problem, unless it is already complete.
    void end(std::string_view problem);
    const ProgramOutcome &outcome() const { return m_outcome; }

private:
    std::size_t m_cases;
    ProgramOutcome m_outcome;
    bool m_ready = false;
    bool m_complete = false;
};

} // namespace meshwright

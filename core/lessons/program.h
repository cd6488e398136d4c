// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace meshwright {

inline constexpr std::size_t largest_program_bytes = 64u << 10; ///< 64 KiB
inline constexpr std::size_t most_program_calls = 1000;

struct ProgramCall {
    std::string program; ///< JavaScript (ECMAScript 7), at most 64 KiB
    std::string function; ///< name of the function that it must define
    std::vector<std::vector<double>> cases; ///< arguments, one list per call; at most 1,000 calls
};

struct ProgramOutcome {
    std::vector<double> values; ///< one value per case that ran
    /// A one-line error: a syntax error with its line, an exception, a result that is not a number, or an exceeded
    /// limit on time or memory. Empty if all cases ran.
    std::string problem;
};

/// Runs exercise programs: the window and meshwright-cli pass run_in_process() of app/exercise, tests pass their own
/// function.
using ProgramRunner = std::function<ProgramOutcome(const ProgramCall &)>;

} // namespace meshwright

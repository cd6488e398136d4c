// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calibration/free_parameters.h"
#include "calibration/machine_runs.h"
#include "evidence/error_statistics.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshwright {

/// How far runs decide a constant.
enum class Determined {
    well, ///< they say more of it than was known before
    partly, ///< they shift it
    hardly ///< it stays what the registry says
};

/// A constant that the runs depend on, before and after.
struct FittedConstant {
    const Constant *constant = nullptr;
    double before = 0;
    double after = 0;
    double information = 0; ///< share of the variance that was expected of machines that the runs take away, 0 to 1
    bool at_end = false; ///< of its range
    Determined determined() const;
    bool moved() const { return before != after; }
};

/// One measured figure and what is predicted of it.
struct FittedFigure {
    double measured = 0;
    double before = 0; ///< with the registry's constants
    double after = 0;
    std::optional<double> left_out; ///< fitted to all other runs; unset with fewer than three
};

struct FittedRun {
    std::string name;
    RunShape shape;
    MeasuredMemory memory_kind = MeasuredMemory::unknown;
    std::optional<FittedFigure> step; ///< seconds
    std::optional<FittedFigure> memory; ///< bytes at the peak, of the kind that was measured
};

/// Errors of all figures of one kind.
struct FitErrors {
    Errors before;
    Errors after;
    std::optional<Errors> left_out;
};

/// A machine's constants as its runs say, shrunk towards the registry as far as they are few.
struct MachineFit {
    std::vector<FittedConstant> constants; ///< those that the runs depend on
    std::vector<FittedRun> runs;
    FitErrors step;
    FitErrors memory;
    std::vector<SkippedRun> skipped;

    /// Those that moved, by name: what a preset carries.
    MeasuredConstants moved() const;
    /// Whether runs left out are predicted no worse than before; unset with fewer than three.
    std::optional<bool> carries_over() const;
};

/// The constants that machines may differ in, from presets/evidence/machine-parameters.json: how far, as the standard
/// deviation of their logarithm. @throws InputError, FileError
const std::vector<FreeParameter> &machine_parameters();

/// Most probable values of the constants, given the registry's with their spread and errors of the model of 8 % of a
/// step and 5 % of memory, rows far off counting less (Cauchy); within their ranges. What the runs do not determine
/// keeps its value. Gauss-Newton. Source: maximum a posteriori with log-normal priors, Tarantola 2005, Inverse Problem
/// Theory, section 3.2. Once `stop` is asked for, an empty fit.
/// @throws InputError as check_machine_runs
MachineFit fit_machine(const MachineRuns &runs, const std::vector<FreeParameter> &parameters,
                       const std::stop_token &stop = {});

} // namespace meshwright

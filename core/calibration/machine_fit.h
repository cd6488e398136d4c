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

enum class Determined {
    well, ///< the runs constrain the constant more than the prior does
    partly, ///< the runs shift the constant, but the prior weighs more
    hardly ///< the runs hardly constrain it, so it keeps the registry's value
};

struct FittedConstant {
    const Constant *constant = nullptr;
    double before = 0;
    double after = 0;
    double information = 0; ///< fraction of the prior variance that the runs remove, 0 to 1
    bool at_end = false; ///< whether the fitted value is at an end of its range
    Determined determined() const;
    bool moved() const { return before != after; }
};

struct FittedFigure {
    double measured = 0;
    double before = 0; ///< prediction with the registry's constants
    double after = 0;
    std::optional<double>
        left_out; ///< prediction with constants fitted to all other runs; unset with fewer than three runs
};

struct FittedRun {
    std::string name;
    RunShape shape;
    MeasuredMemory memory_kind = MeasuredMemory::unknown;
    std::optional<FittedFigure> step; ///< measured and predicted step time in seconds
    std::optional<FittedFigure> memory; ///< peak memory in bytes, as the driver or the allocator measured it
};

struct FitErrors {
    Errors before;
    Errors after;
    std::optional<Errors> left_out;
};

/// A machine's constants fitted to its runs. With few runs, they stay near the registry's values.
struct MachineFit {
    std::vector<FittedConstant> constants;
    std::vector<FittedRun> runs;
    FitErrors step;
    FitErrors memory;
    std::vector<SkippedRun> skipped;

    /// The constants that the fit changed, by name, to store in a preset.
    MeasuredConstants moved() const;
    /// Whether the fit predicts held-out runs at least as well as the registry's constants; unset with fewer than three
    /// runs.
    std::optional<bool> carries_over() const;
};

/// The constants that may differ between machines, with the standard deviation of their logarithm, from
/// presets/evidence/machine-parameters.json.
/// @throws InputError, FileError
const std::vector<FreeParameter> &machine_parameters();

/// Maximum a posteriori values of the constants, within their ranges: log-normal priors around the registry's values,
/// model errors of 8% of step time and 5% of memory, a Cauchy loss for outliers, solved by Gauss-Newton. Constants that
/// the runs do not determine keep their value. Source: Tarantola 2005, Inverse Problem Theory, section 3.2. The result
/// is empty once `stop` is requested.
/// @throws InputError for the same runs as check_machine_runs()
MachineFit fit_machine(const MachineRuns &runs, const std::vector<FreeParameter> &parameters,
                       const std::stop_token &stop = {});

} // namespace meshwright

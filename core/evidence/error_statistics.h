// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/prediction.h"

#include <string>
#include <utility>
#include <vector>

namespace meshwright {

/// Relative errors, predicted over measured less one.
struct Errors {
    std::size_t count = 0;
    std::size_t skipped = 0; ///< measured, but not predicted or left out as stalled
    double median_absolute = 0;
    double mean_absolute = 0;
    double p90_absolute = 0;
    double bias = 0; ///< median of the signed errors
};

/// Errors of a set of runs.
struct EvidenceSummary {
    Errors step;
    Errors step_with_stalled; ///< the same, stalled runs counted too
    Errors memory;
    std::size_t fits_count = 0; ///< runs that ended well or out of memory
    double fits_accuracy = 0; ///< share of them that was foretold
    double coverage = 0; ///< share of measured steps inside the interval
    double interval_width = 0; ///< median of high over low, less one
    double memory_coverage = 0; ///< the same of measured memory
    double memory_interval_width = 0;
};

/// @param errors  signed; their order does not matter
Errors errors_of(std::vector<double> errors, std::size_t skipped);

/// Model FLOPs of a step over what the accelerators' dense peak in a format does in so many seconds.
double share_of_peak(const RunPlan &run, double seconds, DataType format);

/// Runs that hardly move say nothing about a model of work: below this share of the 16-bit peak a step is left out.
inline constexpr double stalled_share = 0.02;
/// Whether a measured step is so slow that something else than the plan decided it.
bool is_stalled(const MeasuredRun &run, const RunPlan &plan);

/// @param chosen  indices of the rows to summarise
EvidenceSummary summarise(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans,
                          const std::vector<Prediction> &predictions, const std::vector<std::size_t> &chosen);

/// Indices of each source's rows, sources in order of first appearance.
std::vector<std::pair<std::string, std::vector<std::size_t>>> rows_by_source(const std::vector<MeasuredRun> &runs);

} // namespace meshwright

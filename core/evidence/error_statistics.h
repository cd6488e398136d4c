// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/prediction.h"

#include <string>
#include <utility>
#include <vector>

namespace meshwright {

/// Relative errors: predicted / measured - 1.
struct Errors {
    std::size_t count = 0;
    std::size_t skipped = 0; ///< number of measured runs without a prediction or excluded as stalled
    double median_absolute = 0;
    double mean_absolute = 0;
    double p90_absolute = 0;
    double bias = 0; ///< median of the signed errors
};

struct EvidenceSummary {
    Errors step;
    Errors step_with_stalled; ///< errors of step times, including stalled runs
    Errors memory;
    std::size_t fits_count = 0; ///< number of runs that ended normally or ran out of memory
    double fits_accuracy = 0; ///< fraction of these runs with a correct prediction of whether they fit
    double coverage = 0; ///< fraction of measured step times inside their interval
    double interval_width = 0; ///< median relative width of the intervals: high / low - 1
    double memory_coverage = 0; ///< fraction of measured memory figures inside their interval
    double memory_interval_width = 0;
};

/// @param errors  signed, in any order
Errors errors_of(std::vector<double> errors, std::size_t skipped);

/// Model FLOP/s as a fraction of the accelerators' dense peak in a format, if a step takes `seconds`.
double share_of_peak(const RunPlan &run, double seconds, DataType format);

/// Steps below this fraction of the 16-bit peak are excluded as stalled; they say nothing about a cost model.
inline constexpr double stalled_share = 0.02;
bool is_stalled(const MeasuredRun &run, const RunPlan &plan);

/// @param chosen  indices of the rows to summarize
EvidenceSummary summarise(const std::vector<MeasuredRun> &runs, const std::vector<RunPlan> &plans,
                          const std::vector<Prediction> &predictions, const std::vector<std::size_t> &chosen);

std::vector<std::pair<std::string, std::vector<std::size_t>>> rows_by_source(const std::vector<MeasuredRun> &runs);

} // namespace meshwright

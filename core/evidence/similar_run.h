// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

namespace meshwright {

struct SimilarRun {
    /// Row number of runs that come from the plan's own cluster instead of a table.
    static constexpr std::size_t of_no_table = std::numeric_limits<std::size_t>::max();

    std::size_t row = 0;
    std::string id;
    std::string source;
    std::string model;
    double measured_seconds = 0;
    double predicted_seconds = 0;
    std::optional<double> measured_bytes; ///< measured peak memory; unset if the source does not give it
    std::optional<double> predicted_bytes; ///< predicted memory by the same definition as the measured memory
    double distance = 0;

    /// Relative error of the step time: predicted / measured - 1.
    double error() const { return predicted_seconds / measured_seconds - 1; }
};

/// Multipliers on a predicted figure. 80% of measured figures lie between the two products.
struct IntervalFactors {
    double low = 1;
    double high = 1;
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

namespace meshwright {

/// A measured run near a plan, with the model's prediction.
struct SimilarRun {
    /// Row number of runs that are listed in the plan's own cluster instead of a table.
    static constexpr std::size_t of_no_table = std::numeric_limits<std::size_t>::max();

    std::size_t row = 0; ///< row in its table
    std::string id;
    std::string source;
    std::string model;
    double measured_seconds = 0; ///< step time
    double predicted_seconds = 0;
    std::optional<double> measured_bytes; ///< measured peak memory, if the source gives it
    std::optional<double> predicted_bytes; ///< predicted memory of the kind that was measured
    double distance = 0;

    /// Relative error of the step time: predicted / measured - 1.
    double error() const { return predicted_seconds / measured_seconds - 1; }
};

/// Factors on a predicted figure; the range between them contains 80% of measured figures.
struct IntervalFactors {
    double low = 1;
    double high = 1;
};

} // namespace meshwright

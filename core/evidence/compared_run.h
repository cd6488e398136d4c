// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/cluster.h"
#include "catalog/own_runs.h"
#include "evidence/run_features.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace meshwright {

/// A measured run next to its prediction, without its plan. Its strings refer to the text of the run's table or to
/// static data of the program. Missing figures are 0.
struct ComparedRun {
    std::size_t row = 0;
    std::string_view id;
    std::string_view source;
    std::string_view model;
    std::array<float, RunFeatures::count> features{};
    std::string_view stack;
    std::string_view architecture;
    NetworkHealth health = NetworkHealth::nominal;
    MeasuredMemory kind = MeasuredMemory::unknown;
    double measured_seconds = 0; ///< step time; 0 if unknown or the run stalled
    double predicted_seconds = 0;
    double measured_bytes = 0;
    double predicted_bytes = 0; ///< predicted peak of the kind of memory that was measured

    bool operator==(const ComparedRun &) const = default;
};

struct BuiltInRuns {
    std::uint64_t presets = 0; ///< digest_of_presets() of the library used for these predictions
    std::span<const ComparedRun> runs;
};

} // namespace meshwright

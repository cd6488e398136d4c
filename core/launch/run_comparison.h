// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/imported.h"
#include "quantities/text.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

struct Result;

/// A measured figure with the plan's prediction for it.
struct ComparedMeasurement {
    std::string figure; ///< path in the result: "step.seconds"; the paths of a sum are joined by " + "
    std::string title;
    Quantity quantity = Quantity::seconds;
    double measured = 0;
    double predicted = 0;
    std::optional<double> low; ///< 80% interval of the prediction, if it has one
    std::optional<double> high;
    double difference() const { return predicted / measured - 1; } ///< positive if the prediction is too large
};

/// A setting that differs between the run and the plan, which makes their figures incomparable.
struct DifferingSetting {
    std::string column; ///< column of the measured run
    nlohmann::ordered_json measured;
    nlohmann::ordered_json planned;
};

struct RunComparison {
    std::string plan; ///< name of the plan as given by the user
    std::vector<ComparedMeasurement> figures;
    std::vector<DifferingSetting> differing;
};

/// Compares a measured run with the prediction of a plan: step time, tokens per second, memory of each kind that was
/// measured, and the terms of the step that a profile or timers contain.
/// @throws InputError if the import is not a run or has none of these figures
RunComparison compare_run(const Imported &imported, const Result &result, std::string plan_name);

/// The JSON object of the comparison: `plan`, `figures[]` and `differing[]`.
nlohmann::ordered_json to_json(const RunComparison &comparison);

} // namespace meshwright

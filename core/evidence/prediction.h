// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/constants.h"
#include "evidence/run_plan.h"

#include <map>
#include <string>
#include <vector>

namespace meshwright {

struct Prediction {
    std::string skipped; ///< reason for a missing prediction; empty if there is a prediction
    double step_seconds = 0;
    double low_seconds = 0; ///< lower end of the 80% interval, set by add_intervals()
    double high_seconds = 0;
    double low_bytes = 0; ///< lower end of the 80% interval of the memory figure that was measured
    double high_bytes = 0;
    double allocated_bytes = 0; ///< bytes allocated on the rank with peak memory
    double last_allocated_bytes = 0; ///< bytes allocated on the pipeline's last rank
    double reserved_bytes = 0;
    double device_bytes = 0;
    bool fits = false;

    /// Predicted memory as the measurement defines it (allocated or reserved, for example). An unknown definition
    /// counts as reserved.
    double memory_bytes(MeasuredMemory kind) const;
};

/// Predicts the run of a plan returned by `plan_of`.
/// @param sequences_share  see RunPlan::batch_share
Prediction predict(const Plan &plan, double sequences_share, const Assumptions &assumptions);

/// Predicts all runs in parallel, on all cores, in their order.
/// @param overrides  values for constants of the registry, by name
std::vector<Prediction> predict(const std::vector<RunPlan> &plans, const std::map<std::string, double> &overrides = {});

std::vector<RunPlan> plans_of(const std::vector<MeasuredRun> &runs, const RunRules &rules, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/constants.h"
#include "evidence/run_plan.h"

#include <map>
#include <string>
#include <vector>

namespace meshwright {

/// The model's prediction for a measured run.
struct Prediction {
    std::string skipped; ///< reason for a missing prediction; otherwise empty
    double step_seconds = 0;
    double low_seconds = 0; ///< 80% interval, set by add_intervals()
    double high_seconds = 0;
    double low_bytes = 0; ///< 80% interval of the kind of memory that was measured
    double high_bytes = 0;
    double allocated_bytes = 0; ///< bytes allocated on the rank with peak memory
    double last_allocated_bytes = 0; ///< bytes allocated on the pipeline's last rank
    double reserved_bytes = 0;
    double device_bytes = 0;
    bool fits = false;

    /// Predicted memory of one kind; an unknown kind counts as reserved.
    double memory_bytes(MeasuredMemory kind) const;
};

/// Predicts the run of a plan returned by `plan_of`.
/// @param sequences_share  see RunPlan::batch_share
Prediction predict(const Plan &plan, double sequences_share, const Assumptions &assumptions);

/// Predicts every run, on all cores, in the order of the runs.
/// @param overrides  values for constants of the registry, by name
std::vector<Prediction> predict(const std::vector<RunPlan> &plans, const std::map<std::string, double> &overrides = {});

std::vector<RunPlan> plans_of(const std::vector<MeasuredRun> &runs, const RunRules &rules, const Library &library);

} // namespace meshwright

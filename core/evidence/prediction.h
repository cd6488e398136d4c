// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/constants.h"
#include "evidence/run_plan.h"

#include <map>
#include <string>
#include <vector>

namespace meshwright {

/// What the model says of a measured run.
struct Prediction {
    std::string skipped; ///< why nothing is predicted; empty where something is
    double step_seconds = 0;
    double low_seconds = 0; ///< 80 % interval, once add_intervals has been asked
    double high_seconds = 0;
    double low_bytes = 0; ///< the same of the memory of the kind that was measured
    double high_bytes = 0;
    double allocated_bytes = 0; ///< on the rank that needs most
    double last_allocated_bytes = 0; ///< on the pipeline's last rank
    double reserved_bytes = 0;
    double device_bytes = 0;
    bool fits = false;

    /// The figure of one kind; unknown is taken as reserved.
    double memory_bytes(MeasuredMemory kind) const;
};

/// Predicts the run of a plan that `plan_of` made. @param sequences_share  RunPlan::batch_share
Prediction predict(const Plan &plan, double sequences_share, const Assumptions &assumptions);

/// Predicts every run, on all cores; the order is that of the runs. @param overrides  constants of the registry that
/// are set otherwise, by name
std::vector<Prediction> predict(const std::vector<RunPlan> &plans, const std::map<std::string, double> &overrides = {});

std::vector<RunPlan> plans_of(const std::vector<MeasuredRun> &runs, const RunRules &rules, const Library &library);

} // namespace meshwright

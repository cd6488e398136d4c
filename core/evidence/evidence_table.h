// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/prediction.h"
#include "evidence/run_features.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace meshwright {

/// Measured runs with the plans that they describe. The three lists have the same length and order.
struct EvidenceTable {
    std::vector<MeasuredRun> runs;
    std::vector<RunPlan> plans;
    std::vector<RunFeatures> features; ///< features of each run; empty for a run without a plan

    /// The built-in runs (presets/evidence/measured-runs.csv), read on first use. Empty if the file is missing or not a
    /// table.
    static std::shared_ptr<const EvidenceTable> standard();
    /// Predicts all runs with overrides for some constants of the registry, on all cores.
    std::vector<Prediction> predict(const std::map<std::string, double> &overrides = {}) const;
};

EvidenceTable evidence_table(std::vector<MeasuredRun> runs, const RunRules &rules, const Library &library);

} // namespace meshwright

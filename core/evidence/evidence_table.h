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
    std::vector<RunFeatures> features; ///< empty ones where there is no plan

    /// The program's own runs (presets/evidence/measured-runs.csv), read when first asked for. Empty where the file is
    /// missing or is no table.
    static std::shared_ptr<const EvidenceTable> standard();
    /// Predicts all of them with some constants of the registry set otherwise, on all cores.
    std::vector<Prediction> predict(const std::map<std::string, double> &overrides = {}) const;
};

/// Reads runs as plans, on all cores.
EvidenceTable evidence_table(std::vector<MeasuredRun> runs, const RunRules &rules, const Library &library);

} // namespace meshwright

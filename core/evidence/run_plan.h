// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"
#include "evidence/run_rules.h"
#include "plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// The plan that a measured run describes, as far as its source says; the rest by assumptions that are named.
struct RunPlan {
    Plan plan;
    double batch_share = 1; ///< sequences of the run's step over those of the plan's, which must divide
    std::vector<std::string> assumed; ///< fields that the source does not say, with what was taken
    std::string skipped; ///< why there is no plan; empty where there is one
};

/// @throws InputError for a row that no plan can hold
RunPlan plan_of(const MeasuredRun &run, const RunRules &rules, const Library &library);

} // namespace meshwright

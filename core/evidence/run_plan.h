// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"
#include "evidence/run_rules.h"
#include "plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// The plan of a measured run, as far as its source gives it; the rest is assumed and listed.
struct RunPlan {
    Plan plan;
    double batch_share =
        1; ///< sequences per step in the run, divided by sequences per step in the plan; must be an integer
    std::vector<std::string> assumed; ///< fields that the source does not give, with the assumed values
    std::string skipped; ///< why there is no plan; empty if there is one
};

/// @throws InputError for a row that has no valid plan
RunPlan plan_of(const MeasuredRun &run, const RunRules &rules, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/measured_run.h"
#include "evidence/run_rules.h"
#include "plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// The plan of a measured run. Values that its source does not give are assumed and listed.
struct RunPlan {
    Plan plan;
    /// Global batch size of the run divided by the plan's, which was rounded if the run's is not a whole number of
    /// microbatches per rank.
    double batch_share = 1;
    std::vector<std::string> assumed; ///< fields that the source does not give, with the assumed values
    std::string skipped; ///< reason for a missing plan; otherwise empty
};

/// @throws InputError if the row gives no valid plan
RunPlan plan_of(const MeasuredRun &run, const RunRules &rules, const Library &library);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <string>

namespace meshwright {

struct Result;

/// Length of a run and its checkpoint interval in optimizer steps, as launchers count them.
struct RunSteps {
    std::int64_t steps = 1; ///< optimizer steps of one site
    std::int64_t save_interval = 0; ///< steps per checkpoint interval; 0 if no interval is known
    std::string why_steps;
    std::string why_interval; ///< how the interval was calculated: "10,500 s / 22.6 s per step, rounded"
};

/// @param plan  the plan as a target runs it
/// @param result  result of the whole plan, with step time and checkpoint interval
RunSteps run_steps(const Plan &plan, const Result &result);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launch/target_plan.h"

#include <cstdint>
#include <string>

namespace meshwright {

/// Reason why torchtitan v0.2.2 cannot run the plan's outer loop with TorchFT, as a predicate or sentence; empty if it
/// can. From torchtitan/components/ft/manager.py and torchtitan/experiments/ft/train.py.
std::string torchft_obstacle(const Plan &plan);

/// Replaces what TorchFT does not support in the plan's outer loop, and records it as lost. The checks of fragments
/// follow torchft/local_sgd.py; the split of the model into fragments follows
/// torchtitan/components/ft/diloco/utils.py.
/// @param splits_model  whether the model's family can split it into fragments
/// @pre torchft_obstacle() is empty
void fit_outer_loop_to_torchft(TargetPlan &target, bool splits_model);

/// Predicted durations between sites that TorchFT runs, and time limits for them in whole seconds: three times as long,
/// because the rates of links and the steps of sites vary.
struct TorchftTimes {
    double exchange_seconds = 0; ///< time to exchange the largest fragment over the slowest link
    double interval_seconds = 0; ///< time from the start of one exchange to the start of the next
    std::int64_t exchange_limit = 0;
    std::int64_t interval_limit = 0;
};

/// @param plan  the plan as torchtitan runs it
/// @param result  result of the whole plan, with step time and parameters
/// @pre the plan has an outer loop
TorchftTimes torchft_times(const Plan &plan, const Result &result);

} // namespace meshwright

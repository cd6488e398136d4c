// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace meshwright {

enum class Depth {
    /// as `executed`, but with closed forms instead of simulated pipelines, for comparing configurations in a search
    closed_forms,
    executed, ///< only memory and the step time with the simulated pipeline, for comparing fixes
    listing, ///< as `numbers`, but without texts and the breakdown of idle time, for the result list of a search
    comparison, ///< as `numbers`, but with the short outer simulation of brief_run(), for comparing similar plans
    numbers ///< memory, step time with the simulated pipeline, and the whole run
};

/// Evaluates a valid plan without side effects: the same plan gives the same result, bit for bit, on any thread.
/// @throws InputError if the plan is not valid
Result evaluate(const Plan &plan, Depth depth);

/// Predicts a measured run, even if its plan breaks a rule of check_plan(), for example because its chunks do not
/// divide the layers.
/// @pre the plan is that of a measured run with a prediction
Result evaluate_as_run(const Plan &plan, Depth depth);

/// The result's figures as JSON, by section: verdict, parameters, flops, memory, step, pipeline, run, cluster and
/// outer.
nlohmann::ordered_json figures_json(const Result &result);

nlohmann::ordered_json to_json(const Result &result);

} // namespace meshwright

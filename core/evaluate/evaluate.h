// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace meshwright {

/// How much of the result to calculate.
enum class Depth {
    /// Like `executed`, with closed forms instead of simulated pipelines; a search compares configurations with it.
    closed_forms,
    executed, ///< step and memory only, with the pipeline simulated: for comparing fixes
    listing, ///< like `numbers`, without texts and the breakdown of idle time; for the result list of a search
    comparison, ///< like `numbers`, with the short outer simulation of brief_run(); for comparing similar plans
    numbers ///< memory, step with its simulated pipeline, run
};

/// Evaluates a valid plan. Pure: the same plan gives the same result, bit for bit, on any thread.
/// @throws InputError if the plan is not valid
Result evaluate(const Plan &plan, Depth depth);

/// Evaluates a plan that has been run even if it breaks a rule of check_plan() (for example, chunks that do not divide
/// the layers): the result is the prediction for that run.
/// @pre the plan was predicted
Result evaluate_as_run(const Plan &plan, Depth depth);

/// The numbers of the contract's result object, section by section: verdict, parameters, flops, memory, step, pipeline,
/// run, cluster and outer.
nlohmann::ordered_json figures_json(const Result &result);

/// The contract's result object.
nlohmann::ordered_json to_json(const Result &result);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace meshwright {

class Library;

/// How much of the result to calculate.
enum class Depth {
    /// Like `executed`, with closed forms instead of simulated pipelines; a search compares configurations with it.
    closed_forms,
    executed, ///< step and memory only, with the pipeline simulated: for comparing fixes
    listing, ///< like `numbers`, without texts and the breakdown of idle time; for the result list of a search
    comparison, ///< like `numbers`, with the short outer simulation of brief_run(); for comparing similar plans
    numbers, ///< memory, step with its simulated pipeline, run
    full ///< also intervals, the nearest measured runs, and diagnostics with evaluated fixes
};

/// Evaluates a valid plan. Pure: the same plan gives the same result, bit for bit, on any thread.
/// @throws InputError if the plan is not valid
Result evaluate(const Plan &plan, Depth depth);

/// The same for a plan that breaks a rule here but has been run (for example, chunks that do not divide the layers):
/// its evaluation is the prediction for that run.
/// @pre the plan was predicted
Result evaluate_as_run(const Plan &plan, Depth depth);

/// The answer for a whole document: the plan as far as it could be read, diagnostics, and a result where it is valid.
struct Outcome {
    Plan plan;
    std::vector<Diagnostic> diagnostics; ///< problems of the document if it is invalid, otherwise of the result
    std::shared_ptr<const Result> result; ///< null where the document is invalid or evaluation was stopped
};

/// Never throws on input. `stop` is checked between fixes, so that a newer edit need not wait.
Outcome evaluate_document(const nlohmann::ordered_json &document, const Library &library,
                          const std::stop_token &stop = {});

/// The smallest change (by number of fields, then by step time) that makes a plan fit; nothing if none of the changes
/// tried does.
std::optional<Fix> smallest_fit(const Plan &plan, const std::stop_token &stop = {});

/// The numbers of the contract's result object, section by section: verdict, parameters, flops, memory, step, pipeline,
/// run, cluster and outer.
nlohmann::ordered_json figures_json(const Result &result);

/// The contract's result object.
nlohmann::ordered_json to_json(const Result &result);

} // namespace meshwright

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

/// How much of the answer is wanted.
enum class Depth {
    closed_forms, ///< as the next, with pipelines by their closed forms: what a search compares
    executed, ///< step and memory alone, with the pipeline executed: what fixes are compared by
    listing, ///< as numbers, without how idle time splits over its causes and the texts: what a search lists
    comparison, ///< numbers for setting like plans against each other: see brief_run()
    numbers, ///< memory, step with its pipeline executed, run
    full ///< also intervals, the nearest measured runs, and diagnostics with evaluated fixes
};

/// Evaluates a valid plan. Pure: the same plan gives the same result, bit for bit, on any thread.
/// @throws InputError if the plan is not valid
Result evaluate(const Plan &plan, Depth depth);

/// The same of a plan that somebody has run although it breaks a rule here (chunks that do not divide the layers): its
/// evaluation is what is predicted of it. @pre the plan was predicted
Result evaluate_as_run(const Plan &plan, Depth depth);

/// A document's whole answer: the plan as far as it reads, its diagnostics, and a result where it is valid.
struct Outcome {
    Plan plan;
    std::vector<Diagnostic> diagnostics; ///< of the document if it is not valid, of the result if it is
    std::shared_ptr<const Result> result; ///< null where the document is not valid or evaluation was stopped
};

/// Never throws on input. `stop` is asked between fixes, so that a newer edit need not wait.
Outcome evaluate_document(const nlohmann::ordered_json &document, const Library &library,
                          const std::stop_token &stop = {});

/// The smallest change, in number of fields and then in step time, that makes a plan fit that does not; nothing if none
/// of those tried does.
std::optional<Fix> smallest_fit(const Plan &plan, const std::stop_token &stop = {});

/// The numbers of the contract's result object, section by section: verdict, parameters, flops, memory, step, pipeline,
/// run, cluster and outer.
nlohmann::ordered_json figures_json(const Result &result);

/// The contract's result object.
nlohmann::ordered_json to_json(const Result &result);

} // namespace meshwright

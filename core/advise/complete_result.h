// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <stop_token>
#include <vector>

namespace meshwright {

class Library;

/// evaluate() at Depth::numbers, with intervals, the nearest measured runs, and diagnostics with evaluated fixes.
/// @throws InputError if the plan is not valid
Result complete_result(const Plan &plan, const std::stop_token &stop = {});

/// The evaluation of a whole document: the readable part of the plan, the diagnostics, and the result if the plan is
/// valid.
struct Outcome {
    Plan plan;
    std::vector<Diagnostic> diagnostics; ///< problems of the document if it is invalid, otherwise of the result
    std::shared_ptr<const Result> result; ///< null if the document is invalid or evaluation was stopped
};

/// Never throws because of the document. `stop` is checked between fixes, so that a newer edit need not wait.
Outcome evaluate_document(const nlohmann::ordered_json &document, const Library &library,
                          const std::stop_token &stop = {});

} // namespace meshwright

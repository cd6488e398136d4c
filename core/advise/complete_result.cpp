// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/complete_result.h"

#include "advise/advice.h"
#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "plan/own_presets.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

namespace meshwright {

Result complete_result(const Plan &plan, const std::stop_token &stop) {
    Result result = evaluate(plan, Depth::numbers);
    add_evidence(result);
    result.diagnostics = advise(result, stop);
    return result;
}

Outcome evaluate_document(const nlohmann::ordered_json &document, const Library &library, const std::stop_token &stop) {
    PlanReading reading = read_plan(document, library);
    Outcome outcome{.plan = reading.plan, .diagnostics = reading.diagnostics, .result = nullptr};
    if (!reading.valid())
        return outcome;
    auto result = std::make_shared<Result>(complete_result(reading.plan, stop));
    for (Diagnostic &warning : own_preset_warnings(document, reading.plan, library))
        result->diagnostics.push_back(std::move(warning));
    outcome.plan = result->plan;
    outcome.diagnostics = result->diagnostics;
    if (!stop.stop_requested())
        outcome.result = std::move(result);
    return outcome;
}

} // namespace meshwright

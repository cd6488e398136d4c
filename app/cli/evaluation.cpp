// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/evaluation.h"

#include "advise/complete_result.h"
#include "catalog/library.h"
#include "cli/failure.h"

#include <nlohmann/json.hpp>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Rejects a plan card (a run with too few published details) with one error instead of one per missing field.
void rejectCard(const Json &document) {
    if (!document.is_object() || !document.contains("schema") || document["schema"] != "meshwright.card/1")
        return;
    throw InputError("/schema", "names a card, not a plan: too little has been published about this run to evaluate it",
                     "expected a plan with a cluster and a model");
}

} // namespace

std::shared_ptr<const Result> evaluateNamed(const std::string &name, const Json &document, const Library &library) {
    return naming(name, [&] {
        rejectCard(document);
        const Outcome outcome = evaluate_document(document, library);
        if (!outcome.result)
            throw InputError(outcome.diagnostics);
        return outcome.result;
    });
}

std::shared_ptr<const Result> evaluatePlan(const PlanArgument &argument, const Library &library) {
    return evaluateNamed(argument.name, loadPlan(argument, library), library);
}

} // namespace meshwright

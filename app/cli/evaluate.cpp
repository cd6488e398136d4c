// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"

#include "catalog/library.h"
#include "cli/derivation_text.h"
#include "cli/documents.h"
#include "cli/evaluation.h"
#include "cli/result_tables.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "explain/explain.h"
#include "sensitivity/sensitivity.h"
#include "threads/for_each_index.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace meshwright {

namespace {

struct EvaluateArguments {
    PlanArgument plan;
    bool json = false;
    bool explain = false;
};

void run(const EvaluateArguments &options) {
    const std::shared_ptr<const Result> result = evaluatePlan(options.plan, Library::standard());
    if (options.json) {
        nlohmann::ordered_json json = to_json(*result);
        if (options.explain) {
            nlohmann::ordered_json derivations;
            nlohmann::ordered_json sensitivities;
            in_parallel([&] { derivations = to_json(explain(*result)); },
                        [&] { sensitivities = sensitivities_json(*result); });
            json["derivations"] = std::move(derivations);
            json["sensitivities"] = std::move(sensitivities);
        }
        writeJson(json, options.explain ? JsonLines::one : JsonLines::indented);
        return;
    }
    writeText(resultText(*result));
    if (options.explain)
        writeText(derivationText(explain(*result), *result));
}

} // namespace

void addEvaluate(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand(
        "evaluate", "Predict a plan's memory, step time, pipeline, run and outer loop, and report its problems");
    const auto options = std::make_shared<EvaluateArguments>();
    addPlanArgument(*verb, options->plan);
    verb->add_flag("--json", options->json, "Print the result as JSON");
    verb->add_flag("--explain", options->explain,
                   "Add the derivation of each figure, down to plan fields and constants; the JSON is on one line, and "
                   "a repeated derivation is a JSON pointer to its first occurrence");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"

#include "catalog/library.h"
#include "cli/derivation_text.h"
#include "cli/documents.h"
#include "cli/evaluation.h"
#include "cli/result_tables.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "evaluate/explain.h"
#include "evaluate/sensitivity.h"

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
            json["derivations"] = to_json(explain(*result));
            json["sensitivities"] = sensitivities_json(*result);
        }
        writeJson(json, options.explain ? JsonLines::one : JsonLines::indented);
        return;
    }
    writeText(resultText(*result));
    if (options.explain)
        writeText(derivationText(explain(*result)));
}

} // namespace

void addEvaluate(CLI::App &program) {
    CLI::App *const verb =
        program.add_subcommand("evaluate", "Memory, step, pipeline, run, sites and problems of one plan");
    const auto options = std::make_shared<EvaluateArguments>();
    addPlanArgument(*verb, options->plan);
    verb->add_flag("--json", options->json, "Print the result as JSON");
    verb->add_flag(
        "--explain", options->explain,
        "Add how each figure is made, down to plan fields and constants; in JSON (on one line then) a derivation that "
        "is there already is given by the JSON pointer of where it stands");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

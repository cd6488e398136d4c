// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "exchange/plan_command.h"
#include "exchange/plan_text.h"
#include "plan/plan_json.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct PlanForms {
    PlanArgument plan;
    std::string form = "plan";
    bool json = false;
};

/// Loads the document from a file, a preset, standard input or the text itself, and applies every --set.
Json documentOf(const PlanForms &options, const Library &library) {
    if (!is_plan_text(options.plan.name))
        return loadPlan(options.plan, library);
    return naming("text", [&] {
        Json document = plan_of_text(options.plan.name);
        for (const std::string &assignment : options.plan.sets)
            set_field(document, assignment, library);
        return document;
    });
}

void printForm(const PlanForms &options) {
    const Library &library = Library::standard();
    const Json document = documentOf(options, library);
    const std::string name = is_plan_text(options.plan.name) ? "text" : options.plan.name;
    const auto command = [&] { return naming(name, [&] { return plan_command(document, library); }); };
    if (options.json)
        writeJson(Json{{"plan", document}, {"text", plan_text(document)}, {"command", command()}});
    else if (options.form == "text")
        writeText(plan_text(document) + "\n");
    else if (options.form == "command")
        writeText(command() + "\n");
    else
        writeJson(document);
}

} // namespace

void addPlan(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand(
        "plan", "Print a plan: as a file, as one line of compressed text, or as the command that evaluates it");
    const auto options = std::make_shared<PlanForms>();
    addPlanArgument(*verb, options->plan);
    verb->add_option("--as", options->form,
                     "plan (a plan file), text (one line that can be pasted into the window, or given as PLAN here), "
                     "or command (the meshwright-cli command that evaluates the same plan)")
        ->check(CLI::IsMember({"plan", "text", "command"}));
    verb->add_flag("--json", options->json, "Print all three as JSON");
    verb->callback([options] { printForm(*options); });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/evaluation.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "exchange/perfetto.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>

namespace meshwright {

namespace {

struct ExportArguments {
    PlanArgument plan;
    std::string target;
};

/// Export functions by target, for valid plans.
const std::map<std::string, std::string (*)(const Plan &)> &targets() {
    static const std::map<std::string, std::string (*)(const Plan &)> all{
        {"perfetto", [](const Plan &plan) { return perfetto_trace(simulate_pipeline(plan)); }}};
    return all;
}

void run(const ExportArguments &options) {
    const std::shared_ptr<const Result> result = evaluatePlan(options.plan, Library::standard());
    writeText(naming(options.plan.name, [&] { return targets().at(options.target)(result->plan); }));
}

} // namespace

void addExport(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("export", "Export a plan for another program");
    const auto options = std::make_shared<ExportArguments>();
    addPlanArgument(*verb, options->plan);
    verb->add_option("--to", options->target, "Output format: perfetto, a trace of the pipeline for ui.perfetto.dev")
        ->required()
        ->check(CLI::IsMember(targets()));
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

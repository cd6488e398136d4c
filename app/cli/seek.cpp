// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/seek_text.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "plan/plan_json.h"
#include "search/goal_seek.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace meshwright {

namespace {

struct SeekArguments {
    PlanArgument plan;
    std::string goal;
    std::vector<std::string> keep;
    std::size_t top = 5;
    bool json = false;
};

std::string goalProblem(const std::string &text) {
    try {
        goal_from(text);
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        return first.message.text + "; " + first.expected.text;
    }
    return {};
}

GoalAnswer answerTo(const SeekArguments &options) {
    const Library &library = Library::standard();
    const nlohmann::ordered_json document = loadPlan(options.plan, library);
    return naming(options.plan.name, [&] {
        SeekOptions chosen{.most = options.top};
        const std::vector<std::string> &names = change_kind_names();
        std::erase_if(chosen.kinds, [&](ChangeKind kind) {
            return std::find(options.keep.begin(), options.keep.end(), names[static_cast<std::size_t>(kind)])
                != options.keep.end();
        });
        return seek(plan_from_json(document, library), goal_from(options.goal), library, chosen);
    });
}

} // namespace

void addSeek(CLI::App &program) {
    CLI::App *const verb =
        program.add_subcommand("seek", "Find the smallest changes that make a plan reach a goal, and their cost");
    const auto options = std::make_shared<SeekArguments>();
    addPlanArgument(*verb, options->plan);
    verb->add_option("--goal", options->goal,
                     "Figure and target value: days=30 cost=2M fit=90% step=10s mfu=45% headroom=8GB accelerators=512 "
                     "tokens-per-second=2e6 energy=3GWh utilisation=95% goodput=98%")
        ->required()
        ->check(goalProblem)
        ->type_name("FIGURE=VALUE");
    verb->add_option("--keep", options->keep, "Do not change this kind of field; repeatable")
        ->check(CLI::IsMember(change_kind_names()));
    verb->add_option("--top", options->top, "Number of proposals to list")
        ->check(CLI::Range(1, 50))
        ->capture_default_str();
    verb->add_flag("--json", options->json, "Print the answer as JSON");
    verb->callback([options] {
        const GoalAnswer answer = answerTo(*options);
        if (options->json)
            writeJson(to_json(answer));
        else
            writeText(seekText(answer));
    });
}

} // namespace meshwright

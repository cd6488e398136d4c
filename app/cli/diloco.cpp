// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "cli/diloco_output.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace meshwright {

namespace {

struct DilocoArguments {
    PlanArgument plan;
    std::int64_t runs = 0; ///< number of simulations; 0: the same as in an evaluation
    std::uint64_t seed = usual_seed;
    std::int64_t rounds = 0; ///< rounds to measure; 0: depends on the plan's size
    double days = 0; ///< deadline of the run in days; 0: none
    bool events = false;
    bool json = false;
};

constexpr std::int64_t max_runs = 10'000;
constexpr std::int64_t max_rounds = 1'000'000;
constexpr double max_updates = 1e9; ///< maximum number of updates to simulate per call
constexpr double max_events_updates = 2e5; ///< maximum number of updates per round with --events

/// Lists the events of one round, for all sites if that stays readable, otherwise for one representative site.
SimulationSize watchedSize(const Plan &plan) {
    const double all = static_cast<double>(plan.cluster.sites) * static_cast<double>(plan.outer.fragments);
    return {.rounds = 20, .watched_rounds = 1, .every_site = all <= max_events_updates};
}

void checkSize(const DilocoArguments &options, const Plan &plan, std::int64_t runs) {
    const double repeated = is_deterministic(plan) ? 1 : static_cast<double>(runs);
    if (simulated_updates(plan, {.rounds = options.rounds}) * repeated > max_updates)
        throw InputError("/outer/fragments",
                         fmt::format("{} simulations with this many sites, fragments and rounds are too many", runs),
                         fmt::format("expected at most {:.0e} updates in total", max_updates));
    const double followed = updates_of_a_round(plan);
    if (options.events && !watchedSize(plan).every_site && followed > max_events_updates)
        throw InputError("/outer/fragments", fmt::format("{:.0f} updates per round are too many to print", followed),
                         fmt::format("expected at most {:.0f} updates per round with --events", max_events_updates));
}

OuterTimeline watched(const DilocoArguments &options, const DilocoAnswer &answer) {
    const Plan &plan = answer.result->plan;
    OuterTimeline timeline;
    simulate_outer(plan, answer.parameters, answer.step_seconds, options.seed, watchedSize(plan), &timeline);
    return timeline;
}

void run(const DilocoArguments &options) {
    DilocoAnswer answer;
    OuterTimeline timeline;
    const nlohmann::ordered_json document = loadPlan(options.plan, Library::standard());
    naming(options.plan.name, [&] {
        const Plan read = plan_from_json(document, Library::standard());
        answer.result = std::make_shared<const Result>(evaluate(read, Depth::numbers));
        const Result &result = *answer.result;
        const Plan &plan = result.plan;
        if (!result.outer)
            throw InputError("/outer/method", "is none, so there is no outer loop to simulate",
                             "expected data-parallel, diloco or streaming-diloco");
        answer.parameters = result.parameters.total + result.parameters.mtp;
        answer.step_seconds = inner_step_seconds(result);
        answer.seed = options.seed;
        const std::int64_t runs = options.runs > 0 ? options.runs : usual_runs(plan);
        checkSize(options, plan, runs);
        answer.runs =
            simulate_runs(plan, answer.parameters, answer.step_seconds, options.seed, runs, {.rounds = options.rounds});
        if (options.events)
            timeline = watched(options, answer);
        if (options.days > 0)
            answer.repair = repair_outer(plan, Library::standard(), options.days);
    });
    if (!options.json) {
        writeText(dilocoText(answer));
        if (options.days > 0)
            writeText(repairText(answer));
        if (options.events)
            writeText(eventsText(timeline));
        return;
    }
    nlohmann::ordered_json json = dilocoJson(answer);
    if (options.days > 0)
        json["repair"] = repairJson(answer);
    if (options.events)
        json["events"] = eventsJson(timeline);
    writeJson(json);
}

} // namespace

void addDiloco(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("diloco", "Simulate DiLoCo: sites, links and aggregators");
    const auto options = std::make_shared<DilocoArguments>();
    addPlanArgument(*verb, options->plan);
    verb->add_option("--runs", options->runs, "Number of simulations (consecutive seeds)")
        ->check(CLI::Range(std::int64_t{1}, max_runs));
    verb->add_option("--seed", options->seed, "Seed of the first simulation");
    verb->add_option("--rounds", options->rounds, "Number of rounds to measure after the warmup rounds, at least 20")
        ->check(CLI::Range(std::int64_t{20}, max_rounds));
    verb->add_option("--within", options->days, "Deadline in days: find minimal changes that meet it")
        ->check(CLI::Range(1e-3, 1e6));
    verb->add_flag("--events", options->events, "Print the events of one round");
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

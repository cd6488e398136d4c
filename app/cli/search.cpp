// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search.h"

#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/result_lines.h"
#include "cli/search_text.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "plan/plan_json.h"
#include "search/training_advisor.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

/// Default time limit in seconds of a search without --shard or --jsonl. Searching billions of configurations takes
/// minutes, but the best one is usually found within this limit.
constexpr double usualTimeLimit = 25;
constexpr double longestTimeLimit = 1e7;

struct SearchArguments {
    PlanArgument plan;
    std::string objective = "time";
    std::string shard = "0/1";
    std::string lines;
    std::size_t top = 10;
    int threads = 0;
    std::optional<double> timeLimit;
    bool curves = false;
    bool advice = false;
    bool anySoftware = false;
    bool json = false;
};

constexpr std::int64_t maxShards = 1'000'000;

/// Parses a shard such as "3/16".
std::optional<Shard> shardFrom(const std::string &text) {
    Shard shard;
    const char *const end = text.data() + text.size();
    const auto index = std::from_chars(text.data(), end, shard.index);
    if (index.ec != std::errc() || index.ptr == end || *index.ptr != '/')
        return std::nullopt;
    const auto count = std::from_chars(index.ptr + 1, end, shard.count);
    const bool good = count.ec == std::errc() && count.ptr == end && shard.index >= 0 && shard.index < shard.count
        && shard.count <= maxShards;
    return good ? std::optional(shard) : std::nullopt;
}

std::string shardProblem(const std::string &text) {
    return shardFrom(text) ? std::string() : "expected I/N with 0 <= I < N <= 1,000,000, got " + text;
}

SearchOptions optionsFrom(const SearchArguments &options) {
    const auto &names = objective_names();
    SearchOptions chosen;
    chosen.objective = static_cast<Objective>(std::find(names.begin(), names.end(), options.objective) - names.begin());
    chosen.wanted = {.top = options.top, .pareto = true, .curves = options.curves, .by_schedule = true};
    chosen.shard = *shardFrom(options.shard);
    chosen.threads = options.threads;
    const bool ofSweep = chosen.shard.count > 1 || !options.lines.empty();
    if (const double limit = options.timeLimit.value_or(ofSweep ? 0 : usualTimeLimit); limit > 0)
        chosen.time_limit_seconds = limit;
    return chosen;
}

/// Returns the result of the same search from the --jsonl file if it is there; otherwise runs the search and, if it is
/// complete, appends its result to the file.
Json result(const SearchArguments &options) {
    const Library &library = Library::standard();
    Json document = loadPlan(options.plan, library);
    if (options.anySoftware && document.is_object())
        merge_patch(document, {{"constraints", {{"any_software", true}}}});
    return naming(options.plan.name, [&] {
        const Plan plan = plan_from_json(document, library);
        const SearchOptions chosen = optionsFrom(options);
        const std::string key = search_key(plan, chosen) + (options.advice ? "+advice" : "");
        if (!options.lines.empty())
            if (std::optional<Json> known = findResultLine(options.lines, key, chosen.shard))
                return *known;
        Json json = to_json(search(plan, library, chosen));
        if (options.advice)
            json["advice"] = to_json(training_advice(plan, library));
        json["key"] = key;
        json["plan"] = plan.name.empty() ? options.plan.name : plan.name;
        if (!options.lines.empty() && json["complete"] == true) // the next call repeats a search that did not finish
            appendResultLine(options.lines, json);
        return json;
    });
}

} // namespace

void addSearch(CLI::App &program) {
    CLI::App *const verb =
        program.add_subcommand("search", "Find the best configurations for the plan's cluster, model and batch");
    const auto options = std::make_shared<SearchArguments>();
    addPlanArgument(*verb, options->plan);
    verb->add_option("--objective", options->objective, "Objective to minimize")
        ->check(CLI::IsMember(objective_names()))
        ->capture_default_str();
    verb->add_option("--top", options->top, "Number of results to list")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    verb->add_option("--shard", options->shard, "Search part I of N equal parts of the space, counted from 0")
        ->check(shardProblem)
        ->type_name("I/N")
        ->capture_default_str();
    verb->add_option("--threads", options->threads, "Number of threads; 0: one per core")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    verb->add_option("--time-limit", options->timeLimit,
                     "Stop after this many seconds with the best results so far; 0: no limit (default 25, none with "
                     "--shard or --jsonl)")
        ->check(CLI::Range(0.0, longestTimeLimit));
    verb->add_option("--jsonl", options->lines,
                     "Append the result as a line to this file; searches already in the file are skipped, and "
                     "incomplete results are not appended");
    verb->add_flag("--any-software", options->anySoftware,
                   "Include configurations that the plan's software cannot run, with the reason");
    verb->add_flag("--curves", options->curves, "Also report the best step time for each value of each field");
    verb->add_flag("--advice", options->advice,
                   "Also report the applicable rules of thumb, the configurations that they suggest, and the effect of "
                   "each field's next valid value");
    verb->add_flag("--json", options->json, "Print the result as JSON");
    verb->callback([options] {
        const Json json = result(*options);
        if (options->json)
            writeJson(json);
        else
            writeText(searchText(json) + (options->advice ? adviceText(json.at("advice")) : std::string()));
    });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "pipeline/idle_shares.h"
#include "pipeline/order_text.h"
#include "pipeline/simulation.h"
#include "quantities/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct ScheduleArguments {
    std::string schedule;
    OrderRequest request;
    std::optional<std::int64_t> chunks;
    std::optional<double> overlap;
    bool operations = false;
    bool list = false;
    bool schema = false;
    bool json = false;
};

Schedule scheduleNamed(const std::string &name) {
    const std::vector<std::string> &names = schedule_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw InputError("/schedule", fmt::format("unknown schedule \"{}\"", name.substr(0, 80)),
                         fmt::format("expected one of {}", fmt::join(names, ", ")));
    return static_cast<Schedule>(found - names.begin());
}

/// Number of operations. A forward and a backward pass that overlap in one block count as one.
std::size_t operationsOf(const OperationOrder &order) {
    return static_cast<std::size_t>(
        std::count_if(order.operations.begin(), order.operations.end(),
                      [](const Operation &operation) { return operation.block != BlockHalf::second_half; }));
}

Json scheduleJson(const OperationOrder &order, const PipelineWork &work, const Timeline &timeline,
                  const ScheduleArguments &options) {
    const IdleShares idle = idle_shares(order, timeline);
    Json json{{"schedule", name_of(order.schedule)},
              {"makespan", timeline.makespan},
              {"span", timeline.span},
              {"ideal", timeline.ideal},
              {"bubble_of_ideal", timeline.bubble_of_ideal()},
              {"bubble_of_total", timeline.bubble_of_total()},
              {"bubble_of_span", timeline.bubble_of_span()},
              {"idle_of_all_ranks", idle.of_all_ranks()},
              {"idle_warm_up_and_drain", idle.warm_up_and_drain},
              {"idle_imbalance", idle.imbalance},
              {"idle_waiting_for_sends", idle.sends},
              {"exposed_sends", exposed_by_cause(order, work).sends},
              {"in_flight", timeline.peak_in_flight},
              {"operations", operationsOf(order)}};
    if (!options.operations)
        return json;
    json["ops"] = Json::array();
    for (std::int64_t rank = 0; rank < order.ranks; ++rank)
        json["ops"].push_back(order_row(order, rank));
    return json;
}

void printOperations(const OperationOrder &order) {
    std::string rows;
    for (std::int64_t rank = 0; rank < order.ranks; ++rank)
        rows += order_row(order, rank) + '\n';
    writeText(rows);
}

void printForPeople(const OperationOrder &order, const Timeline &timeline) {
    const IdleShares idle = idle_shares(order, timeline);
    std::vector<std::string> lines{
        fmt::format("{} over {} ranks and {} microbatches: {} operations", name_of(order.schedule), order.ranks,
                    order.microbatches * order.directions, operationsOf(order)),
        fmt::format("makespan {:.6g}, busiest rank's span {:.6g} and busy time {:.6g}", timeline.makespan,
                    timeline.span, timeline.ideal),
        fmt::format("idle fraction {} over all ranks: warm-up and drain {}, imbalance {}, waiting for sends {}",
                    percent_text(idle.of_all_ranks(), 2), percent_text(idle.warm_up_and_drain, 2),
                    percent_text(idle.imbalance, 2), percent_text(idle.sends, 2)),
        fmt::format("bubble {} of ideal time, {} of total time, {} of span",
                    percent_text(timeline.bubble_of_ideal(), 2), percent_text(timeline.bubble_of_total(), 2),
                    percent_text(timeline.bubble_of_span(), 2)),
        ""};
    TextTable table({{"rank", Alignment::right},
                     {"start", Alignment::right},
                     {"end", Alignment::right},
                     {"busy", Alignment::right},
                     {"idle", Alignment::right},
                     {"in flight", Alignment::right}});
    for (std::size_t rank = 0; rank < timeline.rank_start.size(); ++rank) {
        const double busy = timeline.busy_seconds[rank];
        table.add({std::to_string(rank), fmt::format("{:.6g}", timeline.rank_start[rank]),
                   fmt::format("{:.6g}", timeline.rank_end[rank]), fmt::format("{:.6g}", busy),
                   fmt::format("{:.6g}", timeline.makespan - busy), std::to_string(timeline.peak_in_flight[rank])});
    }
    for (std::string &line : table.lines())
        lines.push_back(std::move(line));
    writeText(joined(lines));
}

const char *wordOf(ChunkCount chunks) {
    return chunks == ChunkCount::one ? "one" : chunks == ChunkCount::two ? "two" : "any";
}

void printList(bool asJson) {
    if (asJson) {
        Json list = Json::array();
        for (const Schedule schedule : all_schedules()) {
            const ScheduleDefinition &definition = definition_of(schedule);
            list.push_back({{"name", definition.name},
                            {"title", definition.title},
                            {"chunks", wordOf(definition.chunks)},
                            {"slices", definition.cuts_sequences},
                            {"groups", definition.takes_groups},
                            {"both_directions", runs_both_ways(schedule)},
                            {"blocks", definition.pairs_passes},
                            {"source", definition.source}});
        }
        writeJson({{"schedules", std::move(list)}});
        return;
    }
    TextTable table({{"schedule", Alignment::left}, {"chunks", Alignment::left}, {"source", Alignment::left}});
    for (const Schedule schedule : all_schedules()) {
        const ScheduleDefinition &definition = definition_of(schedule);
        table.add({definition.name, wordOf(definition.chunks), definition.source});
    }
    writeText(joined(table.lines()));
}

/// Prints the schema from presets/schema/ with the list of schedule names.
void printSchema() {
    writeJson({{"$schema", "http://json-schema.org/draft-07/schema#"},
               {"$id", "schedule.schema.json"},
               {"title", "Pipeline schedule"},
               {"description", "Name of a schedule."},
               {"type", "string"},
               {"enum", schedule_names()}});
}

void run(ScheduleArguments options) {
    if (options.schema) {
        printSchema();
        return;
    }
    if (options.list) {
        printList(options.json);
        return;
    }
    OrderRequest &request = options.request;
    request.schedule = scheduleNamed(options.schedule);
    request.chunks = options.chunks.value_or(definition_of(request.schedule).chunks == ChunkCount::two ? 2 : 1);
    if (options.overlap && !(std::isfinite(*options.overlap) && *options.overlap >= 0))
        throw InputError("/overlap", "the time of a block is negative or not a number",
                         "expected a time of at least 0");
    const OperationOrder order = operation_order(request);
    if (options.operations && !options.json) {
        printOperations(order);
        return;
    }
    PipelineWork work =
        uniform_work(order, request.forward, request.input_gradient, request.weight_gradient, request.hop);
    work.block_seconds = options.overlap.value_or(-1);
    const Timeline timeline = simulate(order, work);
    if (options.json)
        writeJson(scheduleJson(order, work, timeline, options));
    else
        printForPeople(order, timeline);
}

} // namespace

void addSchedule(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("schedule", "Simulate one pipeline schedule on its own");
    const auto options = std::make_shared<ScheduleArguments>();
    OrderRequest &request = options->request;
    CLI::Option *const schedule = verb->add_option("--schedule", options->schedule,
                                                   "Name of the schedule, such as 1f1b, zb-v or dualpipe; see --list");
    CLI::Option *const stages = verb->add_option("--stages", request.ranks, "Pipeline ranks");
    CLI::Option *const microbatches =
        verb->add_option("--microbatches", request.microbatches,
                         "Microbatches per step; for bidirectional schedules, the total of both directions");
    verb->add_option("--chunks", options->chunks, "Model chunks per rank; slices per sequence for seq1f1b");
    verb->add_option("--group", request.group, "Microbatches per interleaving group; default: the number of stages");
    verb->add_option("--memory-limit", request.memory_limit,
                     "Maximum activations in flight, for schedules whose order is found by search");
    verb->add_option("--forward", request.forward, "Time of one chunk's forward pass");
    verb->add_option("--input-gradient", request.input_gradient, "Time of one chunk's input gradient");
    verb->add_option("--weight-gradient", request.weight_gradient, "Time of one chunk's weight gradient");
    verb->add_option("--hop", request.hop, "Time of a send between ranks");
    verb->add_option("--overlap", options->overlap,
                     "Time of a block that fuses a forward and a backward pass; default: the sum of both");
    verb->add_flag("--ops", options->operations, "Print each rank's operations in order, one CSV row per rank");
    verb->add_flag("--list", options->list, "List the schedules with their chunks and sources");
    verb->add_flag("--schema", options->schema, "Print the JSON Schema of the schedule names");
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([=] {
        for (const CLI::Option *needed : {schedule, stages, microbatches})
            if (!options->list && !options->schema && needed->empty())
                throw Failure(ExitStatus::usage,
                              "meshwright-cli schedule: usage: " + needed->get_name()
                                  + " is required; see meshwright-cli schedule --help");
        naming("schedule", [&] { run(*options); });
    });
}

} // namespace meshwright

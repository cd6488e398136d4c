// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/table_exporters.h"

#include "evaluate/evaluate.h"
#include "exchange/perfetto.h"
#include "launch/export_text.h"
#include "step/plan_pipeline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <iterator>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t most_table_operations = 1'000'000;

/// A cell quoted as in RFC 4180.
std::string csv_cell(const Json &value) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

/// Adds an object's numbers and strings as rows, under their dotted names. Lists are not included, because they have
/// separate tables.
void add_figures(ExportText &text, const std::string &prefix, const Json &json) {
    for (const auto &item : json.items())
        if (item.value().is_object())
            add_figures(text, prefix + item.key() + ".", item.value());
        else if (!item.value().is_array())
            text.add(fmt::format("{}{},{}", prefix, item.key(), csv_cell(item.value())));
}

ExportFile figures_file(const Json &figures) {
    ExportText text;
    text.add("figure,value");
    add_figures(text, "", figures);
    return {.name = "figures.csv", .lines = std::move(text).take()};
}

ExportFile stages_file(const Json &stages) {
    ExportText text;
    for (const Json &stage : stages) {
        std::string heads;
        std::string cells;
        for (const auto &item : stage.items()) {
            heads += (heads.empty() ? "" : ",") + item.key();
            cells += (cells.empty() ? "" : ",") + csv_cell(item.value());
        }
        if (&stage == &stages.front())
            text.add(heads);
        text.add(cells);
    }
    return {.name = "stages.csv", .lines = std::move(text).take()};
}

ExportFile operations_file(const PlanPipeline &pipeline) {
    constexpr std::array kinds{"forward", "backward", "input_gradient", "weight_gradient"};
    const OperationOrder &order = pipeline.order;
    const Timeline &timeline = pipeline.timeline;
    fmt::memory_buffer rows;
    fmt::format_to(std::back_inserter(rows),
                   "rank,operation,kind,stage,chunk,microbatch,slice,start_seconds,end_seconds,activation_bytes,"
                   "in_flight");
    for (std::int64_t rank = 0; rank < order.ranks; ++rank) {
        const std::uint32_t begin = order.rank_begin[static_cast<std::size_t>(rank)];
        const std::uint32_t end = order.rank_begin[static_cast<std::size_t>(rank) + 1];
        for (std::uint32_t i = begin; i < end; ++i) {
            const Operation &operation = order.operations[i];
            fmt::format_to(std::back_inserter(rows), "\n{},{},{},{},{},{},{},{},{},{},{}", rank, i - begin,
                           kinds.at(static_cast<std::size_t>(operation.kind)), operation.stage,
                           order.chunk_of(operation), order.microbatch_of(operation), order.slice_of(operation),
                           timeline.start[i], timeline.end[i], timeline.activation_bytes[i], timeline.in_flight[i]);
        }
    }
    // All rows are in one ExportLine, because one ExportLine per operation would need more memory than the table.
    return {.name = "operations.csv", .lines = {{.text = fmt::to_string(rows)}}};
}

} // namespace

LaunchExport export_csv(const Result &result, const Library & /*library*/) {
    const Json figures = figures_json(result);
    LaunchExport written;
    written.files.push_back(figures_file(figures));
    written.files.push_back(stages_file(figures["memory"]["stages"]));
    const PlanPipeline pipeline = simulate_pipeline(result.plan);
    if (pipeline.order.operations.size() <= most_table_operations)
        written.files.push_back(operations_file(pipeline));
    else
        written.lost.push_back(
            {.sentence =
                 fmt::format("operations.csv is left out: the pipeline has {} operations, more than the limit of {}.",
                             pipeline.order.operations.size(), most_table_operations),
             .fields = {}});
    return written;
}

LaunchExport export_perfetto(const Result &result, const Library & /*library*/) {
    std::string trace = perfetto_trace(simulate_pipeline(result.plan));
    if (trace.ends_with('\n'))
        trace.pop_back();
    LaunchExport written;
    written.files.push_back({.name = "trace.json", .lines = {{.text = std::move(trace)}}});
    return written;
}

} // namespace meshwright

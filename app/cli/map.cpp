// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration_map.h"

#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "plan/plan_json.h"
#include "quantities/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace meshwright {

namespace {

struct Options {
    PlanArgument plan;
    MapQuestion question;
    bool json = false;
};

std::string layoutOf(const Plan &plan) {
    const Parallelism &p = plan.parallelism;
    std::string text = fmt::format("T{} P{} D{}", p.tensor, p.pipeline, p.data);
    if (p.context > 1)
        text += fmt::format(" C{}", p.context);
    if (p.expert > 1)
        text += fmt::format(" E{}", p.expert);
    return text + fmt::format(" Z{}", p.zero_stage);
}

std::string bestOf(const MapCell &cell) {
    if (!cell.problem.empty())
        return cell.problem;
    return cell.best ? layoutOf(cell.best->plan) : "does not fit";
}

void printText(const ConfigurationMap &map) {
    TextTable table({{"parameters"},
                     {"nodes", Alignment::right},
                     {"best layout"},
                     {"MFU %", Alignment::right},
                     {"peak", Alignment::right},
                     {"measured best"},
                     {"MFU %", Alignment::right},
                     {"of", Alignment::right},
                     {"Spearman", Alignment::right},
                     {"Kendall", Alignment::right},
                     {"choice +%", Alignment::right}});
    for (const MapCell &cell : map.cells) {
        std::vector<std::string> cells{text_of(cell.parameters, Quantity::parameters),
                                       std::to_string(map.question.nodes[cell.column]), bestOf(cell)};
        cells.push_back(cell.best ? fmt::format("{:.1f}", 100 * cell.best->mfu) : std::string());
        cells.push_back(cell.best ? text_of(cell.best->peak_bytes, Quantity::bytes) : std::string());
        if (const auto &measured = cell.measured)
            for (std::string text :
                 {layoutOf(measured->plan), fmt::format("{:.1f}", 100 * measured->mfu),
                  std::to_string(measured->order.count), fmt::format("{:.2f}", measured->order.spearman),
                  fmt::format("{:.2f}", measured->order.kendall),
                  fmt::format("{:.1f}", 100 * measured->order.choice_loss)})
                cells.push_back(std::move(text));
        while (cells.size() < 11)
            cells.emplace_back();
        table.add(cells);
    }
    writeText(joined(table.lines()));
    if (const OrderSummary order = map.order(); order.groups > 0)
        writeText(fmt::format("\nmeasured configurations of {} cells: Spearman {:.2f}, Kendall {:.2f}, and the one "
                              "predicted fastest takes {:.1f} % longer than the fastest, in the median",
                              order.groups, order.spearman, order.kendall, 100 * order.choice_loss));
    writeText(fmt::format("\n{} sequences of {} tokens; {} cells in {:.2f} s\n", map.question.global_sequences,
                          map.question.sequence_length, map.cells.size(), map.seconds));
}

void run(const Options &options) {
    const Library &library = Library::standard();
    const nlohmann::ordered_json document = loadPlan(options.plan, library);
    const ConfigurationMap map = naming(options.plan.name, [&] {
        MapQuestion question = options.question;
        question.plan = plan_from_json(document, library);
        return configuration_map(question, library, *EvidenceTable::standard());
    });
    if (options.json)
        writeJson(to_json(map));
    else
        printText(map);
}

} // namespace

void addMap(CLI::App &program) {
    CLI::App *const verb =
        program.add_subcommand("map", "The best layout, its MFU and memory by model size and number of nodes");
    const auto options = std::make_shared<Options>();
    addPlanArgument(*verb, options->plan);
    verb->add_option("--sizes", options->question.parameters, "Parameters of the models, by commas")->delimiter(',');
    verb->add_option("--nodes", options->question.nodes, "Numbers of nodes, by commas")->delimiter(',');
    verb->add_option("--sequence-length", options->question.sequence_length, "Tokens of a sequence")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}))
        ->capture_default_str();
    verb->add_option("--batch", options->question.global_sequences, "Sequences of a step")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

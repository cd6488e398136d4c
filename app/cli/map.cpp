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
#include "quantities/units.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace meshwright {

namespace {

struct MapArguments {
    PlanArgument plan;
    std::vector<std::string> sizes;
    std::vector<std::string> nodes;
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
                     {"best config."},
                     {"MFU %", Alignment::right},
                     {"peak", Alignment::right},
                     {"measured best"},
                     {"MFU %", Alignment::right},
                     {"runs", Alignment::right},
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
        writeText(fmt::format("\npredicted against measured ranking in {} cells: Spearman {:.2f}, Kendall {:.2f}; the "
                              "configuration predicted fastest is {} slower than the one measured fastest (median)",
                              order.groups, order.spearman, order.kendall, percent_text(order.choice_loss)));
    writeText(fmt::format("\n{} sequences of {} tokens; {} cells in {:.2f} s\n", map.question.global_sequences,
                          map.question.sequence_length, map.cells.size(), map.seconds));
}

std::vector<double> numbersOf(const char *option, const std::vector<std::string> &texts, Quantity quantity,
                              const char *range) {
    std::vector<double> numbers;
    for (const std::string &text : texts) {
        const std::optional<double> number = quantity_from(text, quantity);
        if (!number)
            throw Failure(ExitStatus::usage,
                          fmt::format("meshwright-cli map: usage: {}: \"{}\" is not {}; expected comma-separated {}, "
                                      "with {}; see meshwright-cli map --help",
                                      option, text.substr(0, 80), description_of(quantity), range,
                                      accepted_units(quantity)));
        numbers.push_back(*number);
    }
    return numbers;
}

MapQuestion questionOf(const MapArguments &options) {
    MapQuestion question = options.question;
    if (!options.sizes.empty())
        question.parameters = numbersOf("--sizes", options.sizes, Quantity::parameters, "numbers from 1M to 100T");
    if (!options.nodes.empty()) {
        const std::vector<double> nodes =
            numbersOf("--nodes", options.nodes, Quantity::count, "integers from 1 to 100,000");
        question.nodes.clear();
        for (const double number : nodes)
            // Clamping only prevents integer overflow; values out of range are reported with the other problems.
            question.nodes.push_back(static_cast<std::int64_t>(std::clamp(number, -1.0, 1e9)));
    }
    return question;
}

void run(const MapArguments &options) {
    MapQuestion asked = questionOf(options);
    const Library &library = Library::standard();
    const nlohmann::ordered_json document = loadPlan(options.plan, library);
    const ConfigurationMap map = naming(options.plan.name, [&] {
        asked.plan = plan_from_json(document, library);
        return configuration_map(asked, library, *EvidenceTable::standard());
    });
    if (options.json)
        writeJson(to_json(map));
    else
        printText(map);
}

} // namespace

void addMap(CLI::App &program) {
    CLI::App *const verb =
        program.add_subcommand("map", "Best configuration, MFU and memory by model size and number of nodes");
    const auto options = std::make_shared<MapArguments>();
    addPlanArgument(*verb, options->plan);
    verb->add_option("--sizes", options->sizes, "Comma-separated model sizes in parameters: 1.34B,80B")->delimiter(',');
    verb->add_option("--nodes", options->nodes, "Comma-separated numbers of nodes")->delimiter(',');
    verb->add_option("--sequence-length", options->question.sequence_length, "Tokens per sequence")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}))
        ->capture_default_str();
    verb->add_option("--batch", options->question.global_sequences, "Sequences per step")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

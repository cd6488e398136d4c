// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/evaluation.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "compare/plan_comparison.h"
#include "quantities/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace meshwright {

namespace {

constexpr std::size_t max_plans = 16;
constexpr std::size_t causeColumns = 40;

struct CompareArguments {
    std::vector<std::string> names;
    std::vector<std::string> sets;
    bool json = false;
};

std::string shortName(const std::string &text) {
    constexpr std::size_t longest = 28;
    return text.size() > longest ? text.substr(0, longest - 3) + "..." : text;
}

std::string figureText(const std::optional<double> &value, Quantity quantity) {
    return value ? text_of(*value, quantity) : "-";
}

/// A difference with its sign: "+1.2 GB", "-35 ms", "0".
std::string signedText(const std::optional<double> &value, Quantity quantity) {
    if (!value)
        return "-";
    return (*value > 0 ? "+" : "") + text_of(*value, quantity);
}

void addLines(std::vector<std::string> &lines, const std::string &heading, const TextTable &table) {
    lines.emplace_back();
    lines.push_back(heading);
    for (const std::string &line : table.lines())
        lines.push_back(line);
}

std::vector<TextColumn> columnsFor(const char *first, const std::vector<std::string> &names) {
    std::vector<TextColumn> columns{{first, Alignment::left}};
    for (const std::string &name : names)
        columns.push_back({shortName(name), Alignment::right});
    return columns;
}

void print(const PlanComparison &comparison) {
    std::vector<std::string> lines;
    TextTable figures(columnsFor("", comparison.names));
    for (const ComparedFigure &figure : comparison.figures) {
        std::vector<std::string> cells{figure.title};
        for (const auto &value : figure.values)
            cells.push_back(figureText(value, figure.quantity));
        figures.add(std::move(cells));
    }
    for (const std::string &line : figures.lines())
        lines.push_back(line);
    TextTable fields(columnsFor("field", comparison.names));
    for (const ComparedField &field : comparison.fields) {
        std::vector<std::string> cells{field.pointer};
        cells.insert(cells.end(), field.texts.begin(), field.texts.end());
        fields.add(std::move(cells));
    }
    addLines(lines, comparison.fields.empty() ? "No field differs." : "Fields that differ", fields);
    for (std::size_t plan = 1; plan < comparison.names.size(); ++plan)
        for (const ComparedFigure &figure : comparison.figures) {
            TextTable causes({{"cause"},
                              {"effect in order", Alignment::right},
                              {"effect alone", Alignment::right},
                              {"interaction", Alignment::right}});
            bool any = false;
            for (const ComparedCause &cause : comparison.causes)
                if (cause.plan == plan && cause.figure == figure.path) {
                    const std::vector<std::string> title = wrapped(cause.title, causeColumns);
                    causes.add({title.front(), signedText(cause.in_order, figure.quantity),
                                signedText(cause.alone, figure.quantity),
                                signedText(cause.interaction(), figure.quantity)});
                    for (std::size_t line = 1; line < title.size(); ++line)
                        causes.add({"  " + title[line]});
                    any = true;
                }
            if (any)
                addLines(lines,
                         fmt::format("{}: from {} ({}) to {} ({})", figure.title, comparison.names.front(),
                                     figureText(figure.values.front(), figure.quantity), comparison.names[plan],
                                     figureText(figure.values[plan], figure.quantity)),
                         causes);
        }
    writeText(joined(lines));
}

void run(const CompareArguments &options) {
    const Library &library = Library::standard();
    if (options.names.size() < 2 || options.names.size() > max_plans)
        throw Failure(ExitStatus::usage,
                      fmt::format("meshwright-cli compare: usage: {} given; expected 2 to {} plans",
                                  options.names.size(), max_plans));
    std::vector<NamedPlan> plans;
    for (const std::string &name : options.names)
        plans.push_back({.name = name, .plan = evaluatePlan({.name = name, .sets = options.sets}, library)->plan});
    const PlanComparison comparison = naming(options.names.front(), [&] { return compare_plans(plans, library); });
    if (options.json)
        writeJson(to_json(comparison));
    else
        print(comparison);
}

} // namespace

void addCompare(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand(
        "compare",
        "Compare plans: figures side by side, differing fields, and the contribution of each to the difference");
    const auto options = std::make_shared<CompareArguments>();
    verb->add_option("PLAN", options->names, "Two or more plans: files, preset:ID, or - for standard input")
        ->required();
    verb->add_option("--set", options->sets, "Set a field in all plans (field.name=value); may be repeated");
    verb->add_flag("--json", options->json, "Print plans, fields, figures and causes as one JSON object");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

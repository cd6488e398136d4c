// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/evaluation.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "input/files.h"
#include "launch/importers.h"
#include "launch/launch_file.h"
#include "launch/run_comparison.h"
#include "quantities/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct ImportArguments {
    std::vector<std::string> files;
    std::string kind;
    std::string plan; ///< plan whose prediction is compared with a measured run; empty if there is none
    bool json = false;
};

/// Reads standard input, up to the input size limit.
std::string readStandardInput() {
    std::string text;
    std::string piece(1 << 16, '\0');
    while (std::cin && text.size() <= largest_input_bytes) {
        std::cin.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        text.append(piece, 0, static_cast<std::size_t>(std::cin.gcount()));
    }
    return text;
}

LaunchFile loadFile(const std::string &name) {
    return naming(name, [&] {
        if (name != "-" && !is_pipe(name))
            return LaunchFile{.name = name, .text = read_launch_file(name)};
        std::string text = name == "-" ? readStandardInput() : read_pipe(name);
        if (text.size() > largest_input_bytes)
            throw InputError("", fmt::format("the input is larger than {} MiB", largest_input_bytes >> 20),
                             "expected a launch configuration, log or trace");
        return LaunchFile{.name = name, .text = std::move(text)};
    });
}

/// Lists faults and assumed fields, and counts the options, on standard error; the document goes to standard output.
void explain(const Imported &imported) {
    for (const LaunchFault &fault : imported.faults)
        std::cerr << fmt::format("fault: {}: {}\n", fault.option, fault.why);
    for (const AssumedField &field : imported.assumed)
        std::cerr << fmt::format("assumed: {} = {}: {}\n", field.field,
                                 field.value.is_string() ? field.value.get<std::string>() : field.value.dump(),
                                 field.why);
    std::cerr << (imported.what == "plan" ? fmt::format("{} options set plan fields, {} do not; --json lists them\n",
                                                        imported.understood.size(), imported.ignored.size())
                                          : fmt::format("{} entries are read, {} are not; --json lists them\n",
                                                        imported.understood.size(), imported.ignored.size()));
}

std::string cellOf(const Json &value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

void print(const RunComparison &comparison) {
    TextTable figures({{"", Alignment::left},
                       {"measured", Alignment::right},
                       {"predicted", Alignment::right},
                       {"difference", Alignment::right}});
    for (const ComparedMeasurement &figure : comparison.figures)
        figures.add({figure.title, text_of(figure.measured, figure.quantity),
                     text_of(figure.predicted, figure.quantity), signed_percent_text(figure.difference())});
    std::vector<std::string> lines = figures.lines();
    if (!comparison.differing.empty()) {
        lines.emplace_back();
        lines.emplace_back(
            "The run and the plan differ in these settings, so their figures do not describe the same run:");
        TextTable settings({{"setting", Alignment::left}, {"run", Alignment::right}, {"plan", Alignment::right}});
        for (const DifferingSetting &setting : comparison.differing)
            settings.add({setting.column, cellOf(setting.measured), cellOf(setting.planned)});
        for (std::string &line : settings.lines())
            lines.push_back(std::move(line));
    }
    writeText(joined(lines));
}

RunComparison compareWith(const std::string &plan, const Imported &imported, const std::string &file) {
    const std::shared_ptr<const Result> result = evaluatePlan({.name = plan, .sets = {}}, Library::standard());
    return naming(file, [&] { return compare_run(imported, *result, plan); });
}

void run(const ImportArguments &options) {
    std::vector<LaunchFile> files;
    for (const std::string &name : options.files)
        files.push_back(loadFile(name));
    const Imported imported =
        naming(options.files.front(), [&] { return import_files(files, options.kind, Library::standard()); });
    Json json = options.json ? to_json(imported) : Json();
    if (!options.plan.empty()) {
        const RunComparison comparison = compareWith(options.plan, imported, options.files.front());
        if (!options.json) {
            print(comparison);
            return;
        }
        json["comparison"] = to_json(comparison);
    }
    if (options.json) {
        writeJson(json);
        return;
    }
    writeJson(imported.document);
    if (imported.what != "model")
        explain(imported);
}

} // namespace

void addImport(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand(
        "import",
        "Turn a launch configuration, model config, training log, trace or network test into a plan, model, run or "
        "tier");
    const auto options = std::make_shared<ImportArguments>();
    std::string kinds;
    for (const ImportKind &kind : import_kinds())
        kinds += fmt::format("{}{} ({})", kinds.empty() ? "" : ", ", kind.id, kind.title);
    verb->add_option("FILE", options->files,
                     "Files, or - for standard input; a script may be followed by its DeepSpeed JSON")
        ->required();
    verb->add_option("--from", options->kind, "Kind of file, if it cannot be recognized: " + kinds);
    verb->add_option(
        "--plan", options->plan,
        "A plan (a file, preset:ID or -) whose prediction is printed next to the figures of a measured run");
    verb->add_flag("--json", options->json, "Print the document and how each option of the file was used");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/evaluation.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "input/files.h"
#include "input/printable.h"
#include "launch/exporters.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct ExportArguments {
    PlanArgument plan;
    std::string target;
    std::string folder;
    bool json = false;
};

/// JSON of all files, with the plan field behind each line, and a list of what the target cannot express.
Json lines_json(const ExportTarget &target, const LaunchExport &written) {
    Json json{{"target", target.id}, {"files", Json::array()}, {"lost", Json::array()}, {"lost_fields", Json::array()}};
    for (const Loss &loss : written.lost) {
        json["lost"].push_back(loss.sentence);
        json["lost_fields"].push_back(loss.fields);
    }
    for (const ExportFile &file : written.files) {
        Json lines = Json::array();
        for (const ExportLine &line : file.lines)
            lines.push_back({{"text", line.text}, {"field", line.field}, {"why", line.why}});
        json["files"].push_back({{"name", file.name}, {"lines", std::move(lines)}});
    }
    return json;
}

void writeFolder(const std::filesystem::path &folder, const LaunchExport &written) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw FileError(fmt::format("{}: cannot be created: {}; expected a writable folder", printable(folder.string()),
                                    error.message()));
    for (const ExportFile &file : written.files)
        write_file_atomically(folder / file.name, file.text());
}

void run(const ExportArguments &options) {
    const Library &library = Library::standard();
    const ExportTarget &target = *export_target(options.target);
    const std::shared_ptr<const Result> result = evaluatePlan(options.plan, library);
    const LaunchExport written = naming(options.plan.name, [&] { return target.write(*result, library); });
    if (!options.folder.empty())
        naming(options.folder, [&] { writeFolder(options.folder, written); });
    if (options.json) {
        writeJson(lines_json(target, written));
        return;
    }
    if (options.folder.empty())
        writeText(written.files.front().text());
    else
        for (const ExportFile &file : written.files)
            writeText((std::filesystem::path(options.folder) / file.name).string() + "\n");
    if (!target.has_comments)
        for (const Loss &loss : written.lost)
            std::cerr << "lost: " << loss.sentence << "\n";
}

} // namespace

void addExport(CLI::App &program) {
    CLI::App *const verb =
        program.add_subcommand("export", "Export launch files for the plan's software, or files for other tools");
    const auto options = std::make_shared<ExportArguments>();
    std::vector<std::string> ids;
    std::string titles;
    for (const ExportTarget &target : export_targets()) {
        ids.emplace_back(target.id);
        titles += fmt::format("{}{} ({})", titles.empty() ? "" : ", ", target.id, target.title);
    }
    addPlanArgument(*verb, options->plan);
    verb->add_option("--to", options->target, "Output format: " + titles)->required()->check(CLI::IsMember(ids));
    verb->add_option("--output", options->folder, "Write all files needed to start the run into this folder");
    verb->add_flag("--json", options->json, "Print the files line by line, each line with the plan field that sets it");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

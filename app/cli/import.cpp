// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "input/files.h"
#include "launch/importers.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct ImportArguments {
    std::vector<std::string> files;
    std::string kind;
    bool json = false;
};

LaunchFile loadFile(const std::string &name) {
    if (name != "-")
        return {.name = name, .text = is_pipe(name) ? read_pipe(name) : read_file(name)};
    std::string text(std::istreambuf_iterator<char>(std::cin), {});
    if (text.size() > largest_input_bytes)
        throw InputError("", "the input is larger than 16 MiB", "expected a launch configuration, log or trace");
    return {.name = name, .text = std::move(text)};
}

/// Summarizes the options on standard error; the document itself goes to standard output.
void explain(const Imported &imported) {
    for (const LaunchFault &fault : imported.faults)
        std::cerr << fmt::format("fault: {}: {}\n", fault.option, fault.why);
    for (const AssumedField &field : imported.assumed)
        std::cerr << fmt::format("assumed: {} = {}: {}\n", field.field,
                                 field.value.is_string() ? field.value.get<std::string>() : field.value.dump(),
                                 field.why);
    std::cerr << fmt::format("{} options set plan fields, {} do not; --json lists them\n", imported.understood.size(),
                             imported.ignored.size());
}

void run(const ImportArguments &options) {
    std::vector<LaunchFile> files;
    for (const std::string &name : options.files)
        files.push_back(loadFile(name));
    const Imported imported =
        naming(options.files.front(), [&] { return import_files(files, options.kind, Library::standard()); });
    if (options.json) {
        writeJson(to_json(imported));
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
    verb->add_flag("--json", options->json, "Print the document and how each option of the file was used");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/model.h"
#include "catalog/weights.h"
#include "cli/documents.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/verbs.h"
#include "exchange/hugging_face.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct ImportArguments {
    std::string file;
    bool json = false;
};

/// As in a result.
Json parametersObject(const Model &model) {
    const Parameters parameters = parameters_of(model);
    const auto whole = [](double count) { return static_cast<std::int64_t>(count); };
    return {{"total", whole(parameters.total)},
            {"active", whole(parameters.active)},
            {"embedding", whole(parameters.embedding)},
            {"mtp", whole(parameters.mtp)}};
}

/// Configurations are all called config.json; it is the folder that says which model it is.
std::string modelName(const std::string &file) {
    const std::filesystem::path path(file);
    return path.stem() == "config" ? path.parent_path().filename().string() : path.stem().string();
}

void run(const ImportArguments &options) {
    const std::string name = modelName(options.file);
    const Model model = naming(options.file, [&] { return import_hugging_face(loadDocument(options.file), name); });
    if (options.json)
        writeJson(Json{{"model", to_json(model)},
                       {"parameters", parametersObject(model)},
                       {"warning", size_warning(model, name)}});
    else
        writeJson(to_json(model));
}

} // namespace

void addImport(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("import", "Turn a Hugging Face config.json into a model preset");
    const auto options = std::make_shared<ImportArguments>();
    verb->add_option("CONFIG.json", options->file, "The file, or - for standard input")->required();
    verb->add_flag("--json", options->json, "Print the preset and its parameter counts as one object");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "input/field_reader.h"
#include "plan/plan_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

struct PresetsArguments {
    std::string name;
    bool json = false;
};

const std::string &kindName(const PresetEntry &entry) {
    return preset_kind_names()[static_cast<std::size_t>(entry.kind)];
}

/// @param kind  only these, or all where it is empty
void listPresets(const Library &library, const std::string &kind, bool json) {
    Json array = Json::array();
    TextTable table({{"kind"}, {"id"}, {"name"}});
    for (const PresetEntry &entry : library.entries()) {
        if (!kind.empty() && kindName(entry) != kind)
            continue;
        array.push_back({{"id", entry.id}, {"kind", kindName(entry)}, {"name", entry.name}});
        if (!entry.evaluable)
            array.back()["evaluable"] = false;
        table.add({kindName(entry), entry.id, entry.name + (entry.evaluable ? "" : " (card: cannot be evaluated)")});
    }
    if (json)
        writeJson(array);
    else
        writeText(joined(table.lines()));
}

[[noreturn]] void rejectUnknown(const Library &library, const std::string &name) {
    const std::string id = name.substr(name.find('/') == std::string::npos ? 0 : name.find('/') + 1);
    std::optional<std::string> near;
    for (std::size_t kind = 0; kind < preset_kind_names().size() && !near; ++kind)
        near = library.nearest(static_cast<PresetKind>(kind), id);
    throw InputError("", "there is no such preset",
                     fmt::format("an id that `meshwright-cli presets` lists is expected{}",
                                 near ? ", such as " + *near + ", which is near" : ""));
}

void printPreset(const Library &library, const std::string &name) {
    const std::optional<PresetEntry> entry = library.find(name);
    if (!entry)
        rejectUnknown(library, name);
    const Json &json = library.json(entry->kind, entry->id);
    // A plan is spelled out, so that what a reader of it sees does not depend on the library.
    if (entry->kind == PresetKind::plan && entry->evaluable)
        writeJson(to_json(plan_from_json(json, library)));
    else
        writeJson(json);
}

void run(const PresetsArguments &options) {
    const Library &library = Library::standard();
    const std::vector<std::string> &kinds = preset_kind_names();
    const bool isKind = std::find(kinds.begin(), kinds.end(), options.name) != kinds.end();
    if (options.name.empty() || (isKind && !library.find(options.name)))
        listPresets(library, options.name, options.json);
    else
        naming(options.name, [&] { printPreset(library, options.name); });
}

} // namespace

void addPresets(CLI::App &program) {
    CLI::App *const verb = program.add_subcommand("presets", "List the presets, or print one as JSON");
    const auto options = std::make_shared<PresetsArguments>();
    verb->add_option("NAME", options->name,
                     "ID or KIND/ID; a kind alone lists it (plan, model, accelerator, cluster, stack)");
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

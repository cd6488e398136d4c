// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "catalog/own_presets.h"
#include "cli/failure.h"
#include "cli/standard_output.h"
#include "cli/text_table.h"
#include "cli/verbs.h"
#include "evaluate/evaluate.h"
#include "evaluate/preset_table.h"
#include "input/field_reader.h"
#include "plan/plan_json.h"
#include "quantities/text.h"

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
    bool table = false;
};

const std::string &kindName(const PresetEntry &entry) {
    return preset_kind_names()[static_cast<std::size_t>(entry.kind)];
}

/// @param kind  the kind to list; empty for all kinds
void listPresets(const Library &library, const std::string &kind, bool json) {
    Json array = Json::array();
    TextTable table({{"kind"}, {"id"}, {"name"}});
    for (const PresetEntry &entry : library.entries()) {
        if (!kind.empty() && kindName(entry) != kind)
            continue;
        array.push_back({{"id", entry.id}, {"kind", kindName(entry)}, {"name", entry.name}});
        if (!entry.evaluable)
            array.back()["evaluable"] = false;
        if (is_users_own(entry, library))
            array.back()["file"] = entry.file.string();
        if (const auto hidden = hidden_by(entry, library))
            array.back()["overrides"] = hidden->string();
        table.add({kindName(entry), entry.id,
                   listed_name(entry, library) + (entry.evaluable ? "" : " (card: cannot be evaluated)")});
    }
    std::vector<std::string> lines = table.lines();
    const std::size_t listed = lines.size();
    for (const auto &[ofKind, id, problem] : library.invalid()) {
        const std::string &name = preset_kind_names()[static_cast<std::size_t>(ofKind)];
        if (!kind.empty() && name != kind)
            continue;
        array.push_back({{"id", id}, {"kind", name}, {"name", id}, {"evaluable", false}, {"problem", problem}});
        if (lines.size() == listed)
            lines.insert(lines.end(), {"", "Skipped, invalid:"});
        lines.push_back("  " + problem);
    }
    if (json)
        writeJson(array);
    else
        writeText(joined(lines));
}

Json rowJson(const PresetRow &row) {
    Json json{{"id", row.id}, {"name", row.name}};
    if (row.result == nullptr) {
        json["problem"] = row.problem;
        return json;
    }
    const Result &result = *row.result;
    const Json whole = to_json(result);
    json["parameters"] = result.parameters.total;
    json["active_parameters"] = result.parameters.active;
    json["accelerator"] = result.plan.cluster.accelerator_id;
    json["accelerators"] = result.plan.cluster.accelerators();
    json["sites"] = result.plan.cluster.sites;
    json["parallelism"] = whole["plan"]["parallelism"];
    json["fits"] = result.verdict.fits;
    json["step_seconds"] = result.step.seconds;
    json["low_seconds"] = result.step.low_seconds;
    json["high_seconds"] = result.step.high_seconds;
    json["mfu"] = result.step.mfu;
    json["days"] = result.run.days;
    json["published"] = whole["published"];
    return json;
}

/// Formats a figure; rates of 100 or more are written in full: "1,663".
std::string figureText(const PublishedComparison &figure, double value) {
    const bool plain = figure.quantity == Quantity::number;
    return text_of(value, plain && value >= 100 ? Quantity::count : figure.quantity);
}

std::string shortTitle(const PublishedComparison &figure) {
    return figure.figure == "tokens_per_second_per_accelerator"  ? "tokens/s/acc."
        : figure.figure == "step_seconds"                        ? "step"
        : figure.figure.ends_with("_per_second_per_accelerator") ? "FLOP/s/acc."
                                                                 : figure.title;
}

void tabulatePlans(const Library &library, bool json) {
    const std::vector<PresetRow> rows = preset_rows(library);
    if (json) {
        Json array = Json::array();
        for (const PresetRow &row : rows)
            array.push_back(rowJson(row));
        writeJson(array);
        return;
    }
    TextTable table({{"plan"},
                     {"size", Alignment::right},
                     {"hardware"},
                     {"figure"},
                     {"published", Alignment::right},
                     {"predicted", Alignment::right},
                     {"error", Alignment::right},
                     {"80%"}});
    constexpr std::size_t widest = 15;
    for (const PresetRow &row : rows) {
        if (row.result == nullptr) {
            table.add({row.id, "", "", "cannot be evaluated", "", "", "", ""});
            continue;
        }
        std::string hardware = hardware_text(row.result->plan.cluster);
        if (hardware.size() > widest)
            hardware = hardware.substr(0, widest - 2) + "..";
        const std::string size = text_of(row.result->parameters.total, Quantity::parameters);
        const PublishedComparison *const figure = row.main();
        if (figure == nullptr) {
            table.add(
                {row.id, size, hardware, "step", "", text_of(row.result->step.seconds, Quantity::seconds), "", ""});
            continue;
        }
        table.add({row.id, size, hardware, shortTitle(*figure), figureText(*figure, figure->value),
                   figureText(*figure, figure->predicted), signed_percent_text(figure->difference()),
                   !figure->inside()       ? "-"
                       : *figure->inside() ? "inside"
                                           : "outside"});
    }
    writeText(joined(table.lines()));
}

[[noreturn]] void rejectUnknown(const Library &library, const std::string &name) {
    const std::string id = name.substr(name.find('/') == std::string::npos ? 0 : name.find('/') + 1);
    std::optional<std::string> near;
    for (std::size_t kind = 0; kind < preset_kind_names().size() && !near; ++kind)
        near = library.nearest(static_cast<PresetKind>(kind), id);
    throw InputError("", "unknown preset",
                     fmt::format("expected an id that `meshwright-cli presets` lists{}",
                                 near ? "; did you mean " + *near + "?" : ""));
}

void printPreset(const Library &library, const std::string &name) {
    const std::optional<PresetEntry> entry = library.find(name);
    if (!entry)
        rejectUnknown(library, name);
    const Json &json = library.json(entry->kind, entry->id);
    // Plans are printed with all defaults and presets filled in, so that they do not depend on installed presets.
    if (entry->kind == PresetKind::plan && entry->evaluable)
        writeJson(to_json(plan_from_json(json, library)));
    else
        writeJson(json);
}

void run(const PresetsArguments &options) {
    const Library &library = Library::standard();
    if (options.table) {
        tabulatePlans(library, options.json);
        return;
    }
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
    CLI::Option *const name =
        verb->add_option("NAME", options->name,
                         "ID or KIND/ID; a kind alone (plan, model, accelerator, cluster, stack) lists its presets");
    verb->add_flag("--table", options->table, "Evaluate every plan and compare it with published figures")
        ->excludes(name);
    verb->add_flag("--json", options->json, "Print JSON");
    verb->callback([options] { run(*options); });
}

} // namespace meshwright

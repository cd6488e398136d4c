// SPDX-License-Identifier: GPL-3.0-or-later
#include "guide/generated_tables.h"

#include "catalog/constants.h"
#include "catalog/library.h"
#include "glossary/glossary.h"
#include "guide/schema_fields.h"
#include "input/diagnostic.h"
#include "launch/importers.h"
#include "plan/schedules.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {

std::string chunk_text(const ScheduleDefinition &schedule) {
    if (schedule.cuts_sequences)
        return "slices per sequence";
    switch (schedule.chunks) {
    case ChunkCount::one:
        return "1";
    case ChunkCount::two:
        return "2";
    case ChunkCount::any:
        break;
    }
    return "any";
}

std::string schedules_table() {
    std::string table = "| Name | Schedule | Chunks per rank | Source |\n|---|---|---|---|\n";
    for (const Schedule each : all_schedules()) {
        const ScheduleDefinition &schedule = definition_of(each);
        table += fmt::format("| `{}` | {} | {} | {} |\n", schedule.name, table_cell(schedule.title),
                             chunk_text(schedule), table_cell(schedule.source));
    }
    return table;
}

std::string_view name_of(Provenance provenance) {
    switch (provenance) {
    case Provenance::fitted:
        return "fitted";
    case Provenance::published:
        return "published";
    case Provenance::assumed:
        return "assumed";
    default:
        return "physics";
    }
}

std::string constants_table() {
    std::string table = "| Constant | Value | Range | Provenance | Meaning and source |\n|---|--:|---|---|---|\n";
    for (const Constant &each : constants())
        table += fmt::format("| `{}` | {:g} {} | {:g} to {:g} | {} | {}. Source: {}. |\n", each.name, each.value,
                             each.unit == "1" ? "" : each.unit, each.low, each.high, name_of(each.provenance),
                             table_cell(each.meaning), table_cell(each.source));
    return table;
}

std::string terms_table() {
    std::string table = "| Term | Definition |\n|---|---|\n";
    for (const GlossaryTerm &term : Glossary::standard().terms())
        table += fmt::format("| [{}](term:{}) | {} |\n", table_cell(term.title()), term.id,
                             table_cell(term.first_sentence()));
    return table;
}

std::string imports_table() {
    std::string table = "| `--from` | Reads |\n|---|---|\n";
    for (const ImportKind &kind : import_kinds())
        table += fmt::format("| `{}` | {} |\n", kind.id, table_cell(kind.title));
    return table;
}

std::string presets_table(std::string_view kind, const Library &library) {
    const std::vector<std::string> &kinds = preset_kind_names();
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found == kinds.end())
        throw InputError("", fmt::format("unknown kind of preset \"{}\"", kind),
                         "expected plan, model, accelerator, cluster or stack");
    std::string table = "| Id | Name |\n|---|---|\n";
    for (const PresetEntry &entry : library.entries())
        if (entry.kind == static_cast<PresetKind>(found - kinds.begin()))
            table += fmt::format("| `{}` | {} |\n", entry.id, table_cell(entry.name));
    return table;
}

} // namespace

std::string table_cell(std::string_view text) {
    std::string cell;
    for (const char each : text) {
        if (each == '|')
            cell += '\\';
        cell += each == '\n' ? ' ' : each;
    }
    return cell;
}

std::string generated_table(std::string_view request, const Library &library) {
    const std::size_t space = std::min(request.find(' '), request.size());
    const std::string_view what = request.substr(0, space);
    const std::string_view of = request.substr(std::min(space + 1, request.size()));
    if (what == "fields")
        return fields_table(of, library);
    if (what == "presets")
        return presets_table(of, library);
    if (request == "schedules")
        return schedules_table();
    if (request == "constants")
        return constants_table();
    if (request == "terms")
        return terms_table();
    if (request == "imports")
        return imports_table();
    throw InputError("", fmt::format("unknown table \"{}\"", request),
                     "expected fields, presets, schedules, constants, terms or imports");
}

} // namespace meshwright

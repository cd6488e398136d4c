// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/preset_table.h"

#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "threads/for_each_index.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>

namespace meshwright {

namespace {

PresetRow row_of(const PresetEntry &entry, const Library &library) {
    PresetRow row{.id = entry.id, .name = entry.name, .result = nullptr, .problem = {}};
    try {
        auto result = std::make_shared<Result>(
            evaluate(plan_from_json(library.json(PresetKind::plan, entry.id), library), Depth::numbers));
        add_evidence(*result);
        row.result = std::move(result);
    } catch (const std::exception &error) {
        row.problem = error.what();
    }
    return row;
}

} // namespace

const PublishedComparison *PresetRow::published(std::string_view figure) const {
    if (result == nullptr)
        return nullptr;
    const auto found = std::find_if(result->published.begin(), result->published.end(),
                                    [&](const PublishedComparison &each) { return each.figure == figure; });
    return found == result->published.end() ? nullptr : &*found;
}

const PublishedComparison *PresetRow::main() const {
    for (const char *figure : {"mfu", "step_seconds", "tokens_per_second_per_accelerator", "hfu"})
        if (const PublishedComparison *found = published(figure))
            return found;
    return result == nullptr || result->published.empty() ? nullptr : &result->published.front();
}

std::vector<PresetRow> preset_rows(const Library &library, const std::stop_token &stop) {
    std::vector<const PresetEntry *> entries;
    for (const PresetEntry &entry : library.entries())
        if (entry.kind == PresetKind::plan && entry.evaluable)
            entries.push_back(&entry);
    std::vector<PresetRow> rows(entries.size());
    for_each_index(entries.size(), [&](std::size_t i) {
        if (!stop.stop_requested())
            rows[i] = row_of(*entries[i], library);
    });
    std::erase_if(rows, [](const PresetRow &row) { return row.id.empty(); });
    return rows;
}

std::string hardware_text(const Cluster &cluster) {
    std::string name = cluster.accelerator.name.empty() ? cluster.accelerator_id : cluster.accelerator.name;
    for (const std::string_view maker : {"NVIDIA ", "Google ", "AMD "})
        if (name.starts_with(maker))
            name.erase(0, maker.size());
    const std::string site = grouped(static_cast<double>(cluster.site_accelerators())) + " x " + name;
    return cluster.sites > 1 ? grouped(static_cast<double>(cluster.sites)) + " x " + site : site;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/own_presets.h"

#include "catalog/own_presets.h"
#include "plan/plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace meshwright {

namespace {

struct Used {
    PresetKind kind = PresetKind::plan;
    std::string id;
    std::string field; ///< JSON pointer into the plan
};

std::vector<Used> presets_of(const nlohmann::ordered_json &document, const Plan &plan) {
    std::vector<Used> all{{PresetKind::accelerator, plan.cluster.accelerator_id, "/cluster/accelerator"},
                          {PresetKind::cluster, plan.cluster_id, "/cluster"},
                          {PresetKind::model, plan.model_id, "/model"},
                          {PresetKind::stack, plan.stack_id, "/stack"}};
    if (const auto id = document.find("id"); id != document.end() && id->is_string())
        all.push_back({PresetKind::plan, id->get<std::string>(), ""});
    std::erase_if(all, [](const Used &used) { return used.id.empty(); });
    return all;
}

} // namespace

std::vector<Diagnostic> own_preset_warnings(const nlohmann::ordered_json &document, const Plan &plan,
                                            const Library &library) {
    std::vector<Diagnostic> warnings;
    for (const Used &used : presets_of(document, plan)) {
        const std::string &kind = preset_kind_names()[static_cast<std::size_t>(used.kind)];
        const auto warn = [&](std::string code, std::string message) {
            warnings.push_back({.severity = Severity::warning,
                                .code = std::move(code),
                                .message = std::move(message),
                                .expected = {},
                                .fields = {used.field},
                                .fixes = {}});
        };
        const std::optional<PresetEntry> entry = library.find(used.kind, used.id);
        if (entry && hidden_by(*entry, library))
            warn("own-preset",
                 fmt::format("The {} {} is your own preset, {}, which overrides the built-in one", kind, used.id,
                             entry->file.string()));
        if (const std::optional<std::string> problem = problem_of(used.kind, used.id, library); entry && problem)
            warn("preset-not-read",
                 fmt::format("Your preset for the {} {} is invalid; using the built-in one instead: {}", kind, used.id,
                             *problem));
    }
    return warnings;
}

} // namespace meshwright

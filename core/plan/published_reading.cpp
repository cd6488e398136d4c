// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/published_reading.h"

#include "catalog/library.h"
#include "input/field_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Fields that affect a plan's results. Changes of name, notes and sources do not count.
constexpr std::array plan_parts{"cluster",   "model",   "stack", "parallelism", "batch", "precision", "recompute",
                                "optimizer", "offload", "outer", "aggregation", "run",   "faults",    "assumptions"};

const Json &part_of(const Json &document, const char *part) {
    static const Json none;
    const auto found = document.find(part);
    return found == document.end() ? none : *found;
}

bool differs_from_preset(const Json &document, const Library &library) {
    const auto id = document.find("id");
    if (id == document.end() || !id->is_string() || !library.find(PresetKind::plan, id->get<std::string>()))
        return false;
    const Json &preset = library.json(PresetKind::plan, id->get<std::string>());
    return std::any_of(plan_parts.begin(), plan_parts.end(),
                       [&](const char *part) { return part_of(document, part) != part_of(preset, part); });
}

} // namespace

const std::vector<std::string> &mfu_convention_names() {
    static const std::vector<std::string> names{"causal", "full-attention", "6nd"};
    return names;
}

const std::vector<std::string> &published_memory_names() {
    static const std::vector<std::string> names{"reserved", "allocated"};
    return names;
}

const std::vector<std::string> &published_figure_names() {
    static const std::vector<std::string> names{"step_seconds",
                                                "tokens_per_second",
                                                "tokens_per_second_per_accelerator",
                                                "mfu",
                                                "hfu",
                                                "model_flops_per_second_per_accelerator",
                                                "hardware_flops_per_second_per_accelerator",
                                                "days",
                                                "accelerator_hours",
                                                "peak_bytes",
                                                "weights_bytes",
                                                "gradients_bytes",
                                                "optimizer_bytes",
                                                "activations_bytes",
                                                "utilisation",
                                                "stall_seconds_per_round"};
    return names;
}

void read_published(FieldReader &reader, Plan &plan, const Json &document, const Library &library) {
    PublishedRun &published = plan.published;
    const bool given = reader.object("published", [&](FieldReader &inner) {
        for (const std::string &name : published_figure_names()) {
            double value = 0;
            if (inner.number(name, value, positive))
                published.figures[name] = value;
        }
        inner.choice("mfu_convention", published.mfu_convention, mfu_convention_names());
        inner.choice("memory_kind", published.memory_kind, published_memory_names());
        inner.boolean("plan_changed", published.plan_changed);
        inner.text("note", published.note);
        inner.text("source", published.source);
    });
    if (given && document.is_object() && differs_from_preset(document, library))
        published.plan_changed = true;
}

Json published_json(const PublishedRun &published) {
    Json json = Json::object();
    for (const std::string &name : published_figure_names())
        if (const auto figure = published.figures.find(name); figure != published.figures.end())
            json[name] = figure->second;
    if (published.mfu_convention != MfuConvention::causal)
        json["mfu_convention"] = mfu_convention_names()[static_cast<std::size_t>(published.mfu_convention)];
    if (published.memory_kind != PublishedMemory::reserved)
        json["memory_kind"] = published_memory_names()[static_cast<std::size_t>(published.memory_kind)];
    if (published.plan_changed)
        json["plan_changed"] = true;
    if (!published.note.empty())
        json["note"] = published.note;
    if (!published.source.empty())
        json["source"] = published.source;
    return json;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_json.h"
#include "search/goal_changes.h"

#include <nlohmann/json.hpp>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

Json difference(const Json &before, const Json &after) {
    if (!before.is_object() || !after.is_object())
        return after;
    Json patch = Json::object();
    for (const auto &[key, value] : before.items())
        if (!after.contains(key))
            patch[key] = nullptr;
    for (const auto &[key, value] : after.items())
        if (!before.contains(key))
            patch[key] = value;
        else if (before.at(key) != value)
            patch[key] = difference(before.at(key), value);
    return patch;
}

/// Merge patch that replaces the whole object: `after`, with a null for each field to remove.
Json whole(const Json &before, const Json &after) {
    Json patch = after;
    for (const auto &[key, value] : before.items())
        if (!after.contains(key))
            patch[key] = nullptr;
    return patch;
}

} // namespace

std::string patch_between(const Plan &before, const Plan &after) {
    const Json from = to_json(before);
    const Json to = to_json(after);
    Json patch = Json::object();
    const auto differs = [&](const char *key) { return from.at(key) != to.at(key); };
    // Fields that depend on degrees and the cluster are derived again if a document leaves them out.
    const bool derives = differs("cluster") || differs("parallelism") || differs("batch");
    for (const auto &[key, value] : to.items()) {
        const bool is_layout = key == "parallelism" || key == "batch";
        if (is_layout ? derives : (!from.contains(key) || from.at(key) != value)) {
            // In the document a cluster may be the name of a preset.
            const bool complete = is_layout || key == "cluster" || key == "recompute";
            patch[key] = complete && from.contains(key) ? whole(from.at(key), value)
                : from.contains(key)                    ? difference(from.at(key), value)
                                                        : value;
        }
    }
    if (derives && from.at("run") != to.at("run"))
        patch["run"] = difference(from.at("run"), to.at("run"));
    return patch.dump();
}

} // namespace meshwright

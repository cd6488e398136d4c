// SPDX-License-Identifier: GPL-3.0-or-later
#include "silent_changes.h"

#include "plan/plan_json.h"
#include "views/plan_edit.h"

#include <nlohmann/json.hpp>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

/// Returns the parts of `revert` whose fields are not in `patch`.
ordered_json outside(const ordered_json &revert, const ordered_json &patch) {
    ordered_json kept = ordered_json::object();
    for (const auto &[key, value] : revert.items()) {
        if (!patch.contains(key)) {
            kept[key] = value;
        } else if (value.is_object() && patch.at(key).is_object()) {
            ordered_json inner = outside(value, patch.at(key));
            if (!inner.empty())
                kept[key] = std::move(inner);
        }
    }
    return kept;
}

void drop(ordered_json &patch, const char *object, const char *key) {
    if (!patch.contains(object) || !patch.at(object).is_object())
        return;
    patch.at(object).erase(key);
    if (patch.at(object).empty())
        patch.erase(object);
}

} // namespace

void keepUntouchedFields(const ordered_json &before, ordered_json &after, const ordered_json &patch,
                         const Library &library) {
    const Plan was = read_plan(before, library).plan;
    const Plan is = read_plan(after, library).plan;
    if (was == is)
        return;
    ordered_json revert = outside(mergeDifference(to_json(is), to_json(was)), patch);
    drop(revert, "parallelism", "data");
    drop(revert, "run", "rental_dollars_per_accelerator_hour");
    if (was.cluster.sites <= 1)
        revert.erase("outer");
    if (!revert.empty())
        merge_patch(after, revert);
}

} // namespace meshwright

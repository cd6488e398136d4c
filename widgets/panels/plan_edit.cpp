// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/plan_edit.h"

#include "panels/plan_view.h"

#include <nlohmann/json.hpp>

namespace meshwright {

using nlohmann::ordered_json;

QString editTitle(const QString &subject, const QString &from, const QString &to) {
    if (to.isEmpty())
        return subject;
    if (from.isEmpty())
        return QStringLiteral("%1 → %2").arg(subject, to);
    return QStringLiteral("%1 %2 → %3").arg(subject, from, to);
}

ordered_json mergeDifference(const ordered_json &before, const ordered_json &after) {
    if (!before.is_object() || !after.is_object())
        return after;
    ordered_json patch = ordered_json::object();
    for (const auto &[key, value] : before.items()) {
        if (!after.contains(key))
            patch[key] = nullptr;
    }
    for (const auto &[key, value] : after.items()) {
        if (!before.contains(key))
            patch[key] = value;
        else if (before.at(key) != value)
            patch[key] = mergeDifference(before.at(key), value);
    }
    return patch;
}

ordered_json spelledOut(const PlanView &view, const std::string &key) {
    const ordered_json &document = *view.document;
    const bool present = document.is_object() && document.contains(key);
    if (present && document.at(key).is_object())
        return document.at(key);
    if (key == "cluster")
        return to_json(view.plan.cluster);
    if (key == "model")
        return to_json(view.plan.model);
    if (key == "stack")
        return to_json(view.plan.stack);
    return ordered_json::object();
}

namespace {

/// "cluster" and "/tiers/0/name" from "/cluster/tiers/0/name".
struct SplitPointer {
    std::string key;
    std::string rest;
};

SplitPointer split(const QString &pointer) {
    const std::string text = pointer.toStdString();
    const auto slash = text.find('/', 1);
    if (slash == std::string::npos)
        return {text.substr(1), {}};
    return {text.substr(1, slash - 1), text.substr(slash)};
}

std::string patchOf(const PlanView &view, const std::string &key, const ordered_json &after) {
    const ordered_json &document = *view.document;
    const ordered_json before = document.is_object() && document.contains(key) ? document.at(key) : ordered_json();
    return ordered_json{{key, mergeDifference(before, after)}}.dump();
}

} // namespace

std::string patchSetting(const PlanView &view, const QString &pointer, const ordered_json &value) {
    const auto [key, rest] = split(pointer);
    if (rest.empty())
        return patchOf(view, key, value);
    ordered_json after = spelledOut(view, key);
    after[ordered_json::json_pointer(rest)] = value;
    return patchOf(view, key, after);
}

std::string patchRemoving(const PlanView &view, const QString &pointer) {
    const auto [key, rest] = split(pointer);
    if (rest.empty())
        return ordered_json{{key, nullptr}}.dump();
    ordered_json after = spelledOut(view, key);
    const ordered_json::json_pointer place(rest);
    if (after.contains(place)) {
        ordered_json &parent = after[place.parent_pointer()];
        if (parent.is_object())
            parent.erase(place.back());
        else if (parent.is_array())
            parent.erase(static_cast<std::size_t>(std::stoul(place.back())));
    }
    return patchOf(view, key, after);
}

std::string patchReplacing(const PlanView &view, const std::string &key, const ordered_json &value) {
    return patchOf(view, key, value);
}

} // namespace meshwright

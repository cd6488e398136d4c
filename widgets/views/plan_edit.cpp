// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plan_edit.h"

#include "views/plan_view.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

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

/// Splits "/cluster/tiers/0/name" into "cluster" and "/tiers/0/name".
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

/// The value to which a source belongs. For "tiers.nvlink.accelerators", objects are searched by key and arrays by item
/// name. Null if there is no such value.
const ordered_json *valueAt(const ordered_json &from, const std::string &path) {
    const ordered_json *at = &from;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string token = path.substr(begin, end - begin);
        const ordered_json *next = nullptr;
        if (at->is_object() && at->contains(token))
            next = &at->at(token);
        else if (at->is_array())
            for (const ordered_json &item : *at)
                if (item.is_object() && item.value("name", std::string()) == token)
                    next = &item;
        if (next == nullptr)
            return nullptr;
        at = next;
        begin = end + 1;
    }
    return at;
}

/// Marks the sources of values that differ between the two documents as changed by hand.
void markStaleSources(const ordered_json &before, ordered_json &after) {
    constexpr std::string_view mark = "changed by hand; before: ";
    if (!before.is_object() || !after.is_object() || !after.contains("sources") || !after.at("sources").is_object())
        return;
    for (auto &[path, source] : after.at("sources").items()) {
        const ordered_json *was = valueAt(before, path);
        const ordered_json *is = valueAt(after, path);
        if (was == nullptr || is == nullptr || *was == *is || !source.is_string()
            || source.get<std::string>().starts_with(mark))
            continue;
        source = std::string(mark) + was->dump() + ", " + source.get<std::string>();
    }
}

std::string patchOf(const PlanView &view, const std::string &key, ordered_json after) {
    markStaleSources(spelledOut(view, key), after);
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

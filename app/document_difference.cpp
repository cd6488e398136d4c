// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_difference.h"

#include <utility>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

std::vector<std::string> keysOf(const ordered_json &object) {
    std::vector<std::string> keys;
    for (const auto &item : object.items())
        keys.push_back(item.key());
    return keys;
}

ordered_json without(const ordered_json &object, const ordered_json &other) {
    ordered_json rest = ordered_json::object();
    for (const auto &[key, value] : object.items())
        if (!other.contains(key))
            rest[key] = value;
    return rest;
}

} // namespace

DocumentDifference::DocumentDifference(const ordered_json &before, const ordered_json &after) {
    compare(ordered_json::json_pointer(), before, after);
}

ordered_json DocumentDifference::before(ordered_json after) const {
    return changed(std::move(after), &Change::before);
}

ordered_json DocumentDifference::after(ordered_json before) const {
    return changed(std::move(before), &Change::after);
}

void DocumentDifference::compare(const ordered_json::json_pointer &at, const ordered_json &before,
                                 const ordered_json &after) {
    if (before.is_object() && after.is_object()) {
        compareKeys(at, before, after);
    } else if (before.is_array() && after.is_array() && before.size() == after.size()) {
        for (std::size_t i = 0; i < before.size(); ++i)
            compare(at / i, before[i], after[i]);
    } else if (before.type() != after.type() || before != after) { // 8 and 8.0 are equal, but written differently
        m_changes.push_back({.at = at, .isOfKeys = false, .before = {before}, .after = {after}});
    }
}

void DocumentDifference::compareKeys(const ordered_json::json_pointer &at, const ordered_json &before,
                                     const ordered_json &after) {
    std::vector<std::string> keysBefore = keysOf(before);
    std::vector<std::string> keysAfter = keysOf(after);
    if (keysBefore != keysAfter)
        m_changes.push_back({.at = at,
                             .isOfKeys = true,
                             .before = {without(before, after), std::move(keysBefore)},
                             .after = {without(after, before), std::move(keysAfter)}});
    for (const auto &[key, value] : before.items())
        if (after.contains(key))
            compare(at / key, value, after.at(key));
}

ordered_json DocumentDifference::changed(ordered_json document, Side Change::*side) const {
    for (const Change &change : m_changes) {
        ordered_json &place = document[change.at];
        const Side &wanted = change.*side;
        if (!change.isOfKeys) {
            place = wanted.value;
            continue;
        }
        ordered_json object = ordered_json::object();
        for (const std::string &key : wanted.keys)
            if (wanted.value.contains(key))
                object[key] = wanted.value.at(key);
            else
                object[key] = std::move(place.at(key));
        place = std::move(object);
    }
    return document;
}

} // namespace meshwright

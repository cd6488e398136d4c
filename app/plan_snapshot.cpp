// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_snapshot.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

using nlohmann::ordered_json;

namespace {

bool isSnapshot(const ordered_json &entry) {
    return entry.is_object() && entry.contains("name") && entry.at("name").is_string() && entry.contains("time")
        && entry.at("time").is_string() && entry.contains("plan") && entry.at("plan").is_object();
}

} // namespace

PlanSnapshots takeSnapshots(ordered_json &document) {
    const auto found = document.find("snapshots");
    if (found == document.end() || !found->is_array())
        return {};
    PlanSnapshots snapshots;
    ordered_json others = ordered_json::array();
    for (ordered_json &entry : *found) {
        if (!isSnapshot(entry)) {
            others.push_back(std::move(entry));
            continue;
        }
        snapshots.push_back(
            {.name = QString::fromStdString(entry.at("name").get<std::string>()),
             .time = QDateTime::fromString(QString::fromStdString(entry.at("time").get<std::string>()), Qt::ISODate),
             .plan = std::make_shared<ordered_json>(entry.at("plan")),
             .entry = nullptr});
        snapshots.back().entry = std::make_shared<ordered_json>(std::move(entry));
    }
    if (others.empty() && !snapshots.empty())
        document.erase("snapshots");
    else
        *found = std::move(others);
    return snapshots;
}

ordered_json withSnapshots(ordered_json document, const PlanSnapshots &snapshots) {
    if (snapshots.empty())
        return document;
    ordered_json &all = document["snapshots"];
    if (!all.is_array() && !all.is_null())
        all = ordered_json::array({std::move(all)}); // an unknown format: keep it as the first entry
    for (const PlanSnapshot &snapshot : snapshots)
        all.push_back(snapshot.entry != nullptr
                          ? *snapshot.entry
                          : ordered_json{{"name", snapshot.name.toStdString()},
                                         {"time", snapshot.time.toUTC().toString(Qt::ISODate).toStdString()},
                                         {"plan", *snapshot.plan}});
    return document;
}

PlanSnapshots joined(PlanSnapshots others, const PlanSnapshots &own) {
    for (const PlanSnapshot &snapshot : own) {
        const bool known = std::any_of(others.begin(), others.end(), [&](const PlanSnapshot &each) {
            return each.name == snapshot.name && *each.plan == *snapshot.plan;
        });
        if (!known)
            others.push_back(snapshot);
    }
    return others;
}

} // namespace meshwright

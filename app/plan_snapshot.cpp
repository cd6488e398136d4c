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
    if (found == document.end() || !found->is_array() || !std::all_of(found->begin(), found->end(), isSnapshot))
        return {};
    PlanSnapshots snapshots;
    for (const ordered_json &entry : *found)
        snapshots.push_back(
            {.name = QString::fromStdString(entry.at("name").get<std::string>()),
             .time = QDateTime::fromString(QString::fromStdString(entry.at("time").get<std::string>()), Qt::ISODate),
             .plan = std::make_shared<ordered_json>(entry.at("plan"))});
    document.erase("snapshots");
    return snapshots;
}

ordered_json withSnapshots(ordered_json document, const PlanSnapshots &snapshots) {
    for (const PlanSnapshot &snapshot : snapshots)
        document["snapshots"].push_back({{"name", snapshot.name.toStdString()},
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/imported.h"

#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

Json to_json(const Imported &imported) {
    Json json{{"kind", imported.kind}, {imported.what, imported.document}};
    if (!imported.measured.is_null())
        json["measured"] = imported.measured;
    if (!imported.parameters.is_null()) {
        json["parameters"] = imported.parameters;
        json["warning"] = imported.warning;
    }
    for (const char *list : {"understood", "assumed", "ignored", "faults"})
        json[list] = Json::array();
    const auto list_option = [&json](const char *list, Json entry, const std::vector<std::string> &other_values) {
        if (!other_values.empty())
            entry["other_values"] = other_values;
        json[list].push_back(std::move(entry));
    };
    for (const UnderstoodOption &each : imported.understood)
        list_option("understood", {{"option", each.option}, {"value", each.value}, {"field", each.field}},
                    each.other_values);
    for (const AssumedField &each : imported.assumed)
        json["assumed"].push_back({{"field", each.field}, {"value", each.value}, {"why", each.why}});
    for (const IgnoredOption &each : imported.ignored)
        list_option("ignored", {{"option", each.option}, {"value", each.value}, {"why", each.why}}, each.other_values);
    for (const LaunchFault &each : imported.faults)
        json["faults"].push_back({{"option", each.option}, {"why", each.why}});
    return json;
}

} // namespace meshwright

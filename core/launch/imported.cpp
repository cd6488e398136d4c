// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/imported.h"

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
    for (const UnderstoodOption &each : imported.understood)
        json["understood"].push_back({{"option", each.option}, {"value", each.value}, {"field", each.field}});
    for (const AssumedField &each : imported.assumed)
        json["assumed"].push_back({{"field", each.field}, {"value", each.value}, {"why", each.why}});
    for (const IgnoredOption &each : imported.ignored)
        json["ignored"].push_back({{"option", each.option}, {"value", each.value}, {"why", each.why}});
    for (const LaunchFault &each : imported.faults)
        json["faults"].push_back({{"option", each.option}, {"why", each.why}});
    return json;
}

} // namespace meshwright

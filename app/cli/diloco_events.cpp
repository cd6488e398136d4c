// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/diloco_output.h"
#include "cli/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace meshwright {

namespace {

struct Event {
    double seconds;
    const char *what;
    std::int64_t site; ///< index of the site; -1 for an event of the aggregator
    std::int64_t round;
    std::int64_t fragment;
};

void add(std::vector<Event> &events, double seconds, const char *what, std::int64_t site, std::int64_t round,
         std::int64_t fragment) {
    if (seconds != never)
        events.push_back({seconds, what, site, round, fragment});
}

std::vector<Event> eventsOf(const OuterTimeline &timeline) {
    std::vector<Event> events;
    for (const Journey &journey : timeline.journeys) {
        const auto of = [&](double seconds, const char *what) {
            add(events, seconds, what, journey.site, journey.round, journey.fragment);
        };
        of(journey.released, "release");
        of(journey.sent_start, "send");
        of(journey.sent_end, "sent");
        of(journey.arrived, "arrive");
        of(journey.returned_start, "return");
        of(journey.returned_end, "returned");
        of(journey.received, "receive");
        of(journey.applied, "apply");
    }
    for (const Gathering &gathering : timeline.gatherings) {
        const auto of = [&](double seconds, const char *what) {
            add(events, seconds, what, -1, gathering.round, gathering.fragment);
        };
        of(gathering.quorum, "quorum");
        of(gathering.closed, gathering.voided ? "void" : "close");
        of(gathering.sent_back, "averaged");
    }
    for (const SiteSpan &span : timeline.spans) {
        const auto of = [&](const char *from, const char *to) {
            add(events, span.start, from, span.site, -1, span.fragment);
            add(events, span.end, to, span.site, -1, span.fragment);
        };
        if (span.activity == SiteActivity::stall)
            of("stall", "resume");
        if (span.activity == SiteActivity::away)
            of("leave", "back");
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const Event &a, const Event &b) { return a.seconds < b.seconds; });
    return events;
}

} // namespace

nlohmann::ordered_json eventsJson(const OuterTimeline &timeline) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Event &event : eventsOf(timeline)) {
        nlohmann::ordered_json json{{"seconds", event.seconds}, {"event", event.what}};
        if (event.site >= 0)
            json["site"] = event.site;
        if (event.round >= 0)
            json["round"] = event.round;
        if (event.fragment >= 0)
            json["fragment"] = event.fragment;
        all.push_back(std::move(json));
    }
    return all;
}

std::string eventsText(const OuterTimeline &timeline) {
    std::vector<std::string> lines{"", "Events of one round"};
    for (const Event &event : eventsOf(timeline)) {
        std::string line = fmt::format("  {:>14.3f} s  {:<9}", event.seconds, event.what);
        line += event.site >= 0 ? fmt::format("site {:<6}", event.site) : "aggregator ";
        if (event.round >= 0)
            line += fmt::format("round {:<5}", event.round);
        if (event.fragment >= 0)
            line += fmt::format("fragment {}", event.fragment);
        lines.push_back(std::move(line));
    }
    return joined(lines);
}

} // namespace meshwright

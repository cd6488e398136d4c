// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/advice.h"
#include "advise/changes.h"
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "plan/runnable.h"

#include <algorithm>

namespace meshwright {

std::optional<Fix> smallest_fit(const Plan &plan, const std::stop_token &stop) {
    if (!check_plan(plan).empty())
        return std::nullopt;
    std::optional<EvaluatedChange> best;
    const auto consider = [&](const Change &change) {
        if (!stays_runnable(plan, change.plan))
            return;
        const std::optional<EvaluatedChange> result = stop.stop_requested() ? std::nullopt : evaluate_change(change);
        if (result && result->fits && (!best || result->step_seconds < best->step_seconds))
            best = result;
    };
    std::vector<Change> singles = memory_changes(plan);
    for (const Change &change : layout_changes(plan))
        singles.push_back(change);
    std::stable_sort(singles.begin(), singles.end(),
                     [](const Change &a, const Change &b) { return a.fields < b.fields; });
    for (const Change &change : singles) {
        if (best && change.fields > best->change.fields)
            break;
        consider(change);
    }
    // If no single change is enough, tries combinations of two changes, then of three.
    std::vector<Change> last = singles;
    for (int round = 0; round < 2 && !best; ++round) {
        std::vector<Change> next;
        for (const Change &first : last) {
            std::vector<Change> more = memory_changes(first.plan);
            for (const Change &layout : layout_changes(first.plan))
                more.push_back(layout);
            for (const Change &second : more)
                next.push_back(combined(first, second));
        }
        for (const Change &change : next)
            consider(change);
        last = std::move(next);
    }
    if (!best)
        return std::nullopt;
    const Result present = evaluate(plan, Depth::numbers);
    return Fix{.title = best->change.title,
               .patch = best->change.patch,
               .gain = memory_gain(*best, present),
               .figure = "verdict.headroom_bytes"};
}

} // namespace meshwright

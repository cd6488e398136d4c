// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/outer_settings.h"

#include "evaluate/evaluate.h"
#include "plan/plan_json.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace meshwright {

namespace {

std::int64_t scaled(std::int64_t value, double factor) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(value) * factor));
}

/// Values of one setting, the present one first.
template <typename Value>
std::vector<Value> distinct(std::vector<Value> values) {
    std::vector<Value> kept;
    for (const Value &value : values)
        if (std::find(kept.begin(), kept.end(), value) == kept.end())
            kept.push_back(value);
    return kept;
}

std::vector<Wire> wires(const Wire &present, bool error_feedback) {
    std::vector<Wire> all{present};
    if (!error_feedback) // without it what a coarser format drops is lost
        return all;
    if (present.bits > 4) {
        all.push_back(present);
        all.back().bits = present.bits > 8 ? 8 : 4;
    }
    Wire sparser = present;
    sparser.density /= 2;
    if (sparser.index == IndexEncoding::none)
        sparser.index = IndexEncoding::bitmap;
    all.push_back(sparser);
    return all;
}

int changes(const Outer &a, const Outer &b) {
    return (a.inner_steps != b.inner_steps ? 1 : 0) + (a.fragments != b.fragments ? 1 : 0)
        + (a.overlap_steps != b.overlap_steps ? 1 : 0) + (a.up == b.up ? 0 : 1) + (a.down == b.down ? 0 : 1);
}

} // namespace

std::vector<Outer> outer_settings(const Plan &plan) {
    const Outer &own = plan.outer;
    const bool streaming = own.method == OuterMethod::streaming_diloco;
    std::vector<Outer> settings;
    for (const std::int64_t steps : distinct<std::int64_t>(
             {own.inner_steps, scaled(own.inner_steps, 0.5), scaled(own.inner_steps, 2), scaled(own.inner_steps, 4)}))
        for (const std::int64_t fragments : streaming
                 ? distinct<std::int64_t>({own.fragments, scaled(own.fragments, 0.5), scaled(own.fragments, 2)})
                 : std::vector{own.fragments})
            for (const std::int64_t overlap : streaming
                     ? distinct<std::int64_t>(
                         {own.overlap_steps, own.overlap_steps + 1, own.overlap_steps + 2, 2 * own.overlap_steps + 3})
                     : std::vector{own.overlap_steps})
                for (const Wire &up : wires(own.up, own.error_feedback))
                    for (const Wire &down : wires(own.down, own.error_feedback)) {
                        Outer outer = own;
                        outer.inner_steps = steps;
                        outer.fragments = fragments;
                        outer.overlap_steps = overlap;
                        outer.up = up;
                        outer.down = down;
                        settings.push_back(outer);
                    }
    Plan changed = plan;
    std::erase_if(settings, [&](const Outer &outer) {
        changed.outer = outer;
        return outer != own && !check_plan(changed).empty();
    });
    std::stable_sort(settings.begin(), settings.end(),
                     [&](const Outer &a, const Outer &b) { return changes(a, own) < changes(b, own); });
    return settings;
}

const Outer &best_outer(Plan plan, const std::vector<Outer> &settings) {
    constexpr double never = std::numeric_limits<double>::infinity();
    std::vector<double> runs;
    for (const Outer &outer : settings) {
        plan.outer = outer;
        const Result result = evaluate(plan, Depth::closed_forms);
        runs.push_back(result.verdict.fits ? result.run.seconds : never);
    }
    const double shortest = *std::min_element(runs.begin(), runs.end());
    if (shortest == never)
        return settings.front();
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](double run) { return run <= shortest * (1 + least_outer_gain); });
    return settings[static_cast<std::size_t>(found - runs.begin())];
}

} // namespace meshwright

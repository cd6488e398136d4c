// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/outer_settings.h"

#include "catalog/weights.h"
#include "formulas/plan_figures.h"
#include "outer/monte_carlo.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"
#include "run/run_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <utility>

namespace meshwright {

namespace {

std::int64_t scaled(std::int64_t value, double factor) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(value) * factor));
}

/// Values to try for one setting, without duplicates. The current value comes first.
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
    if (!error_feedback) // without error feedback, a coarser format loses values
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

double OuterSetting::handicap() const {
    return std::pow(1 + min_outer_gain, changes);
}

std::vector<OuterSettings> outer_settings(const Plan &plan) {
    const Outer &own = plan.outer;
    const bool streaming = own.method == OuterMethod::streaming_diloco;
    std::vector<OuterSettings> groups;
    Plan changed = plan;
    for (const std::int64_t fragments : streaming
             ? distinct<std::int64_t>({own.fragments, scaled(own.fragments, 0.5), scaled(own.fragments, 2)})
             : std::vector{own.fragments}) {
        OuterSettings settings;
        for (const std::int64_t steps :
             distinct<std::int64_t>({own.inner_steps, scaled(own.inner_steps, 0.5), scaled(own.inner_steps, 2),
                                     scaled(own.inner_steps, 4)}))
            for (const std::int64_t overlap : streaming
                     ? distinct<std::int64_t>(
                         {own.overlap_steps, own.overlap_steps + 1, own.overlap_steps + 2, 2 * own.overlap_steps + 3})
                     : std::vector{own.overlap_steps})
                for (const Wire &up : wires(own.up, own.error_feedback))
                    for (const Wire &down : wires(own.down, own.error_feedback)) {
                        Outer &outer = changed.outer;
                        outer.inner_steps = steps;
                        outer.fragments = fragments;
                        outer.overlap_steps = overlap;
                        outer.up = up;
                        outer.down = down;
                        if (outer == own || check_plan(changed).empty())
                            settings.push_back({.outer = outer, .changes = changes(outer, own)});
                    }
        std::stable_sort(settings.begin(), settings.end(),
                         [](const OuterSetting &a, const OuterSetting &b) { return a.changes < b.changes; });
        if (!settings.empty())
            groups.push_back(std::move(settings));
    }
    return groups;
}

OuterChoice::OuterChoice(const Plan &variant, const Scorer &scorer, OuterSettings settings)
    : m_variant(variant)
    , m_scorer(scorer)
    , m_settings(std::move(settings))
    , m_only_stalls(is_deterministic(variant)) {
    const Parameters parameters = parameters_of(variant.model);
    m_parameters = parameters.total + parameters.mtp;
    const double step_tokens =
        static_cast<double>(variant.batch.global_sequences) * static_cast<double>(variant.batch.sequence_length);
    m_steps = formula::site_steps(variant.run.tokens, step_tokens, static_cast<double>(variant.cluster.sites));
    m_goodput = goodput(variant, m_parameters).share;
}

OuterChoice::Best OuterChoice::best(double step_seconds, double peak_bytes) const {
    const Known known = known_at(step_seconds);
    return {.setting = known.setting, .score = score(known, step_seconds, peak_bytes)};
}

Score OuterChoice::ranking_score(double step_seconds, double peak_bytes) const {
    const std::optional<Known> around = m_only_stalls ? known_around(step_seconds) : std::nullopt;
    return score(around ? *around : known_at(step_seconds), step_seconds, peak_bytes);
}

OuterChoice::Known OuterChoice::known_at(double step_seconds) const {
    {
        const std::lock_guard lock(m_mutex);
        if (const auto at = m_known.find(step_seconds); at != m_known.end())
            return at->second;
    }
    const Known known = work_out(step_seconds);
    const std::lock_guard lock(m_mutex);
    m_known.emplace(step_seconds, known);
    return known;
}

/// A longer step never shortens a run, so if two step times give the same run time, all step times between them give it
/// too. The ranges are octaves and their successive halves, independent of earlier calls, so that the answer depends
/// only on the step time.
std::optional<OuterChoice::Known> OuterChoice::known_around(double step_seconds) const {
    constexpr int sizes = 6;
    if (!(step_seconds > 0) || std::isinf(step_seconds))
        return std::nullopt;
    int exponent = 0;
    std::frexp(step_seconds, &exponent);
    double width = std::ldexp(0.5, exponent);
    double shortest = width;
    for (int size = 0; size < sizes; ++size) {
        const Known first = known_at(shortest);
        if (first.run_seconds >= just_below * known_at(shortest + width).run_seconds)
            return is_throughout(first, shortest, width) ? std::optional(first) : std::nullopt;
        width /= 2;
        if (step_seconds >= shortest + width)
            shortest += width;
    }
    return std::nullopt;
}

/// Whether all step times in the range give exactly the result `known`, judged by samples. The run times at the ends of
/// the range are nearly equal. If the run time depends on the step time at all, samples differ in their last bits.
bool OuterChoice::is_throughout(const Known &known, double shortest, double width) const {
    constexpr int samples = 16;
    for (int i = 1; i <= samples; ++i) {
        const double share = i * std::numbers::phi;
        if (known_at(shortest + width * (share - std::floor(share))) != known)
            return false;
    }
    return true;
}

Score OuterChoice::lowest_score(double step_seconds, double peak_bytes) const {
    const std::lock_guard lock(m_mutex);
    const auto longer = m_known.upper_bound(step_seconds);
    if (longer == m_known.begin())
        return m_scorer.score(step_seconds, peak_bytes);
    Known known = std::prev(longer)->second;
    known.run_seconds *= just_below;
    return score(known, step_seconds, peak_bytes);
}

OuterChoice::Known OuterChoice::work_out(double step_seconds) const {
    Plan plan = m_variant;
    const double inner_seconds = plan.outer.step_seconds.value_or(step_seconds);
    const double without_stalls = formula::run_seconds(m_steps * inner_seconds, m_goodput);
    const auto is_better = [&](const Known &a, const Known &b) {
        return is_less(score(a, step_seconds, 0), score(b, step_seconds, 0));
    };
    Known best;
    for (const OuterSetting &setting : m_settings) {
        const Known bound{.setting = &setting, .run_seconds = just_below * without_stalls};
        if (best.setting != nullptr && m_only_stalls && !is_better(bound, best))
            break;
        plan.outer = setting.outer;
        const Known found{.setting = &setting, .run_seconds = run_seconds(plan, inner_seconds)};
        if (best.setting == nullptr || is_better(found, best))
            best = found;
    }
    return best;
}

Score OuterChoice::score(const Known &known, double step_seconds, double peak_bytes) const {
    return m_scorer.of_run(known.run_seconds, step_seconds, peak_bytes, known.setting->handicap());
}

double OuterChoice::run_seconds(const Plan &plan, double step_seconds) const {
    const double round_seconds = brief_run(plan, m_parameters, step_seconds).round_seconds;
    const double rounds = formula::rounds_of_steps(m_steps, static_cast<double>(plan.outer.inner_steps));
    return formula::run_seconds(formula::all_steps_seconds(rounds, round_seconds), m_goodput);
}

} // namespace meshwright

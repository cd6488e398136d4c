// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/sweeps.h"

#include "plan/outer_symmetry.h"
#include "threads/for_each_index.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace meshwright {
namespace {

constexpr double WidestFactor = 8;
constexpr int HalfSteps = 6; ///< number of values on each side of the plan's value
constexpr std::int64_t MinMostOverlap = 12;
constexpr std::int64_t MaxOverlap = 48;
constexpr std::int64_t SweepRounds = 20;
constexpr double MaxUpdatesOfARound = 1e5; ///< maximum updates per round for which a value is simulated
constexpr double MaxUpdatesOfToday = 4e4; ///< maximum updates per round for which a plan is simulated dozens of times
constexpr double MaxUpdatesOfASample = 2e4; ///< maximum updates per round in a sample of sites
constexpr double MinSites = 48;

/// Number of values on each side of the plan's value; fewer if the plan is slow to simulate.
int halfSteps(const Plan &plan) {
    return is_slow_to_follow(plan) ? HalfSteps / 2 : HalfSteps;
}

/// Values from 1/8 to 8 times the plan's.
std::set<double> around(double today, int halves) {
    std::set<double> values;
    for (int step = -halves; step <= halves; ++step)
        values.insert(today * std::pow(WidestFactor, static_cast<double>(step) / halves));
    return values;
}

std::set<double> wholeAround(double today, int halves) {
    std::set<double> values{today};
    for (const double value : around(today, halves))
        values.insert(std::max(1.0, std::round(value)));
    return values;
}

std::set<double> valuesOf(const SitesQuestion &question, SweepOf of) {
    const Plan &plan = question.plan;
    const bool diloco = plan.outer.method == OuterMethod::diloco || plan.outer.method == OuterMethod::streaming_diloco;
    switch (of) {
    case SweepOf::LinkRate:
        return around(valueOf(plan, of), halfSteps(plan));
    case SweepOf::InnerSteps:
        return diloco ? wholeAround(valueOf(plan, of), halfSteps(plan)) : std::set<double>{};
    case SweepOf::Fragments: {
        if (plan.outer.method != OuterMethod::streaming_diloco)
            return {};
        std::set<double> values = wholeAround(valueOf(plan, of), halfSteps(plan));
        std::erase_if(values,
                      [&](double value) { return updates_of_a_round(planAt(plan, of, value)) > MaxUpdatesOfARound; });
        if (plan.outer.pattern != FragmentPattern::even)
            std::erase_if(values, [&](double value) { return value > static_cast<double>(plan.model.layer_count()); });
        return values;
    }
    case SweepOf::Overlap:
        break;
    }
    if (!diloco)
        return {};
    const OuterGuards guards = outer_guards(plan, question.parameters, question.stepSeconds, nullptr);
    const auto hiding = static_cast<std::int64_t>(std::min(guards.least_overlap_steps + 2, double(MaxOverlap)));
    const std::int64_t most = std::max({MinMostOverlap, hiding, std::min(MaxOverlap, 2 * plan.outer.overlap_steps)});
    std::set<double> values{valueOf(plan, of)};
    std::int64_t apart = most > 24 ? 2 : 1;
    apart *= is_slow_to_follow(plan) ? 2 : 1;
    for (std::int64_t steps = 0; steps <= most; steps += apart)
        values.insert(static_cast<double>(steps));
    return values;
}

double utilisationOf(const SitesQuestion &question, const Plan &plan) {
    return simulate_outer(plan, question.parameters, question.stepSeconds, usual_seed, {.rounds = SweepRounds})
        .utilisation;
}

} // namespace

double valueOf(const Plan &plan, SweepOf of) {
    switch (of) {
    case SweepOf::LinkRate:
        return plan.cluster.wan->uplink_bits_per_second;
    case SweepOf::InnerSteps:
        return static_cast<double>(plan.outer.inner_steps);
    case SweepOf::Fragments:
        return static_cast<double>(plan.outer.fragments);
    case SweepOf::Overlap:
        break;
    }
    return static_cast<double>(plan.outer.overlap_steps);
}

namespace {

constexpr int shownDigits =
    3; ///< significant digits: enough for a curve that is a few hundred pixels wide and spans decades
constexpr int rateDigits = 4; ///< significant digits of link rates that are scaled with the varied uplink rate

double rounded(double value, int digits) {
    if (!(value > 0))
        return value;
    const int exponent = static_cast<int>(std::floor(std::log10(value))) - digits + 1;
    const double power = std::pow(10.0, std::abs(exponent));
    // Divide by an integer power of ten, which keeps the decimal exact.
    return exponent < 0 ? std::round(value * power) / power : std::round(value / power) * power;
}

} // namespace

double shownValue(SweepOf of, double value) {
    return of == SweepOf::LinkRate ? rounded(value, shownDigits) : std::round(value);
}

Plan planAt(const Plan &plan, SweepOf of, double value) {
    Plan changed = plan;
    const auto whole = static_cast<std::int64_t>(std::llround(value));
    switch (of) {
    case SweepOf::LinkRate: {
        Wan &wan = *changed.cluster.wan;
        if (value == wan.uplink_bits_per_second)
            break;
        const double factor = value / wan.uplink_bits_per_second;
        const auto scale = [factor](double &rate) { rate = rounded(rate * factor, rateDigits); };
        scale(wan.downlink_bits_per_second);
        for (WanGroup &group : wan.groups) {
            scale(group.uplink_bits_per_second);
            scale(group.downlink_bits_per_second);
        }
        wan.uplink_bits_per_second = value;
        break;
    }
    case SweepOf::InnerSteps:
        changed.outer.inner_steps = std::max<std::int64_t>(1, whole);
        break;
    case SweepOf::Fragments:
        changed.outer.fragments = std::max<std::int64_t>(1, whole);
        break;
    case SweepOf::Overlap:
        changed.outer.overlap_steps = std::max<std::int64_t>(0, whole);
        break;
    }
    return changed;
}

std::string patchAt(const PlanView &view, SweepOf of, double value) {
    const Plan changed = planAt(view.plan, of, value);
    switch (of) {
    case SweepOf::LinkRate:
        return patchSetting(view, QStringLiteral("/cluster/wan"), to_json(changed.cluster)["wan"]);
    case SweepOf::InnerSteps:
        return patchSetting(view, QStringLiteral("/outer/inner_steps"), changed.outer.inner_steps);
    case SweepOf::Fragments:
        return patchSetting(view, QStringLiteral("/outer/fragments"), changed.outer.fragments);
    case SweepOf::Overlap:
        break;
    }
    return patchSetting(view, QStringLiteral("/outer/overlap_steps"), changed.outer.overlap_steps);
}

SweepsPointer sweepsOf(const SitesQuestion &asked, const std::stop_token &stop) {
    auto all = std::make_shared<Sweeps>();
    all->question = asked;
    const SitesQuestion question = sampleOf(asked, MaxUpdatesOfASample, MinSites);
    all->sites = question.plan.cluster.sites;
    if (!are_alike(question.plan) && updates_of_a_round(question.plan) > MaxUpdatesOfToday)
        return all;
    const double today = utilisationOf(question, question.plan);
    for (const SweepOf of : {SweepOf::LinkRate, SweepOf::InnerSteps, SweepOf::Fragments, SweepOf::Overlap}) {
        Sweep sweep{.of = of, .points = {}, .today = {valueOf(question.plan, of), today}};
        for (const double value : valuesOf(question, of))
            sweep.points.append({value, today});
        QPointF *const points = sweep.points.data();
        const auto simulate = [&](std::size_t place) {
            QPointF &point = points[place];
            if (point.x() != sweep.today.x() && !stop.stop_requested())
                point.setY(utilisationOf(question, planAt(question.plan, of, point.x())));
        };
        if (is_slow_to_follow(question.plan))
            for_each_index(static_cast<std::size_t>(sweep.points.size()), simulate);
        else // sequential, to leave the other cores to the evaluation
            for (std::size_t place = 0; place < static_cast<std::size_t>(sweep.points.size()); ++place)
                simulate(place);
        if (stop.stop_requested())
            return nullptr;
        if (sweep.points.size() > 1)
            all->sweeps.push_back(sweep);
    }
    return all;
}

} // namespace meshwright

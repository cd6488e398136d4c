// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/goal_tries.h"

#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "plan/constraints.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"
#include "plan/runnable.h"
#include "sensitivity/variations.h"
#include "threads/for_each_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace meshwright {

namespace {

bool is_of_the_run(GoalFigure figure) {
    return figure == GoalFigure::days || figure == GoalFigure::cost || figure == GoalFigure::energy
        || figure == GoalFigure::utilisation || figure == GoalFigure::goodput;
}

void make_sites_ideal(Plan &plan) {
    plan.cluster.wan = Wan{.uplink_bits_per_second = plan.cluster.wan->uplink_bits_per_second,
                           .downlink_bits_per_second = plan.cluster.wan->downlink_bits_per_second};
    plan.faults.site_mtbf_seconds.reset();
    plan.faults.site_speed_variation = plan.faults.step_variation = 0;
    plan.aggregation = {};
}

} // namespace

double harm_of(const Result &before, const Result &after) {
    const auto price = [](const Result &of) {
        return of.run.rental_dollars > 0 ? of.run.rental_dollars : of.run.accelerator_hours;
    };
    const double dollars = std::log(price(after) / price(before));
    const double seconds = std::log(after.run.seconds / before.run.seconds);
    return dollars < 0 && seconds < 0 ? dollars + seconds : std::max(0.0, dollars) + std::max(0.0, seconds);
}

GoalTries::GoalTries(const Plan &plan, const Result &before, const Goal &goal, std::vector<GoalSetting> settings,
                     double min_headroom_bytes, std::stop_token stop)
    : m_plan(plan)
    , m_before(before)
    , m_goal(goal)
    , m_settings(std::move(settings))
    , m_min_headroom_bytes(min_headroom_bytes)
    , m_stop(std::move(stop))
    , m_known(goal.figure == GoalFigure::fit ? KnownRuns::standard(plan.own_assumptions()) : nullptr)
    , m_ideal_sites(plan.outer.method != OuterMethod::none && !is_of_the_run(goal.figure) && !are_alike(plan)) { }

const GoalOption &GoalTries::option(ChosenOption chosen) const {
    return m_settings[chosen.setting].options[chosen.option];
}

Plan GoalTries::plan_with(const Combination &chosen) const {
    Plan changed = m_plan;
    for (const ChosenOption one : chosen)
        option(one).apply(changed);
    const Schedule schedule = changed.parallelism.schedule;
    settle_degrees(changed, m_plan);
    // settle_degrees() may have switched between 1F1B and interleaved, but only an option may change the schedule.
    changed.parallelism.schedule = schedule;
    return changed;
}

std::vector<FieldChange> GoalTries::changes(const Combination &chosen) const {
    std::vector<FieldChange> all;
    for (const ChosenOption one : chosen)
        for (const FieldChange &change : option(one).changes)
            all.push_back(change);
    return all;
}

int GoalTries::fields_of(const Combination &chosen) const {
    std::size_t fields = 0;
    for (const ChosenOption one : chosen)
        fields += option(one).changes.size();
    return static_cast<int>(fields);
}

double GoalTries::miss(double figure, double capacity_bytes) const {
    const double miss = miss_of(m_goal, figure);
    return m_goal.figure == GoalFigure::headroom ? miss / capacity_bytes : miss;
}

Try GoalTries::evaluate_one(const Combination &chosen) const {
    Try one{.chosen = chosen, .fields = fields_of(chosen)};
    for (const ChosenOption part : chosen) {
        const GoalSetting &setting = m_settings[part.setting];
        one.distance += option(part).distance;
        one.amount += setting.lower_is_better ? option(part).distance : 0;
        one.has_no_price = one.has_no_price || setting.has_no_price;
    }
    Plan changed = plan_with(chosen);
    if (m_ideal_sites)
        make_sites_ideal(changed);
    if (m_stop.stop_requested() || !check_plan(changed).empty() || !stays_runnable(m_plan, changed))
        return one;
    Result result = evaluate_as_run(changed, Depth::closed_forms);
    if (m_known != nullptr)
        add_evidence(result, *m_known);
    const std::optional<double> figure = figure_of(result, m_goal.figure);
    if (!figure || !std::isfinite(*figure))
        return one;
    one.valid = true;
    one.figure = *figure;
    one.miss = miss(*figure, result.memory.capacity_bytes);
    one.deficit = std::max(0.0, m_min_headroom_bytes - result.verdict.headroom_bytes) / result.memory.capacity_bytes;
    one.harm = harm_of(m_before, result);
    return one;
}

std::vector<Try> GoalTries::evaluated(const std::vector<Combination> &combinations) {
    std::vector<Try> tries(combinations.size());
    for_each_index(combinations.size(), [&](std::size_t i) { tries[i] = evaluate_one(combinations[i]); });
    m_considered += combinations.size();
    std::erase_if(tries, [](const Try &one) { return !one.valid; });
    return tries;
}

Combination GoalTries::towards(const Plan &layout) const {
    const auto values = [](const Plan &plan) {
        std::array<std::int64_t, configuration_field_count> all{};
        for (std::size_t i = 0; i < configuration_field_count; ++i)
            all[i] = value_of(plan, static_cast<ConfigurationField>(i));
        // The comparison ignores data parallelism and sequence parallelism.
        all[static_cast<std::size_t>(ConfigurationField::data)] =
            all[static_cast<std::size_t>(ConfigurationField::sequence_parallel)] = 0;
        return all;
    };
    const auto own = values(m_plan);
    const auto wanted = values(layout);
    const auto leads_there = [&](ChosenOption one) {
        const auto changed = values(plan_with({one}));
        bool moves = false;
        for (std::size_t i = 0; i < configuration_field_count; ++i) {
            if (changed[i] != own[i] && changed[i] != wanted[i])
                return false;
            moves = moves || changed[i] != own[i];
        }
        return moves;
    };
    Combination chosen;
    for (std::size_t setting = 0; setting < m_settings.size(); ++setting)
        for (std::size_t option = 0; option < m_settings[setting].options.size(); ++option) {
            const ChosenOption one{static_cast<std::uint16_t>(setting), static_cast<std::uint16_t>(option)};
            // The option of a schedule also sets its number of chunks.
            const bool further = m_settings[setting].options[option].changes.size() > 1;
            const bool taken = !chosen.empty() && chosen.back().setting == setting;
            if ((!taken || further) && leads_there(one)) {
                if (taken)
                    chosen.pop_back();
                chosen.push_back(one);
            }
        }
    return chosen;
}

std::vector<Try> GoalTries::all_of(int fields) {
    std::vector<ChosenOption> all;
    for (std::size_t setting = 0; setting < m_settings.size(); ++setting)
        for (std::size_t option = 0; option < m_settings[setting].options.size(); ++option)
            all.push_back({static_cast<std::uint16_t>(setting), static_cast<std::uint16_t>(option)});
    std::vector<Combination> combinations;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (fields_of({all[i]}) == fields)
            combinations.push_back({all[i]});
        if (fields < 2)
            continue;
        for (std::size_t j = i + 1; j < all.size(); ++j)
            if (all[j].setting != all[i].setting && fields_of({all[i], all[j]}) == fields)
                combinations.push_back({all[i], all[j]});
    }
    return evaluated(combinations);
}

std::vector<Try> GoalTries::extended(const std::vector<Try> &from, int fields) {
    std::set<Combination> combinations;
    for (const Try &base : from)
        for (std::size_t setting = 0; setting < m_settings.size(); ++setting) {
            const bool taken = std::any_of(base.chosen.begin(), base.chosen.end(),
                                           [&](ChosenOption one) { return one.setting == setting; });
            for (std::size_t option = 0; !taken && option < m_settings[setting].options.size(); ++option) {
                Combination longer = base.chosen;
                longer.push_back({static_cast<std::uint16_t>(setting), static_cast<std::uint16_t>(option)});
                std::sort(longer.begin(), longer.end());
                if (fields_of(longer) == fields)
                    combinations.insert(std::move(longer));
            }
        }
    return evaluated({combinations.begin(), combinations.end()});
}

} // namespace meshwright

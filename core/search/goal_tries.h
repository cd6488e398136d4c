// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidence/similar_runs.h"
#include "search/goal_changes.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace meshwright {

struct ChosenOption {
    std::uint16_t setting = 0;
    std::uint16_t option = 0;
    bool operator==(const ChosenOption &) const = default;
    bool operator<(const ChosenOption &other) const {
        return setting != other.setting ? setting < other.setting : option < other.option;
    }
};
/// Cost of a change in money and time: the sum of the logarithmic increases of rental cost (accelerator-hours if there
/// is no price) and run time, relative to the unchanged plan. A decrease counts only if both decrease; the cost is then
/// negative.
double harm_of(const Result &before, const Result &after);

/// Options of different settings, sorted by setting.
using Combination = std::vector<ChosenOption>;

struct Try {
    Combination chosen;
    int fields = 0;
    bool valid = false;
    double figure = 0;
    double miss = 0; ///< logarithmic distance to the goal; 0 if it is met
    double deficit = 0; ///< missing headroom as a fraction of the capacity; 0 if there is enough
    double amount = 0; ///< total change, in doublings, of the settings for which lower is better
    double harm = 0;
    double distance = 0; ///< total change of all settings, in doublings
    bool has_no_price = false;

    /// Distance from a plan that meets the goal and fits.
    double badness() const { return miss + deficit; }
};

class GoalTries {
public:
    /// @param before  result of the plan
    /// @param min_headroom_bytes  minimum headroom
    GoalTries(const Plan &plan, const Result &before, const Goal &goal, std::vector<GoalSetting> settings,
              double min_headroom_bytes, std::stop_token stop);

    const std::vector<GoalSetting> &settings() const { return m_settings; }
    std::size_t considered() const { return m_considered; }
    const GoalOption &option(ChosenOption chosen) const;
    /// The plan with the combination applied and dependent fields adjusted.
    Plan plan_with(const Combination &chosen) const;
    std::vector<FieldChange> changes(const Combination &chosen) const;

    /// All options and all pairs of options that set `fields` fields (1 or 2).
    std::vector<Try> all_of(int fields);
    /// Combinations in `from`, extended by one option, that set `fields` fields in total.
    std::vector<Try> extended(const std::vector<Try> &from, int fields);
    std::vector<Try> evaluated(const std::vector<Combination> &combinations);
    /// The options that bring the plan closest to a configuration found by the search.
    Combination towards(const Plan &layout) const;
    /// How far a figure of a plan misses the goal, in the unit of Try::miss.
    double miss(double figure, double capacity_bytes) const;

private:
    Try evaluate_one(const Combination &chosen) const;
    int fields_of(const Combination &chosen) const;

    const Plan &m_plan;
    const Result &m_before;
    Goal m_goal;
    std::vector<GoalSetting> m_settings;
    double m_min_headroom_bytes;
    std::stop_token m_stop;
    std::shared_ptr<const KnownRuns> m_known; ///< known runs, needed if the goal is a probability
    /// Whether sites are treated as ideal, because random events affect neither memory nor step time.
    bool m_ideal_sites = false;
    std::size_t m_considered = 0;
};

} // namespace meshwright

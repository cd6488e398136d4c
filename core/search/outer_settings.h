// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/score.h"

#include <map>
#include <mutex>
#include <vector>

namespace meshwright {

/// Each setting of an outer loop is changed only for a run that is shorter by so much: less frequent or coarser
/// synchronisation costs quality, which the length of a run does not show.
inline constexpr double min_outer_gain = 1e-3;

/// One outer loop that a search tries.
struct OuterSetting {
    Outer outer;
    int changes = 0; ///< how many of its settings differ from the plan's own
    /// By what its run counts as longer than it is: `min_outer_gain` for each change.
    double handicap() const;
};
using OuterSettings = std::vector<OuterSetting>;

/// Outer loops that a search tries beside each layout: inner steps, fragments, overlap, bits and density about those of
/// the plan, where the plan stays valid. Those of one group hold the same in memory, which the number of fragments
/// alone changes, and stand by changes, fewest first. The plan's own is the first of the first group.
std::vector<OuterSettings> outer_settings(const Plan &plan);

/// The best outer loop for a layout, of which only the seconds of a step count. Any number of threads may ask.
class OuterChoice {
public:
    /// @param variant  any layout of it
    /// @param settings  at least one, fewest changes first; all hold the same in memory
    OuterChoice(const Plan &variant, const Scorer &scorer, OuterSettings settings);

    struct Best {
        const OuterSetting *setting = nullptr;
        Score score; ///< with its handicap
    };
    /// That of least score by the closed forms, the first of equals.
    Best best(double step_seconds, double peak_bytes) const;
    /// What that one's score is at least, by what has been asked for: a longer step makes the run of no setting
    /// shorter.
    Score lowest_score(double step_seconds, double peak_bytes) const;

private:
    /// The best for a step.
    struct Known {
        const OuterSetting *setting = nullptr;
        double run_seconds = 0;
    };
    Known work_out(double step_seconds) const;
    Score score(const Known &known, double step_seconds, double peak_bytes) const;
    double run_seconds(const Plan &plan, double step_seconds) const;

    const Plan &m_variant;
    Scorer m_scorer;
    OuterSettings m_settings;
    double m_parameters = 0; ///< that are synchronised
    double m_steps = 0;
    double m_goodput = 1;
    bool m_only_stalls = false; ///< no run is shorter than its steps
    mutable std::mutex m_mutex;
    mutable std::map<double, Known> m_known; ///< by seconds of a step
};

} // namespace meshwright

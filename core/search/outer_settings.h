// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/score.h"

#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace meshwright {

/// Each change of an outer-loop setting must shorten the run by this fraction, because less frequent or lower-precision
/// synchronization costs quality, which run time does not show.
inline constexpr double min_outer_gain = 1e-3;

struct OuterSetting {
    Outer outer;
    int changes = 0; ///< number of settings that differ from the plan's
    /// Multiplier on the run time in comparisons: `min_outer_gain` per change.
    double handicap() const;
};
using OuterSettings = std::vector<OuterSetting>;

/// Outer loops to try with each configuration: valid combinations of inner steps, fragments, overlap, bits and density
/// around the plan's. They are grouped by number of fragments, because this number determines their memory. Each group
/// is sorted by number of changes. The plan's own outer loop comes first.
std::vector<OuterSettings> outer_settings(const Plan &plan);

/// Chooses the best outer loop for a configuration. The choice depends only on the step time. Thread-safe.
class OuterChoice {
public:
    /// @param variant  any configuration of the variant
    /// @param settings  at least one, sorted by number of changes, all with the same memory
    OuterChoice(const Plan &variant, const Scorer &scorer, OuterSettings settings);

    struct Best {
        const OuterSetting *setting = nullptr;
        Score score; ///< score that includes the setting's handicap
    };
    /// Setting with the lowest score by closed forms; the first if several are equal.
    Best best(double step_seconds, double peak_bytes) const;
    /// Score of best(), for ranking. If all step times of a range give the same run time, only one of them is
    /// simulated, so the score may differ from that of best() in its last bits.
    Score ranking_score(double step_seconds, double peak_bytes) const;
    /// Lower bound on the score of best(), from earlier calls. It relies on the rule that a longer step never shortens
    /// a run.
    Score lowest_score(double step_seconds, double peak_bytes) const;

private:
    struct Known {
        const OuterSetting *setting = nullptr;
        double run_seconds = 0;
        bool operator==(const Known &) const = default;
    };
    Known known_at(double step_seconds) const;
    /// The best setting at this step time, if it is the same for a range of step times around it.
    std::optional<Known> known_around(double step_seconds) const;
    bool is_throughout(const Known &known, double shortest, double width) const;
    Known work_out(double step_seconds) const;
    Score score(const Known &known, double step_seconds, double peak_bytes) const;
    double run_seconds(const Plan &plan, double step_seconds) const;

    const Plan &m_variant;
    Scorer m_scorer;
    OuterSettings m_settings;
    double m_parameters = 0;
    double m_steps = 0;
    double m_goodput = 1;
    bool m_only_stalls = false; ///< sites can only add stalls, so every run takes at least the sum of its steps
    mutable std::mutex m_mutex;
    mutable std::map<double, Known> m_known; ///< best settings by step time in seconds
};

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/variants.h"

#include <optional>

namespace meshwright {

/// Factor on lower bounds: because of rounding, a lower bound may exceed the bounded value by a few units in the last
/// place.
inline constexpr double just_below = 1 - 1e-9;

/// The figures that rank configurations. Lower is better in each field.
struct Score {
    double objective = 0;
    /// Run time, assuming that the outer loop does not stall. If outer loops or variants are compared, stalls are
    /// included.
    double run_seconds = 0;
    double step_seconds = 0;
    double peak_bytes = 0;
    double dollars = 0;
    double accelerators = 0;
};

/// Compares by the objective, then by run time, then by step time.
inline bool is_less(const Score &a, const Score &b) {
    if (a.objective != b.objective)
        return a.objective < b.objective;
    return a.run_seconds != b.run_seconds ? a.run_seconds < b.run_seconds : a.step_seconds < b.step_seconds;
}

/// Bytes per accelerator that must stay free under the plan's constraints. With Headroom::sure, this is the headroom at
/// which the upper end of the 80% memory interval of the plan's own configuration equals the capacity. All
/// configurations of a search use this one value. Afterwards, `search` checks each listed configuration.
double headroom_bytes(const Plan &plan, const Constraints &constraints);
/// Factor from peak memory to the upper end of its 80% interval.
double sure_memory_factor(const Plan &plan);

/// Calculates a configuration's score from its step time and peak memory. All fields except peak memory grow with step
/// time, so a lower bound on step time gives lower bounds on them.
class Scorer {
public:
    Scorer(const Plan &variant, Objective objective, const Constraints &constraints);

    Score score(double step_seconds, double peak_bytes) const {
        return of_run(step_seconds * m_run_seconds_per_step, step_seconds, peak_bytes);
    }
    /// @param handicap  factor on the run time in comparisons, but not for the deadline
    Score of_run(double run_seconds, double step_seconds, double peak_bytes, double handicap = 1) const {
        const double counted = handicap * run_seconds;
        Score score{.objective = counted,
                    .run_seconds = counted,
                    .step_seconds = step_seconds,
                    .peak_bytes = peak_bytes,
                    .dollars = over_time(counted, m_dollars_per_second),
                    .accelerators = m_accelerators};
        if (m_objective != Objective::time)
            score.objective = objective(score, run_seconds);
        return score;
    }
    bool fits(double peak_bytes) const { return m_capacity - peak_bytes >= m_headroom; }

private:
    /// At a price of 0, any run time costs nothing. Multiplying zero by an infinite run time would give NaN.
    static double over_time(double seconds, double rate) { return rate > 0 ? seconds * rate : 0; }
    double objective(const Score &score, double run_seconds) const;

    Objective m_objective;
    double m_run_seconds_per_step = 1;
    double m_accelerators = 1;
    double m_dollars_per_second = 0;
    double m_joules_per_second = 0;
    double m_tokens = 1;
    double m_capacity = 0;
    double m_headroom = 0;
    std::optional<double> m_deadline;
};

} // namespace meshwright

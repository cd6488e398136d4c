// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "search/variants.h"

#include <optional>

namespace meshwright {

/// What a layout is judged by. Less is better in each.
struct Worth {
    double objective = 0;
    double run_seconds = 0; ///< with an outer loop as if nothing stalled, unless there are variants to compare
    double step_seconds = 0;
    double peak_bytes = 0;
    double dollars = 0;
    double accelerators = 0;
};

/// Turns a step and a peak of one variant's layout into what is judged. All but the peak grow with the step, so that a
/// step that is a bound gives bounds.
class Appraiser {
public:
    Appraiser(const Plan &variant, Objective objective, const Constraints &constraints);

    Worth worth(double step_seconds, double peak_bytes) const {
        return of_run(step_seconds * m_run_seconds_per_step, step_seconds, peak_bytes);
    }
    Worth of_run(double run_seconds, double step_seconds, double peak_bytes) const;
    bool fits(double peak_bytes) const { return m_capacity - peak_bytes >= m_headroom; }

private:
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

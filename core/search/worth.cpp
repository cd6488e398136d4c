// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/worth.h"

#include "catalog/weights.h"
#include "run/run_model.h"

#include <cmath>

namespace meshwright {

Appraiser::Appraiser(const Plan &variant, Objective objective, const Constraints &constraints)
    : m_objective(objective)
    , m_accelerators(static_cast<double>(variant.cluster.accelerators()))
    , m_tokens(variant.run.tokens)
    , m_capacity(variant.cluster.accelerator.memory_bytes)
    , m_headroom(constraints.headroom_bytes)
    , m_deadline(constraints.deadline_seconds) {
    const Parameters parameters = parameters_of(variant.model);
    const double step_tokens = static_cast<double>(variant.batch.global_sequences)
        * static_cast<double>(variant.batch.sequence_length) * static_cast<double>(variant.cluster.sites);
    m_run_seconds_per_step =
        std::ceil(variant.run.tokens / step_tokens) / goodput(variant, parameters.total + parameters.mtp).share;
    m_dollars_per_second = m_accelerators * variant.run.rental_dollars_per_accelerator_hour / 3600;
    m_joules_per_second = m_accelerators * variant.cluster.accelerator.power_watts * variant.run.power_share
        * variant.run.power_usage_effectiveness;
}

namespace {

/// What costs nothing costs nothing however long it takes: no product of zero and infinity.
double over_time(double seconds, double rate) {
    return rate > 0 ? seconds * rate : 0;
}

} // namespace

Worth Appraiser::of_run(double run_seconds, double step_seconds, double peak_bytes) const {
    Worth worth{.objective = run_seconds,
                .run_seconds = run_seconds,
                .step_seconds = step_seconds,
                .peak_bytes = peak_bytes,
                .dollars = over_time(run_seconds, m_dollars_per_second),
                .accelerators = m_accelerators};
    constexpr double late = 1e12; // accelerators that nobody has: what misses the deadline comes last, soonest first
    switch (m_objective) {
    case Objective::time:
        break;
    case Objective::cost:
        worth.objective = worth.dollars;
        break;
    case Objective::accelerators:
        worth.objective = !m_deadline || run_seconds <= *m_deadline ? m_accelerators : late + run_seconds;
        break;
    case Objective::tokens_per_dollar:
        worth.objective = worth.dollars / m_tokens;
        break;
    case Objective::energy:
        worth.objective = over_time(run_seconds, m_joules_per_second);
        break;
    }
    return worth;
}

} // namespace meshwright

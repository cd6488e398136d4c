// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/score.h"

#include "catalog/weights.h"
#include "evidence/similar_runs.h"
#include "run/run_model.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

double sure_memory_factor(const Plan &plan) {
    return KnownRuns::standard(plan.own_assumptions())->memory_interval(plan, MeasuredMemory::allocated).high;
}

double headroom_bytes(const Plan &plan, const Constraints &constraints) {
    const double capacity = plan.cluster.accelerator.memory_bytes;
    const double kept_free = constraints.kept_free_bytes(capacity);
    if (constraints.headroom != Headroom::sure)
        return kept_free;
    return std::max(kept_free, capacity * (1 - 1 / sure_memory_factor(plan)));
}

Scorer::Scorer(const Plan &variant, Objective objective, const Constraints &constraints)
    : m_objective(objective)
    , m_accelerators(static_cast<double>(variant.cluster.accelerators()))
    , m_tokens(variant.run.tokens)
    , m_capacity(variant.cluster.accelerator.memory_bytes)
    , m_headroom(headroom_bytes(variant, constraints))
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

double Scorer::objective(const Score &score, double run_seconds) const {
    constexpr double late = 1e12; // more than exist: configurations that miss the deadline come last, soonest first
    switch (m_objective) {
    case Objective::time:
        break;
    case Objective::cost:
        return score.dollars;
    case Objective::accelerators:
        return !m_deadline || run_seconds <= *m_deadline ? m_accelerators : late + score.run_seconds;
    case Objective::tokens_per_dollar:
        return score.dollars / m_tokens;
    case Objective::energy:
        return over_time(score.run_seconds, m_joules_per_second);
    }
    return score.run_seconds;
}

} // namespace meshwright

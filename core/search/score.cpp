// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/score.h"

#include "catalog/weights.h"
#include "evidence/similar_runs.h"
#include "formulas/plan_figures.h"
#include "run/run_model.h"

#include <algorithm>

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
    const double steps = formula::site_steps(variant.run.tokens,
                                             static_cast<double>(variant.batch.global_sequences)
                                                 * static_cast<double>(variant.batch.sequence_length),
                                             static_cast<double>(variant.cluster.sites));
    m_run_seconds_per_step = formula::run_seconds(steps, goodput(variant, parameters.total + parameters.mtp).share);
    // Cost and energy are proportional to time, so a run of one second gives their rates.
    const double days = formula::days_of_seconds(1);
    m_dollars_per_second =
        formula::rental_dollars(m_accelerators, days, variant.run.rental_dollars_per_accelerator_hour);
    m_joules_per_second = formula::energy_joules(
        m_accelerators, formula::mean_power_watts(variant.cluster.accelerator.power_watts, variant.run.power_share),
        days, variant.run.power_usage_effectiveness);
}

double Scorer::objective(const Score &score, double run_seconds) const {
    // Exceeds any real cost, so that configurations that miss the deadline come last, sorted by run time.
    constexpr double late = 1e12;
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

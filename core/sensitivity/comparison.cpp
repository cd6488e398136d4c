// SPDX-License-Identifier: GPL-3.0-or-later
#include "sensitivity/comparison.h"

#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "explain/explain.h"
#include "input/diagnostic.h"
#include "plan/outer_symmetry.h"
#include "step/plan_pipeline.h"

#include <string>

namespace meshwright {

namespace {

bool is_end_of_interval(std::string_view figure) {
    const std::string name = identifier(figure);
    return name.find("low_") != std::string::npos || name.find("high_") != std::string::npos;
}

bool is_spread(std::string_view name) {
    return name == "outer_utilisation_p10" || name == "outer_utilisation_p90";
}

} // namespace

std::shared_ptr<const KnownRuns> known_runs_for(const Result &result, std::string_view figure) {
    return is_end_of_interval(figure) ? KnownRuns::standard(result.plan.own_assumptions()) : nullptr;
}

Result compared_result(const Plan &plan, const KnownRuns *known) {
    Result result = evaluate_as_run(plan, Depth::comparison);
    if (known != nullptr)
        add_evidence(result, *known);
    return result;
}

std::optional<OuterRuns> brief_runs(const Result &result) {
    if (!result.outer || is_slow_to_follow(result.plan))
        return std::nullopt;
    constexpr std::int64_t runs = 8, rounds = 6;
    return simulate_runs(result.plan, result.parameters.total + result.parameters.mtp, inner_step_seconds(result),
                         usual_seed, runs, {.rounds = rounds});
}

std::optional<Derivation> explained_with(const Result &result, std::string_view figure) {
    const std::string name = identifier(figure);
    if (is_spread(name))
        if (const std::optional<OuterRuns> runs = brief_runs(result))
            return explain(result, *runs);
    if (!name.starts_with("schedule_"))
        return explain(result);
    try {
        return explain(result, simulate_pipeline(result.plan));
    } catch (const InputError &) {
        return std::nullopt; // the pipeline has too many operations to simulate
    }
}

} // namespace meshwright

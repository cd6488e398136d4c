// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/prediction.h"

#include "input/diagnostic.h"
#include "memory/memory_model.h"
#include "step/executed_pipeline.h"
#include "threads/for_each_index.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

double Prediction::memory_bytes(MeasuredMemory kind) const {
    switch (kind) {
    case MeasuredMemory::allocated:
        return allocated_bytes;
    case MeasuredMemory::allocated_on_last_rank:
        return last_allocated_bytes;
    case MeasuredMemory::device:
        return device_bytes;
    case MeasuredMemory::reserved:
    case MeasuredMemory::unknown:
        break;
    }
    return reserved_bytes;
}

Prediction predict(const Plan &plan, double sequences_share, const Assumptions &assumptions) {
    const LayerCosts layers(plan, assumptions);
    const PipelineCosts costs = pipeline_costs(plan, layers);
    Prediction prediction;
    const std::optional<ExecutedOrder> order = executed_order(plan, layers, costs);
    const ExecutedOrder *const executed = order ? &*order : nullptr;
    prediction.step_seconds =
        executed_step_seconds(plan, layers, costs, assumptions, executed, Idle::as_one).total() * sequences_share;
    double needed = 0;
    for (const RankMemory &rank : memory_of_ranks(plan, layers, costs, assumptions, executed)) {
        prediction.last_allocated_bytes =
            rank.total_bytes() - rank.runtime_bytes + plan.cluster.accelerator.workspace_bytes;
        prediction.allocated_bytes = std::max(prediction.allocated_bytes, prediction.last_allocated_bytes);
        if (rank.total_bytes() <= needed)
            continue;
        needed = rank.total_bytes();
        prediction.device_bytes = rank.reserved_bytes;
        prediction.reserved_bytes = rank.reserved_bytes - rank.outside_bytes;
    }
    prediction.fits = needed <= plan.cluster.accelerator.memory_bytes;
    if (!std::isfinite(prediction.step_seconds) || !std::isfinite(needed))
        return {.skipped = "the plan has no finite prediction"};
    return prediction;
}

namespace {

/// A row may have any content. If it gives no valid plan, it is skipped with a reason.
RunPlan plan_or_skip(const MeasuredRun &run, const RunRules &rules, const Library &library) {
    try {
        return plan_of(run, rules, library);
    } catch (const InputError &error) {
        return {.plan = {}, .batch_share = 1, .assumed = {}, .skipped = error.diagnostics().front().message.text};
    }
}

/// If a plan cannot be evaluated, for example with too many stages, only its row is skipped.
Prediction predict_or_skip(const RunPlan &run, const Assumptions &assumptions) {
    if (!run.skipped.empty())
        return {.skipped = run.skipped};
    try {
        return predict(run.plan, run.batch_share, assumptions);
    } catch (const InputError &error) {
        return {.skipped = error.diagnostics().front().message.text};
    }
}

} // namespace

std::vector<Prediction> predict(const std::vector<RunPlan> &plans, const std::map<std::string, double> &overrides) {
    const Assumptions assumptions(overrides);
    std::vector<Prediction> predictions(plans.size());
    for_each_index(plans.size(), [&](std::size_t i) { predictions[i] = predict_or_skip(plans[i], assumptions); });
    return predictions;
}

std::vector<RunPlan> plans_of(const std::vector<MeasuredRun> &runs, const RunRules &rules, const Library &library) {
    std::vector<RunPlan> plans(runs.size());
    for_each_index(runs.size(), [&](std::size_t i) { plans[i] = plan_or_skip(runs[i], rules, library); });
    return plans;
}

} // namespace meshwright

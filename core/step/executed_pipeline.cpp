// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/executed_pipeline.h"

#include "input/diagnostic.h"
#include "step/plan_pipeline.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

bool is_same(double a, double b) {
    constexpr double rounding = 1e-9;
    return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

bool take_the_same(const StageCost &a, const StageCost &b) {
    return is_same(a.cost.whole_forward_seconds(), b.cost.whole_forward_seconds())
        && is_same(a.cost.backward_seconds(), b.cost.backward_seconds())
        && is_same(a.cost.weight_gradient_seconds, b.cost.weight_gradient_seconds);
}

} // namespace

bool closed_forms_hold(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs) {
    if (plan.parallelism.pipeline == 1)
        return true;
    const PipelineShape shape = pipeline_shape(plan, layers, costs, costs.busiest);
    const bool equal_times =
        is_same(shape.forward, shape.input_gradient) && is_same(shape.forward, shape.weight_gradient);
    const ScheduleDefinition &definition = definition_of(plan.parallelism.schedule);
    return definition.forms.bubble != nullptr && shape.hop == 0 && (!definition.forms.needs_equal_times || equal_times)
        && !(definition.pairs_passes && costs.stages.front().cost.expert.total() > 0)
        && std::all_of(costs.stages.begin(), costs.stages.end(),
                       [&](const StageCost &stage) { return take_the_same(stage, costs.stages.front()); });
}

std::optional<ExecutedOrder> executed_order(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs) {
    OrderRequest request = order_request(plan, layers, costs);
    // A varied plan may have less than one microbatch.
    request.microbatches = std::max<std::int64_t>(1, request.microbatches);
    if (request.ranks == 1)
        request.microbatches = std::min(request.microbatches, std::max<std::int64_t>(4, 2 * request.group));
    try {
        return executed_order(request);
    } catch (const InputError &) {
        return {}; // the plan is valid, but has more stages than the schedule's generator supports
    }
}

StepSeconds executed_step_seconds(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                  const Assumptions &assumptions, const ExecutedOrder *order, Idle idle) {
    if (order == nullptr || closed_forms_hold(plan, layers, costs))
        return step_seconds(plan, layers, costs, assumptions);
    StepSeconds step = step_seconds(plan, layers, costs, assumptions, SpanBubble::left_out);
    const StepSeconds last = step_of_longest_unoverlapped(plan, layers, costs, assumptions);
    step.data = last.data;
    step.optimizer = last.optimizer;
    step.apart_rank = last.rank;
    PipelineWork work = pipeline_work(plan, layers, costs, {}, assumptions);
    const PipelineTimes times = pipeline_times(*order, work);
    double without_sends = times.makespan;
    if (idle == Idle::split) {
        work.hop_latency_seconds = work.hop_transfer_seconds = 0;
        without_sends = pipeline_times(*order, work).makespan;
    }
    // Busy time of the rank to which the step's terms apply.
    const double busy = step.makespan - step.bubble - step.pipeline;
    step.closed_form_makespan = step.makespan;
    step.bubble = std::max(0.0, without_sends - busy);
    step.pipeline = std::max(0.0, times.makespan - without_sends);
    step.makespan = busy + step.bubble + step.pipeline;
    step.idle = times.makespan - times.ideal;
    step.span_idle = times.span - times.ideal;
    return step;
}

namespace {

IdleShares closed_form_idle(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                            const Assumptions &assumptions) {
    const StepSeconds step = step_seconds(plan, layers, costs, assumptions, SpanBubble::left_out);
    if (!(step.makespan > 0))
        return {};
    const double straggler = straggler_of<double>(plan, assumptions);
    double busy = 0;
    for (const RankCost &rank : costs.ranks)
        busy += passes_of_rank(plan, rank.cost, straggler, pairing_of(plan)).total();
    busy /= static_cast<double>(costs.ranks.size());
    const double idle = std::max(0.0, step.makespan - busy);
    return {.warm_up_and_drain = std::min(step.bubble, idle) / step.makespan,
            .imbalance = std::max(0.0, idle - step.bubble - step.pipeline) / step.makespan,
            .sends = std::min(step.pipeline, std::max(0.0, idle - step.bubble)) / step.makespan};
}

} // namespace

IdleShares idle_of_ranks(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, const ExecutedOrder *order) {
    if (plan.parallelism.pipeline == 1)
        return {};
    return order == nullptr ? closed_form_idle(plan, layers, costs, assumptions)
                            : idle_shares(*order, pipeline_work(plan, layers, costs, {}, assumptions));
}

} // namespace meshwright

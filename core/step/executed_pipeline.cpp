// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/executed_pipeline.h"

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

/// Forward, input gradient and weight gradient of every stage and microbatch.
double most_operations_of(const Plan &plan) {
    constexpr double operations_each = 3;
    return operations_each * static_cast<double>(plan.microbatches()) * static_cast<double>(plan.parallelism.pipeline)
        * static_cast<double>(plan.parallelism.chunks);
}

} // namespace

bool closed_forms_hold(const Plan &plan) {
    if (plan.parallelism.pipeline == 1)
        return true;
    const Assumptions assumptions(plan.assumptions);
    const LayerCosts layers(plan, assumptions);
    const PipelineCosts costs = pipeline_costs(plan, layers);
    const PipelineShape shape = pipeline_shape(plan, layers, costs, costs.busiest);
    const bool equal_times =
        is_same(shape.forward, shape.input_gradient) && is_same(shape.forward, shape.weight_gradient);
    const bool pairs =
        plan.parallelism.schedule == Schedule::dualpipe || plan.parallelism.schedule == Schedule::dualpipe_v;
    return shape.hop == 0 && (!needs_equal_times(shape.schedule) || equal_times)
        && !(pairs && costs.stages.front().cost.expert.total() > 0)
        && std::all_of(costs.stages.begin(), costs.stages.end(),
                       [&](const StageCost &stage) { return take_the_same(stage, costs.stages.front()); });
}

std::optional<ExecutedPipeline> executed_pipeline(const Plan &plan) {
    if (most_operations_of(plan) > static_cast<double>(most_executed_operations))
        return {};
    const Assumptions assumptions(plan.assumptions);
    const LayerCosts layers(plan, assumptions);
    const PipelineCosts costs = pipeline_costs(plan, layers);
    const OperationOrder order = operation_order(order_request(plan, layers, costs));
    const PipelineTimes times = pipeline_times(order, pipeline_work(plan, layers, costs, {}, assumptions));
    const double idle = times.makespan - times.ideal;
    return ExecutedPipeline{.makespan_seconds = times.makespan,
                            .bubble_of_ideal = times.ideal > 0 ? idle / times.ideal : 0,
                            .bubble_of_total = times.makespan > 0 ? idle / times.makespan : 0,
                            .bubble_of_span = times.span > 0 ? (times.span - times.ideal) / times.span : 0};
}

} // namespace meshwright

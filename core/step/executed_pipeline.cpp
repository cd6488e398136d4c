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

std::optional<OperationOrder> executed_order(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs) {
    OrderRequest request = order_request(plan, layers, costs);
    request.microbatches = std::max<std::int64_t>(1, request.microbatches); // a variation may have part of one
    if (request.ranks == 1)
        request.microbatches = std::min(request.microbatches, std::max<std::int64_t>(4, 2 * request.group));
    else if (most_operations_of(plan) > static_cast<double>(most_executed_operations))
        return {};
    return operation_order(request);
}

namespace {

/// A pipeline that is longer than what is executed for a result: two that are shorter by whole rounds of its schedule
/// are executed, and go on as between them. Nothing where even the shorter one is too long, or one round is.
class Continued {
public:
    Continued(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs)
        : m_request(order_request(plan, layers, costs)) {
        const std::int64_t all = m_request.microbatches;
        // Both directions take an even number, Chimera units of as many as stages, interleaving its groups.
        const std::int64_t round = definition_of(plan.parallelism.schedule).takes_groups
            ? std::max<std::int64_t>(1, m_request.group)
            : 2 * m_request.ranks;
        const double each = most_operations_of(plan) / static_cast<double>(std::max<std::int64_t>(1, all));
        const auto most = static_cast<std::int64_t>(static_cast<double>(most_executed_operations) / each);
        m_long = all - (std::max<std::int64_t>(0, all - most) + round - 1) / round * round;
        m_short = m_long - std::max<std::int64_t>(1, m_long / (2 * round)) * round;
    }

    bool is_possible() const { return m_short >= 2 * m_request.ranks; }

    PipelineTimes times(const PipelineWork &work) {
        const PipelineTimes behind = times(work, m_long);
        const PipelineTimes before = times(work, m_short);
        const double rest =
            static_cast<double>(m_request.microbatches - m_long) / static_cast<double>(m_long - m_short);
        const auto go_on = [&](double PipelineTimes::*time) {
            return behind.*time + rest * (behind.*time - before.*time);
        };
        return {.makespan = go_on(&PipelineTimes::makespan),
                .step_seconds = go_on(&PipelineTimes::step_seconds),
                .span = go_on(&PipelineTimes::span),
                .ideal = go_on(&PipelineTimes::ideal)};
    }

private:
    PipelineTimes times(const PipelineWork &work, std::int64_t microbatches) const {
        OrderRequest request = m_request;
        request.microbatches = microbatches;
        return pipeline_times(operation_order(request), work);
    }

    OrderRequest m_request;
    std::int64_t m_long = 0;
    std::int64_t m_short = 0;
};

} // namespace

StepSeconds executed_step_seconds(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                  const Assumptions &assumptions, const OperationOrder *order, Idle idle) {
    if (closed_forms_hold(plan, layers, costs))
        return step_seconds(plan, layers, costs, assumptions);
    std::optional<Continued> continued;
    if (order == nullptr) {
        continued.emplace(plan, layers, costs);
        if (!continued->is_possible())
            return step_seconds(plan, layers, costs, assumptions);
    }
    const auto execute = [&](const PipelineWork &work) {
        return continued ? continued->times(work) : pipeline_times(*order, work);
    };
    StepSeconds step = step_seconds(plan, layers, costs, assumptions, SpanBubble::left_out);
    PipelineWork work = pipeline_work(plan, layers, costs, {}, assumptions);
    const PipelineTimes times = execute(work);
    double without_sends = times.makespan;
    if (idle == Idle::taken_apart) {
        work.hop_latency_seconds = work.hop_transfer_seconds = 0;
        without_sends = execute(work).makespan;
    }
    const double busy = step.makespan - step.bubble - step.pipeline; // of the rank whose terms these are
    step.closed_form_makespan = step.makespan;
    step.bubble = std::max(0.0, without_sends - busy);
    step.pipeline = std::max(0.0, times.makespan - without_sends);
    step.makespan = busy + step.bubble + step.pipeline;
    step.idle = times.makespan - times.ideal;
    step.span_idle = times.span - times.ideal;
    return step;
}

} // namespace meshwright

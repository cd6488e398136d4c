// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/bounds.h"

#include "formulas/step_terms.h"

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

LayerCost share_of(const LayerCost &all, double ranks) {
    LayerCost mean = all;
    for (double *value : {&mean.forward_seconds, &mean.input_gradient_seconds, &mean.weight_gradient_seconds,
                          &mean.recompute_seconds, &mean.saved_bytes, &mean.parameters.dense, &mean.parameters.experts})
        *value /= ranks;
    for (ExposedSeconds *exposed : {&mean.tensor, &mean.context, &mean.expert})
        *exposed = {exposed->forward / ranks, exposed->backward / ranks, exposed->recompute / ranks};
    return mean;
}

void set_schedule(Plan &plan, Schedule schedule, std::int64_t chunks) {
    plan.parallelism.schedule = schedule;
    plan.parallelism.chunks = chunks;
}

bool has_layers_without_experts(const Model &model) {
    return std::any_of(model.blocks.begin(), model.blocks.end(),
                       [](const Block &block) { return !std::holds_alternative<Experts>(block.transform); });
}

/// What starting the collectives over routed experts' weights adds to a step at most.
double start_seconds(const Plan &plan, const LayerCosts &layers) {
    constexpr double nothing = 1e-30; // bytes
    const double a = std::max(layers.network().all_gather_seconds(layers.groups().expert_data, nothing),
                              layers.network().all_reduce_seconds(layers.groups().expert_data, nothing));
    const auto microbatches = static_cast<double>(plan.microbatches());
    switch (plan.parallelism.zero_stage) {
    case 0:
        return a;
    case 1:
        return 3 * a;
    case 2:
        return (2 * microbatches + 1) * a;
    default:
        return 8 * microbatches * a;
    }
}

} // namespace

LayerCost cost_of_all_layers(Plan &plan, const LayerCosts &layers, bool recomputed) {
    const std::int64_t pipeline = plan.parallelism.pipeline;
    const RecomputeMode mode = plan.recompute.mode;
    plan.parallelism.pipeline = 1;
    plan.parallelism.layout.clear();
    set_schedule(plan, Schedule::one_f_one_b, 1);
    plan.recompute.mode = recomputed ? RecomputeMode::full : RecomputeMode::none;
    const LayerCost all = pipeline_costs(plan, layers).ranks.front().cost;
    plan.parallelism.pipeline = pipeline;
    plan.recompute.mode = mode;
    return all;
}

double least_step_seconds(const Plan &plan, const LayerCost &all, const Assumptions &assumed, bool admits_paired) {
    const double shares = static_cast<double>(plan.batch.global_sequences)
        * static_cast<double>(plan.parallelism.tensor * plan.parallelism.context)
        / (static_cast<double>(plan.site_accelerators()) * static_cast<double>(plan.batch.micro_sequences));
    const double straggler = formula::straggler_factor(assumed[ConstantId::straggler_per_doubling],
                                                       static_cast<double>(plan.site_accelerators()));
    const double rest =
        (all.compute_seconds() + all.recompute_seconds) * straggler + all.tensor.total() + all.context.total();
    // Beside another microbatch's computation expert traffic is hidden, or hides the computation.
    const double expert = all.expert.total();
    return shares * (admits_paired ? std::max(rest, expert) : rest + expert);
}

MeanPipeline::MeanPipeline(Plan &plan, const LayerCosts &layers, const LayerCost &all, const Assumptions &assumed)
    : m_overlaps_sends(plan.stack.overlaps_pipeline_sends) {
    m_mean.ranks.push_back({.stages = {}, .cost = share_of(all, static_cast<double>(plan.parallelism.pipeline))});
    plan.parallelism.zero_stage = 0;
    plan.parallelism.shard_group.reset();
    set_schedule(plan, Schedule::one_f_one_b, 1);
    const StepSeconds step = step_seconds(plan, layers, m_mean, assumed, SpanBubble::left_out);
    m_busy_paired = step.compute + step.recompute + step.tensor + step.context;
    m_busy = m_busy_paired + step.expert;
    m_shape = pipeline_shape(plan, layers, m_mean, 0);
    const ExposedSeconds expert = std::exchange(m_mean.ranks.front().cost.expert, {});
    m_paired = pipeline_shape(plan, layers, m_mean, 0);
    m_mean.ranks.front().cost.expert = expert;
}

/// Gradients, weights and optimizer depend on the schedule only by the window beside which they are sent (one chunk or
/// several), by how often gradients are reduced (least often of all: once) and by the copies of a stage.
void MeanPipeline::gradients_and_optimizer(Plan &plan, const LayerCosts &layers, const Assumptions &assumed,
                                           const Shardings &shardings, const ScheduleChoices &schedules) {
    std::array<bool, kinds> asked{};
    for (const ScheduleChoice &choice : schedules)
        asked[kind_of(choice)] = true;
    RankParameters &parameters = m_mean.ranks.front().cost.parameters;
    const bool mixed = parameters.experts > 0 && has_layers_without_experts(plan.model);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        if (!asked[kind])
            continue;
        constexpr std::array<Schedule, kinds> typical{Schedule::one_f_one_b, Schedule::interleaved, Schedule::chimera,
                                                      Schedule::looped_bfs};
        set_schedule(plan, typical[kind], kind % 2 == 1 ? 2 : 1);
        plan.parallelism.group.reset();
        const RankParameters once = parameters;
        if (kind == 2)
            parameters += once; // both directions' stages
        for (const auto &[stage, group] : shardings) {
            plan.parallelism.zero_stage = stage;
            plan.parallelism.shard_group = group > 0 ? std::optional(group) : std::nullopt;
            m_apart[kind].push_back(std::max(0.0,
                                             apart_seconds(plan, layers, m_mean.ranks.front(), assumed)
                                                 - (mixed ? start_seconds(plan, layers) : 0)));
        }
        parameters = once;
    }
}

std::size_t MeanPipeline::kind_of(const ScheduleChoice &choice) {
    if (runs_both_ways(choice.schedule))
        return 2;
    const ScheduleDefinition &definition = definition_of(choice.schedule);
    if (choice.chunks == 1 || definition.cuts_sequences)
        return 0;
    return definition.forward_first || choice.group > 0 ? 3 : 1; // reduces its gradients once
}

double MeanPipeline::least_pipeline_seconds(const ScheduleChoice &choice) const {
    const bool paired = definition_of(choice.schedule).pairs_passes;
    PipelineShape shape = paired ? m_paired : m_shape;
    shape.schedule = choice.schedule;
    shape.chunks = choice.chunks;
    return (paired ? m_busy_paired : m_busy) + bubble_seconds(shape) + send_seconds(shape, m_overlaps_sends);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/bounds.h"

#include "formulas/pipeline.h"
#include "formulas/step_terms.h"
#include "memory/memory_model.h"

#include <algorithm>
#include <limits>

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

bool is_paired(Schedule schedule) {
    return schedule == Schedule::dualpipe || schedule == Schedule::dualpipe_v;
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

MeanPipeline::MeanPipeline(Plan &plan, const LayerCosts &layers, const LayerCost &all, const Assumptions &assumed,
                           const Shardings &shardings)
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
    gradients_and_optimizer(plan, layers, assumed, shardings);
}

/// Gradients, weights and optimizer depend on the schedule only by the window beside which they are sent (one chunk or
/// several) and by the copies of a stage.
void MeanPipeline::gradients_and_optimizer(Plan &plan, const LayerCosts &layers, const Assumptions &assumed,
                                           const Shardings &shardings) {
    RankParameters &parameters = m_mean.ranks.front().cost.parameters;
    const bool mixed = parameters.experts > 0 && has_layers_without_experts(plan.model);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        set_schedule(plan,
                     kind == 0       ? Schedule::one_f_one_b
                         : kind == 1 ? Schedule::interleaved
                                     : Schedule::chimera,
                     kind == 1 ? 2 : 1);
        const RankParameters once = parameters;
        if (kind == 2)
            parameters += once; // both directions' stages
        for (const auto &[stage, group] : shardings) {
            plan.parallelism.zero_stage = stage;
            plan.parallelism.shard_group = group > 0 ? std::optional(group) : std::nullopt;
            const StepSeconds step = step_seconds(plan, layers, m_mean, assumed, SpanBubble::left_out);
            m_apart[kind].push_back(
                std::max(0.0, step.data + step.optimizer - (mixed ? start_seconds(plan, layers) : 0)));
        }
        parameters = once;
    }
}

std::size_t MeanPipeline::kind_of(const ScheduleChoice &choice) {
    if (choice.schedule == Schedule::dualpipe || choice.schedule == Schedule::chimera)
        return 2;
    return choice.chunks > 1 && choice.schedule != Schedule::seq1f1b ? 1 : 0;
}

double MeanPipeline::least_pipeline_seconds(const ScheduleChoice &choice) const {
    const bool paired = is_paired(choice.schedule);
    PipelineShape shape = paired ? m_paired : m_shape;
    shape.schedule = choice.schedule;
    shape.chunks = choice.chunks;
    return (paired ? m_busy_paired : m_busy) + bubble_seconds(shape) + send_seconds(shape, m_overlaps_sends);
}

LeanRank::LeanRank(const Plan &plan, const LayerCosts &layers, const LayerCost &all, RecomputeMode recompute)
    : m_all_parameters(all.parameters) {
    constexpr double most = std::numeric_limits<double>::max();
    m_parameters = {.dense = most, .experts = most};
    m_saved_bytes = m_largest_parameters = m_working.bytes = most;
    const auto lower = [](double &value, double other) { value = std::min(value, other); };
    for (std::size_t i = 0; i < plan.model.blocks.size(); ++i) {
        const BlockCost &block = layers.of_block(i);
        lower(m_parameters.dense, block.stored.parameters.dense);
        lower(m_parameters.experts, block.stored.parameters.experts);
        lower(m_largest_parameters, block.stored.parameters.total());
        if (recompute != RecomputeMode::full) {
            lower(m_saved_bytes, block.stored.saved_bytes);
            lower(m_working.bytes, block.stored_working.bytes);
        }
        if (recompute == RecomputeMode::full || recompute == RecomputeMode::layers) {
            lower(m_saved_bytes, block.recomputed.saved_bytes);
            lower(m_working.bytes, block.recomputed_working.bytes);
        }
    }
    m_costs.stages.resize(1);
    m_costs.ranks.resize(1);
}

double LeanRank::first_rank_bytes(const Plan &plan, const LayerCosts &layers, const ScheduleChoice &choice,
                                  const Assumptions &assumed) {
    const std::int64_t stages = plan.virtual_stages();
    const std::int64_t fewest = choice.balance == Balance::even
        ? plan.model.layer_count() / stages
        : std::max<std::int64_t>(0, plan.model.layer_count() / stages - 1);
    const auto held = static_cast<double>(fewest);
    StageCost &stage = m_costs.stages.front();
    stage.cost.saved_bytes = held * m_saved_bytes;
    stage.largest_layer_parameters = fewest > 0 ? m_largest_parameters : 0;
    stage.working = fewest > 0 ? &m_working : nullptr;
    RankCost &rank = m_costs.ranks.front();
    const bool both = choice.schedule == Schedule::dualpipe || choice.schedule == Schedule::chimera;
    const std::int64_t parts = both && plan.parallelism.pipeline > 1 ? 2 : plan.layer_chunks();
    rank.stages.assign(static_cast<std::size_t>(parts), 0);
    const double layers_held = held * static_cast<double>(parts);
    rank.cost.parameters = {.dense = layers_held * m_parameters.dense, .experts = layers_held * m_parameters.experts};
    const double chunks =
        formula::chunks_in_flight(static_cast<double>(choice.schedule), static_cast<double>(plan.parallelism.pipeline),
                                  static_cast<double>(plan.microbatches()), static_cast<double>(choice.chunks),
                                  static_cast<double>(choice.group > 0 ? choice.group : plan.parallelism.pipeline), 0);
    return rank_peak_bytes(plan, layers, m_costs, assumed, 0,
                           std::max<std::int64_t>(1, static_cast<std::int64_t>(chunks)));
}

double LeanRank::least_bytes(const Plan &plan, const LayerCosts &layers, const Assumptions &assumed) const {
    const double share = 1 / static_cast<double>(plan.parallelism.pipeline);
    PipelineCosts empty;
    empty.stages.resize(1);
    empty.ranks.resize(1);
    empty.ranks.front().stages = {0};
    return rank_peak_bytes(plan, layers, empty, assumed, 0, 1)
        + device_state_bytes(plan,
                             {.dense = m_all_parameters.dense * share, .experts = m_all_parameters.experts * share});
}

double LeanRank::mean_rank_bytes(const Plan &plan, const LayerCosts &layers, const ScheduleChoice &choice,
                                 const Assumptions &assumed) const {
    const double copies = choice.schedule == Schedule::dualpipe || choice.schedule == Schedule::chimera ? 2 : 1;
    const double share = plan.parallelism.pipeline > 1 ? copies / static_cast<double>(plan.parallelism.pipeline) : 1;
    const RankParameters mean{.dense = m_all_parameters.dense * share, .experts = m_all_parameters.experts * share};
    return rank_peak_bytes(plan, layers, m_costs, assumed, 0, 1)
        - device_state_bytes(plan, m_costs.ranks.front().cost.parameters) + device_state_bytes(plan, mean);
}

} // namespace meshwright

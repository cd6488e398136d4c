// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/rank_memory_bound.h"

#include "formulas/pipeline.h"
#include "memory/memory_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshwright {

namespace {

/// Number of chunks in flight with the plan's schedule.
std::int64_t chunks_of_rank(const Plan &plan, std::int64_t rank) {
    const Parallelism &parallelism = plan.parallelism;
    const double held = formula::chunks_in_flight(
        static_cast<double>(parallelism.schedule), static_cast<double>(parallelism.pipeline),
        static_cast<double>(plan.microbatches()), static_cast<double>(parallelism.chunks),
        static_cast<double>(parallelism.group.value_or(parallelism.pipeline)), static_cast<double>(rank));
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(held));
}

double chunks_of_first_rank(const Plan &plan, const ScheduleChoice &choice) {
    const double held =
        formula::chunks_in_flight(static_cast<double>(choice.schedule), static_cast<double>(plan.parallelism.pipeline),
                                  static_cast<double>(plan.microbatches()), static_cast<double>(choice.chunks),
                                  static_cast<double>(choice.group > 0 ? choice.group : plan.parallelism.pipeline), 0);
    return std::max(1.0, std::floor(held));
}

} // namespace

ActivationBound activation_bound(const Plan &plan, const ScheduleChoice &choice) {
    const bool sliced = definition_of(choice.schedule).cuts_sequences;
    const std::int64_t stages = plan.parallelism.pipeline * (sliced ? 1 : choice.chunks);
    const std::int64_t even = plan.model.layer_count() / stages;
    const std::int64_t fewest = plan.stack.balances_stages ? 0
        : choice.balance == Balance::even                  ? even
                                                           : std::max<std::int64_t>(0, even - 1);
    const double slices = sliced ? static_cast<double>(choice.chunks) : 1;
    double parts = sliced ? 1 : static_cast<double>(choice.chunks);
    if (runs_both_ways(choice.schedule) && plan.parallelism.pipeline > 1)
        parts = 2;
    const auto layers = static_cast<double>(fewest);
    return {.layers = layers * parts,
            .in_flight = layers * chunks_of_first_rank(plan, choice) / slices,
            .at_once = layers / slices,
            .slices = slices > 1};
}

ActivationBound activation_bound(const Plan &plan, const ScheduleChoices &schedules) {
    ActivationBound least = activation_bound(plan, schedules.front());
    for (const ScheduleChoice &choice : schedules) {
        const ActivationBound held = activation_bound(plan, choice);
        least = {.layers = std::min(least.layers, held.layers),
                 .in_flight = std::min(least.in_flight, held.in_flight),
                 .at_once = std::min(least.at_once, held.at_once),
                 .slices = least.slices || held.slices};
    }
    return least;
}

const ActivationBound &ActivationBoundTable::activation_bound(const Plan &plan, const ScheduleChoices &schedules) {
    auto found = m_known.find(&schedules);
    if (found == m_known.end())
        found = m_known.emplace(&schedules, meshwright::activation_bound(plan, schedules)).first;
    return found->second;
}

RankMemoryBound::RankMemoryBound(const Plan &plan, const LayerCosts &layers, const LayerCost &all,
                                 RecomputeMode recompute)
    : m_recompute(recompute)
    , m_all_parameters(all.parameters) {
    constexpr double most = std::numeric_limits<double>::max();
    m_parameters = {.dense = most, .experts = most};
    m_saved_bytes = m_sharded_unit = m_working.bytes = most;
    const auto lower = [](double &value, double other) { value = std::min(value, other); };
    for (std::size_t i = 0; i < plan.model.blocks.size(); ++i) {
        const BlockCost &block = layers.of_block(i);
        lower(m_parameters.dense, block.stored.parameters.dense);
        lower(m_parameters.experts, block.stored.parameters.experts);
        lower(m_sharded_unit, block.sharded_unit);
        m_frees = m_frees && block.recomputed.saved_bytes <= block.stored.saved_bytes;
        if (recompute != RecomputeMode::full) {
            lower(m_saved_bytes, block.stored.saved_bytes);
            lower(m_working.bytes, block.stored_working.bytes);
        }
        if (recompute == RecomputeMode::full || recompute == RecomputeMode::layers) {
            lower(m_saved_bytes, block.recomputed.saved_bytes);
            lower(m_working.bytes, block.recomputed_working.bytes);
        }
    }
    m_sums.reserve(static_cast<std::size_t>(plan.model.layer_count()) + 1);
    m_sums.push_back({});
    for (const LayerRun &run : plan.model.layers)
        for (std::int64_t i = 0; i < run.count; ++i) {
            const BlockCost &block = layers.of_block(static_cast<std::size_t>(run.block));
            m_sums.back().block = static_cast<std::size_t>(run.block);
            Sums sums = m_sums.back();
            sums.stored += block.stored.saved_bytes;
            sums.recomputed += block.recomputed.saved_bytes;
            sums.least += std::min(block.stored.saved_bytes, block.recomputed.saved_bytes);
            sums.seconds += block.recomputed.recompute_seconds - block.stored.recompute_seconds;
            sums.parameters += block.stored.parameters;
            m_sums.push_back(sums);
        }
    m_costs.stages.resize(1);
    m_costs.ranks.resize(1);
}

double RankMemoryBound::saved_bytes(std::int64_t from, std::int64_t to, std::int64_t recomputed) const {
    const Sums &first = m_sums[static_cast<std::size_t>(from)];
    const Sums &last = m_sums[static_cast<std::size_t>(to)];
    if (m_recompute == RecomputeMode::full)
        return last.recomputed - first.recomputed;
    if (m_recompute != RecomputeMode::layers)
        return last.stored - first.stored;
    if (!m_frees)
        return last.least - first.least;
    const Sums &middle = m_sums[static_cast<std::size_t>(std::min(to, from + recomputed))];
    return middle.recomputed - first.recomputed + last.stored - middle.stored;
}

/// Working memory and parameters of the first layer of a stage: a lower bound for the first rank.
void RankMemoryBound::hold_working(const Plan &plan, const LayerCosts &layers, std::int64_t layer,
                                   std::int64_t recomputed, EndMemory &held) const {
    const BlockCost &block = layers.of_block(m_sums[static_cast<std::size_t>(layer)].block);
    const bool again = m_recompute == RecomputeMode::full || (m_recompute == RecomputeMode::layers && recomputed > 0);
    const WorkingSet &working = again ? block.recomputed_working : block.stored_working;
    held.sharded_unit = std::max(held.sharded_unit, block.sharded_unit);
    if (!plan.cuts_sequences() && (held.working == nullptr || held.working->bytes < working.bytes))
        held.working = &working;
}

void RankMemoryBound::hold_stage(const Plan &plan, const LayerCosts &layers, const StageRuns &runs, std::size_t stage,
                                 std::int64_t recomputed, EndMemory &held) const {
    const std::int64_t from = runs.first_layer(stage);
    const std::int64_t to = runs.first_layer(stage + 1);
    if (from < to) {
        held.saved_bytes += saved_bytes(from, to, recomputed);
        const RankParameters &before = m_sums[static_cast<std::size_t>(from)].parameters;
        const RankParameters &after = m_sums[static_cast<std::size_t>(to)].parameters;
        held.parameters += {.dense = after.dense - before.dense, .experts = after.experts - before.experts};
        hold_working(plan, layers, from, recomputed, held);
    }
    if (stage == 0) {
        held.saved_bytes += layers.embedding().saved_bytes;
        held.parameters += layers.embedding().parameters;
    }
    if (stage + 2 == runs.first.size()) {
        held.holds_head = true;
        held.saved_bytes += layers.head().saved_bytes;
        held.parameters += layers.head().parameters;
        for (std::int64_t module = 0; module < plan.model.mtp_layers; ++module)
            held.parameters += layers.prediction_module().parameters;
    }
}

void RankMemoryBound::forget_ends() {
    for (std::array<EndMemory, 2> &ends : m_ends)
        for (EndMemory &end : ends)
            end.is_known = false;
}

const RankMemoryBound::EndMemory &RankMemoryBound::memory_at(const Plan &plan, const LayerCosts &layers,
                                                             const StageRuns &runs, End end, std::int64_t recomputed) {
    if (m_ends.size() <= runs.index)
        m_ends.resize(runs.index + 1);
    EndMemory &held = m_ends[runs.index][end == End::first ? 0 : 1];
    if (held.is_known && held.recomputed == recomputed && held.slices == plan.cuts_sequences())
        return held;
    held = {.is_known = true, .recomputed = recomputed, .slices = plan.cuts_sequences(), .parameters = {}};
    const std::vector<StagePlace> &stages = end == End::first ? runs.of_first_rank : runs.of_last_rank;
    for (const StagePlace stage : stages)
        hold_stage(plan, layers, runs, stage, recomputed, held);
    held.saved_bytes /= static_cast<double>(stages.size());
    return held;
}

double RankMemoryBound::end_rank_bytes(const Plan &plan, const LayerCosts &layers, const StageRuns &runs, End end,
                                       std::int64_t recomputed, const Assumptions &assumed) {
    const EndMemory &held = memory_at(plan, layers, runs, end, recomputed);
    StageCost &stage = m_costs.stages.front();
    stage.cost.saved_bytes = held.saved_bytes;
    stage.working = held.working;
    stage.sharded_unit = held.sharded_unit;
    stage.holds_head = held.holds_head;
    RankCost &rank = m_costs.ranks.front();
    rank.cost.parameters = held.parameters;
    rank.stages.assign((end == End::first ? runs.of_first_rank : runs.of_last_rank).size(), 0);
    return rank_peak_bytes(plan, layers, m_costs, assumed, 0,
                           chunks_of_rank(plan, end == End::first ? 0 : plan.parallelism.pipeline - 1));
}

double RankMemoryBound::recompute_seconds(const StageRuns &runs, const std::vector<StagePlace> &stages,
                                          std::int64_t recomputed) const {
    double seconds = 0;
    for (const StagePlace stage : stages) {
        const std::int64_t from = runs.first_layer(stage);
        seconds += m_sums[static_cast<std::size_t>(std::min(runs.first_layer(stage + 1), from + recomputed))].seconds
            - m_sums[static_cast<std::size_t>(from)].seconds;
    }
    return runs.both_ways ? seconds / 2 : seconds;
}

void RankMemoryBound::hold(const ActivationBound &held, double layers_in_flight) {
    const bool any = held.layers > 0;
    StageCost &stage = m_costs.stages.front();
    stage.cost.saved_bytes = layers_in_flight * m_saved_bytes;
    stage.sharded_unit = any ? m_sharded_unit : 0;
    stage.working = any && !held.slices ? &m_working : nullptr;
    stage.holds_head = false;
    RankCost &rank = m_costs.ranks.front();
    rank.stages.assign(1, 0);
    rank.cost.parameters = {.dense = held.layers * m_parameters.dense, .experts = held.layers * m_parameters.experts};
}

double RankMemoryBound::min_first_rank_bytes(const Plan &plan, const LayerCosts &layers, const ActivationBound &held,
                                             const Assumptions &assumed) {
    hold(held, held.in_flight);
    return rank_peak_bytes(plan, layers, m_costs, assumed, 0, 1);
}

double RankMemoryBound::min_mean_rank_bytes(const Plan &plan, const LayerCosts &layers, const ActivationBound &held,
                                            const Assumptions &assumed) {
    hold(held, held.at_once);
    return bytes_with_mean_states(plan, layers, 1 / static_cast<double>(plan.parallelism.pipeline), assumed);
}

double RankMemoryBound::bytes_with_mean_states(const Plan &plan, const LayerCosts &layers, double share,
                                               const Assumptions &assumed) const {
    const RankParameters mean{.dense = m_all_parameters.dense * share, .experts = m_all_parameters.experts * share};
    const ShardGroups shards = shard_groups_of(plan, layers.groups());
    return rank_peak_bytes(plan, layers, m_costs, assumed, 0, 1)
        - device_state_bytes(plan, shards, m_costs.ranks.front().cost.parameters)
        + device_state_bytes(plan, shards, mean);
}

double RankMemoryBound::mean_rank_bytes(const Plan &plan, const LayerCosts &layers, const ScheduleChoice &choice,
                                        const Assumptions &assumed) {
    const ActivationBound held = activation_bound(plan, choice);
    hold(held, held.at_once);
    const double copies = runs_both_ways(choice.schedule) ? 2 : 1;
    const double share = plan.parallelism.pipeline > 1 ? copies / static_cast<double>(plan.parallelism.pipeline) : 1;
    return bytes_with_mean_states(plan, layers, share, assumed);
}

} // namespace meshwright

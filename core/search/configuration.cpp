// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration.h"

#include <optional>
#include <tuple>

namespace meshwright {

namespace {

/// Splits the layers evenly, counting the LM head as one layer and, with light_ends, the embedding too.
std::vector<std::int64_t> light_layout(const Plan &plan, Balance balance) {
    const auto stages = static_cast<std::size_t>(plan.virtual_stages());
    const std::int64_t extra = balance == Balance::light_ends ? 2 : 1;
    const std::int64_t units = plan.model.layer_count() + extra;
    const auto count = static_cast<std::int64_t>(stages);
    std::vector<std::int64_t> layers(stages, units / count);
    for (std::int64_t i = 0; i < units % count; ++i)
        ++layers[static_cast<std::size_t>(i)];
    --layers.back();
    if (balance == Balance::light_ends)
        --layers.front();
    return layers;
}

/// Order of the recomputation modes from simple to complex: none, selective, first layers, modules, full.
int plainness(RecomputeMode mode) {
    switch (mode) {
    case RecomputeMode::none:
        return 0;
    case RecomputeMode::selective:
        return 1;
    case RecomputeMode::layers:
        return 2;
    case RecomputeMode::modules:
        return 3;
    case RecomputeMode::full:
        break;
    }
    return 4;
}

/// 1F1B counts as the simplest schedule; the others follow in the order of all_schedules().
int plainness(Schedule schedule) {
    return schedule == Schedule::one_f_one_b ? -1 : static_cast<int>(schedule);
}

auto order_of(const Configuration &l) {
    return std::make_tuple(l.pipeline, l.tensor, l.context, l.expert, l.expert_tensor, l.chunks, l.zero_stage,
                           plainness(l.recompute), l.recompute_layers, plainness(l.schedule), l.sequence_parallel,
                           l.micro_sequences, l.shard_group, l.group, l.balance, l.variant, l.data);
}

} // namespace

Configuration configuration_of(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    return {.tensor = parallelism.tensor,
            .context = parallelism.context,
            .pipeline = parallelism.pipeline,
            .chunks = parallelism.chunks,
            .expert = parallelism.expert,
            .expert_tensor = parallelism.expert_tensor,
            .data = parallelism.data,
            .micro_sequences = plan.batch.micro_sequences,
            .zero_stage = parallelism.zero_stage,
            .shard_group = parallelism.shard_group.value_or(0),
            .group = parallelism.group.value_or(0),
            .recompute_layers = plan.recompute.mode == RecomputeMode::layers ? plan.recompute.layers : 0,
            .schedule = parallelism.schedule,
            .recompute = plan.recompute.mode,
            .sequence_parallel = parallelism.sequence_parallel};
}

void apply(const Configuration &layout, Plan &plan) {
    Parallelism &parallelism = plan.parallelism;
    parallelism.tensor = layout.tensor;
    parallelism.context = layout.context;
    parallelism.pipeline = layout.pipeline;
    parallelism.chunks = layout.chunks;
    parallelism.expert = layout.expert;
    parallelism.expert_tensor = layout.expert_tensor;
    parallelism.data = layout.data;
    parallelism.sequence_parallel = layout.sequence_parallel;
    parallelism.zero_stage = layout.zero_stage;
    parallelism.schedule = layout.schedule;
    parallelism.group = layout.group > 0 ? std::optional(layout.group) : std::nullopt;
    parallelism.shard_group = layout.shard_group > 0 ? std::optional(layout.shard_group) : std::nullopt;
    parallelism.layout.clear();
    parallelism.layout_text.clear();
    plan.batch.micro_sequences = layout.micro_sequences;
    plan.recompute.mode = layout.recompute;
    plan.recompute.layers = layout.recompute_layers;
    if (layout.balance != Balance::even)
        parallelism.layout = light_layout(plan, layout.balance);
}

std::int64_t value_of(const Configuration &layout, ConfigurationField field) {
    switch (field) {
    case ConfigurationField::tensor:
        return layout.tensor;
    case ConfigurationField::context:
        return layout.context;
    case ConfigurationField::pipeline:
        return layout.pipeline;
    case ConfigurationField::chunks:
        return layout.chunks;
    case ConfigurationField::expert:
        return layout.expert;
    case ConfigurationField::expert_tensor:
        return layout.expert_tensor;
    case ConfigurationField::data:
        return layout.data;
    case ConfigurationField::sequence_parallel:
        return layout.sequence_parallel ? 1 : 0;
    case ConfigurationField::zero_stage:
        return layout.zero_stage;
    case ConfigurationField::schedule:
        return static_cast<std::int64_t>(layout.schedule);
    case ConfigurationField::micro_sequences:
        return layout.micro_sequences;
    case ConfigurationField::recompute:
        return static_cast<std::int64_t>(layout.recompute);
    }
    return 0;
}

bool is_simpler(const Configuration &a, const Configuration &b) {
    return order_of(a) < order_of(b);
}

std::vector<double> simplicity(const Configuration &layout) {
    return std::apply([](const auto &...parts) { return std::vector<double>{static_cast<double>(parts)...}; },
                      order_of(layout));
}

} // namespace meshwright

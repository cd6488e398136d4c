// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/software_rules.h"

#include "plan/valid_values.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

namespace meshwright {

namespace {

std::int64_t degree_of(const Parallelism &parallelism, Dimension dimension) {
    switch (dimension) {
    case Dimension::tensor:
        return parallelism.tensor;
    case Dimension::context:
        return parallelism.context;
    case Dimension::expert:
        return parallelism.expert;
    case Dimension::pipeline:
        return parallelism.pipeline;
    case Dimension::data:
        return parallelism.data;
    }
    return 1;
}

/// Whether layers per stage differ by at most one, with the larger stages first.
bool is_even(const std::vector<std::int64_t> &layers) {
    return std::is_sorted(layers.begin(), layers.end(), std::greater<>()) && layers.front() - layers.back() <= 1;
}

/// Whether the software supports the plan's order of dimensions, whatever their degrees.
bool has_placement(const Capabilities &can_run, const std::vector<Dimension> &placement) {
    return placement == Parallelism{}.placement || !leaves_out(can_run.placements, spelled(placement));
}

/// Keeps the plan's format if the software supports it. Otherwise uses the usual format, or else the first supported
/// one.
void make_runnable(const Capabilities::Words &known, DataType usual, DataType &type) {
    if (!leaves_out(known, name_of(type)) || known->empty())
        return;
    const std::vector<std::string> &names = data_type_names();
    type = !leaves_out(known, name_of(usual))
        ? usual
        : static_cast<DataType>(std::find(names.begin(), names.end(), known->front()) - names.begin());
}

void make_runnable(const std::optional<OffloadShare> &known, double &share) {
    if (!runs_offload(known, share))
        share = *known == OffloadShare::nothing ? 0 : 1;
}

} // namespace

std::string spelled(const std::vector<Dimension> &placement) {
    std::string text;
    for (const Dimension dimension : placement)
        text += (text.empty() ? "" : "-") + dimension_names()[static_cast<std::size_t>(dimension)];
    return text;
}

bool runs_placement(const Capabilities &can_run, const Parallelism &parallelism) {
    static const std::vector<Dimension> usual = Parallelism{}.placement;
    if (!can_run.placements || parallelism.placement == usual)
        return true;
    std::vector<Dimension> wanted = parallelism.placement;
    std::erase_if(wanted, [&](Dimension dimension) { return degree_of(parallelism, dimension) == 1; });
    const std::string text = spelled(wanted);
    return std::any_of(can_run.placements->begin(), can_run.placements->end(), [&](const std::string &order) {
        std::string kept;
        for (std::size_t at = 0; at < order.size();) {
            const std::size_t end = std::min(order.find('-', at), order.size());
            const std::string name = order.substr(at, end - at);
            if (std::any_of(wanted.begin(), wanted.end(), [&](Dimension dimension) {
                    return dimension_names()[static_cast<std::size_t>(dimension)] == name;
                }))
                kept += (kept.empty() ? "" : "-") + name;
            at = end + 1;
        }
        return kept == text;
    });
}

bool runs_context(const Capabilities &can_run, std::int64_t context, std::int64_t sequence_length) {
    return context == 1
        || (can_run.context.value_or(true)
            && sequence_length % (context * std::max<std::int64_t>(1, can_run.context_multiple.value_or(1))) == 0);
}

bool runs_context_with(const Capabilities &can_run, std::int64_t context, std::int64_t tensor, std::int64_t pipeline) {
    return context == 1 || (tensor == 1 && pipeline == 1) || can_run.context_with_others.value_or(true);
}

bool runs_sequence_sharding(const Capabilities &can_run, std::int64_t tensor, bool sequence_parallel,
                            std::int64_t experts) {
    if (tensor == 1)
        return true;
    if (!can_run.tensor.value_or(true))
        return false;
    if (!sequence_parallel && experts > 0 && can_run.experts_need_sequence_parallel.value_or(false))
        return false;
    if (!can_run.sequence_parallel || *can_run.sequence_parallel == SequenceSharding::choice)
        return true;
    return sequence_parallel == (*can_run.sequence_parallel == SequenceSharding::on);
}

bool runs_expert_tensor(const Capabilities &can_run, std::int64_t expert_tensor, std::int64_t tensor) {
    if (expert_tensor == 1 || !can_run.expert_tensor || *can_run.expert_tensor == ExpertSplit::any)
        return true;
    return *can_run.expert_tensor == ExpertSplit::one_or_tensor && expert_tensor == tensor;
}

bool runs_experts(const Capabilities &can_run, std::int64_t expert, std::int64_t context) {
    return expert == 1
        || (can_run.expert.value_or(true) && (context == 1 || can_run.expert_with_context.value_or(true)));
}

std::int64_t min_kv_heads(const Model &model) {
    std::int64_t least = 0;
    for (const Block &block : model.blocks)
        if (const auto *attention = std::get_if<Attention>(&block.mixer);
            attention != nullptr && attention->kv_heads > 0 && attention->heads > attention->kv_heads)
            least = least == 0 ? attention->kv_heads : std::min(least, attention->kv_heads);
    return least;
}

bool runs_kv_heads(const Capabilities &can_run, std::int64_t tensor, std::int64_t kv_heads) {
    return kv_heads == 0 || tensor <= kv_heads || can_run.tensor_beyond_kv_heads.value_or(true);
}

bool runs_schedule(const Capabilities &can_run, Schedule schedule, std::int64_t pipeline) {
    return pipeline == 1 || !leaves_out(can_run.schedules, name_of(schedule));
}

bool runs_group(const Capabilities &can_run, std::int64_t pipeline, std::int64_t microbatches, std::int64_t group) {
    if (!can_run.group || *can_run.group == RoundSize::any)
        return true;
    if (*can_run.group == RoundSize::stages)
        return group == pipeline && microbatches % pipeline == 0;
    const std::int64_t rounds = std::max<std::int64_t>(1, microbatches / pipeline);
    return microbatches % rounds == 0 && group == microbatches / rounds;
}

LayerSplit split_of(const std::vector<std::int64_t> &layers) {
    if (std::all_of(layers.begin(), layers.end(), [&](std::int64_t count) { return count == layers.front(); }))
        return LayerSplit::equal;
    if (is_even(layers))
        return LayerSplit::even;
    for (const bool first : {false, true})
        for (const bool last : {false, true}) {
            std::vector<std::int64_t> counted = layers;
            counted.front() += first ? 1 : 0;
            counted.back() += last ? 1 : 0;
            if (is_even(counted))
                return LayerSplit::ends;
        }
    return LayerSplit::any;
}

LayerSplit split_of(const Stack &stack, std::int64_t layers, std::int64_t virtual_stages) {
    return stack.balances_stages || layers % virtual_stages == 0 ? LayerSplit::equal : LayerSplit::even;
}

bool runs_split(const Capabilities &can_run, LayerSplit split) {
    return !can_run.layout || split <= *can_run.layout;
}

bool needs_sharded_states(const Plan &plan) {
    const auto is_plain = [](DataType type) { return type == DataType::fp32 || type == DataType::none; };
    return plan.offload.optimizer > 0 || !is_plain(plan.precision.master) || !is_plain(plan.precision.moments);
}

ShardingCase sharding_case_of(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    return {.ranks = parallelism.data * parallelism.context,
            .with_pipeline = parallelism.pipeline > 1,
            .with_others = parallelism.tensor > 1 || parallelism.context > 1 || parallelism.pipeline > 1,
            .needs_sharded_states = needs_sharded_states(plan)};
}

bool runs_zero_stage(const Capabilities &can_run, const ShardingCase &given, std::int64_t stage) {
    if (given.needs_sharded_states && stage < can_run.states_from_zero.value_or(0))
        return false;
    if (given.ranks == 1) // all ZeRO stages are equivalent if there is only one rank
        return true;
    if (stage == 0 && given.with_others && !can_run.unsharded_with_others.value_or(true))
        return false;
    return !leaves_out(given.with_pipeline ? can_run.zero_stages_with_pipeline : can_run.zero_stages, stage);
}

bool runs_shard_group(const Capabilities &can_run, std::int64_t ranks, std::int64_t stage, std::int64_t group) {
    return group == 0 || group == ranks || stage == 0 || !leaves_out(can_run.shard_group_stages, stage);
}

bool runs_recompute(const Capabilities &can_run, RecomputeMode mode) {
    return !leaves_out(can_run.recompute, recompute_mode_names()[static_cast<std::size_t>(mode)]);
}

bool runs_modules(const Capabilities &can_run, const std::vector<std::string> &modules) {
    return std::none_of(modules.begin(), modules.end(),
                        [&](const std::string &module) { return leaves_out(can_run.recompute_modules, module); });
}

bool runs_formats(const Capabilities &can_run, const Precision &precision) {
    return !leaves_out(can_run.compute, name_of(precision.compute))
        && !leaves_out(can_run.gradients, name_of(precision.gradients))
        && !leaves_out(can_run.master, name_of(precision.master))
        && !leaves_out(can_run.moments, name_of(precision.moments));
}

bool runs_offload(const std::optional<OffloadShare> &known, double share) {
    if (share == 0 || !known || *known == OffloadShare::any)
        return true;
    return *known == OffloadShare::everything && share == 1;
}

void make_settings_runnable(Plan &plan) {
    const Capabilities &can_run = plan.stack.can_run;
    make_runnable(can_run.compute, DataType::bf16, plan.precision.compute);
    make_runnable(can_run.gradients, DataType::fp32, plan.precision.gradients);
    make_runnable(can_run.master, DataType::fp32, plan.precision.master);
    make_runnable(can_run.moments, DataType::fp32, plan.precision.moments);
    make_runnable(can_run.optimizer_offload, plan.offload.optimizer);
    make_runnable(can_run.activation_offload, plan.offload.activations);
    if (!has_placement(can_run, plan.parallelism.placement))
        plan.parallelism.placement = Parallelism{}.placement;
}

bool runs_settings(const Plan &plan) {
    const Capabilities &can_run = plan.stack.can_run;
    return runs_formats(can_run, plan.precision) && runs_offload(can_run.optimizer_offload, plan.offload.optimizer)
        && runs_offload(can_run.activation_offload, plan.offload.activations)
        && has_placement(can_run, plan.parallelism.placement);
}

std::string unknown_word(const Capabilities &can_run) {
    const std::pair<const char *, std::pair<const Capabilities::Words &, const std::vector<std::string> &>> lists[]{
        {"schedules", {can_run.schedules, schedule_names()}},
        {"recompute", {can_run.recompute, recompute_mode_names()}},
        {"recompute_modules", {can_run.recompute_modules, recompute_module_names()}},
        {"outer", {can_run.outer, outer_method_names()}}};
    for (const auto &[key, list] : lists)
        for (const std::string &word : list.first.value_or(std::vector<std::string>{}))
            if (std::find(list.second.begin(), list.second.end(), word) == list.second.end())
                return std::string(key) + ": " + word;
    return {};
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/runnable.h"

#include "input/field_reader.h"
#include "plan/constraints.h"
#include "plan/software_rules.h"
#include "plan/valid_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

std::string title_of(const Stack &stack) {
    return stack.name.empty() ? "This software" : stack.name;
}

std::string supported(const std::vector<std::string> &words) {
    return words.empty() ? std::string() : "supported: " + listed(words);
}

std::string supported(const std::vector<std::int64_t> &numbers) {
    std::vector<std::string> words;
    for (const std::int64_t number : numbers)
        words.push_back(std::to_string(number));
    return supported(words);
}

class RunChecker {
public:
    explicit RunChecker(const Plan &plan)
        : m_plan(plan)
        , m_parallelism(plan.parallelism)
        , m_known(plan.stack.can_run) { }

    Runnability run() {
        if (m_known.anything)
            return {};
        tensor();
        context();
        experts();
        pipeline();
        sharding();
        recomputation();
        offload();
        formats();
        placement();
        return std::move(m_found);
    }

private:
    /// @param what  predicate after the software's name, such as "does not support context parallelism"
    void add(SoftwareLimit limit, const char *key, std::string what, std::string expected,
             std::vector<std::string> fields) {
        const std::string *const source = m_plan.stack.sources.find(fmt::format("can_run.{}", key));
        m_found.limits.push_back({.limit = limit,
                                  .reason = fmt::format("{} {}", title_of(m_plan.stack), what),
                                  .expected = std::move(expected),
                                  .fields = std::move(fields),
                                  .source = source == nullptr ? std::string() : *source});
    }

    template <typename Known>
    void ask(const Known &known, std::string what) {
        if (!known)
            m_found.unknown.push_back(std::move(what));
    }

    void tensor() {
        const std::int64_t ranks = m_parallelism.tensor;
        if (ranks == 1)
            return;
        ask(m_known.tensor, "tensor parallelism");
        if (!m_known.tensor.value_or(true)) {
            add(SoftwareLimit::tensor, "tensor", "does not support tensor parallelism", "expected tensor 1",
                {"/parallelism/tensor"});
            return;
        }
        const bool sharded = m_parallelism.sequence_parallel;
        const std::int64_t experts = routed_experts(m_plan.model);
        if (sharded)
            ask(m_known.sequence_parallel, "sequence parallelism");
        if (!runs_sequence_sharding(m_known, ranks, sharded, experts)) {
            const bool for_experts =
                !m_known.sequence_parallel || *m_known.sequence_parallel == SequenceSharding::choice;
            add(SoftwareLimit::sequence_parallel, for_experts ? "experts_need_sequence_parallel" : "sequence_parallel",
                sharded           ? "does not support sequence parallelism"
                    : for_experts ? "needs sequence parallelism to combine experts with tensor parallelism"
                                  : "always uses sequence parallelism with tensor parallelism",
                sharded ? "expected sequence parallelism off" : "expected sequence parallelism on",
                {"/parallelism/sequence_parallel", "/parallelism/tensor"});
        }
        const std::int64_t heads = min_kv_heads(m_plan.model);
        if (!runs_kv_heads(m_known, ranks, heads))
            add(SoftwareLimit::kv_heads, "tensor_beyond_kv_heads",
                fmt::format("cannot replicate {} KV heads across tensor {}", heads, ranks),
                fmt::format("expected tensor {} or less", heads), {"/parallelism/tensor"});
    }

    void context() {
        const std::int64_t ranks = m_parallelism.context;
        if (ranks == 1)
            return;
        ask(m_known.context, "context parallelism");
        if (!m_known.context.value_or(true)) {
            add(SoftwareLimit::context, "context", "does not support context parallelism", "expected context 1",
                {"/parallelism/context"});
            return;
        }
        if (!runs_context(m_known, ranks, m_plan.batch.sequence_length)) {
            const std::int64_t multiple = ranks * m_known.context_multiple.value_or(1);
            add(SoftwareLimit::context, "context_multiple",
                fmt::format("needs a sequence length that is a multiple of {} with context {}", multiple, ranks),
                fmt::format("expected a multiple of {}", multiple), {"/parallelism/context", "/batch/sequence_length"});
        }
        if (!runs_context_with(m_known, ranks, m_parallelism.tensor, m_parallelism.pipeline))
            add(SoftwareLimit::context, "context_with_others",
                "cannot combine context parallelism with tensor or pipeline parallelism",
                "expected context 1, or tensor 1 and pipeline 1",
                {"/parallelism/context", "/parallelism/tensor", "/parallelism/pipeline"});
    }

    void experts() {
        const std::int64_t ranks = m_parallelism.expert;
        if (ranks > 1) {
            ask(m_known.expert, "expert parallelism");
            if (m_parallelism.context > 1)
                ask(m_known.expert_with_context, "expert parallelism with context parallelism");
        }
        if (!runs_experts(m_known, ranks, m_parallelism.context)) {
            const bool none = !m_known.expert.value_or(true);
            add(SoftwareLimit::expert, none ? "expert" : "expert_with_context",
                none ? "does not support expert parallelism" : "cannot combine expert and context parallelism",
                none ? "expected expert 1" : "expected context 1 or expert 1",
                none ? std::vector<std::string>{"/parallelism/expert"}
                     : std::vector<std::string>{"/parallelism/expert", "/parallelism/context"});
        }
        if (m_parallelism.expert_tensor > 1)
            ask(m_known.expert_tensor, "expert tensor parallelism");
        if (!runs_expert_tensor(m_known, m_parallelism.expert_tensor, m_parallelism.tensor)) {
            const bool one = *m_known.expert_tensor == ExpertSplit::one;
            add(SoftwareLimit::expert_tensor, "expert_tensor",
                fmt::format("cannot shard an expert across {} tensor-parallel ranks", m_parallelism.expert_tensor),
                one ? "expected expert TP 1" : fmt::format("expected expert TP 1 or {}", m_parallelism.tensor),
                {"/parallelism/expert_tensor"});
        }
    }

    void pipeline() {
        const std::int64_t stages = m_parallelism.pipeline;
        if (stages == 1)
            return;
        ask(m_known.schedules, "pipeline schedules");
        if (!runs_schedule(m_known, m_parallelism.schedule, stages)) {
            if (m_known.schedules->empty()) {
                add(SoftwareLimit::schedule, "schedules", "does not support pipeline parallelism",
                    "expected pipeline 1", {"/parallelism/pipeline"});
                return;
            }
            add(SoftwareLimit::schedule, "schedules",
                fmt::format("does not support the schedule {}", name_of(m_parallelism.schedule)),
                supported(*m_known.schedules), {"/parallelism/schedule"});
            return;
        }
        if (definition_of(m_parallelism.schedule).takes_groups && m_parallelism.chunks > 1)
            groups();
        layers();
    }

    void groups() {
        const std::int64_t stages = m_parallelism.pipeline;
        const std::int64_t microbatches = m_plan.microbatches();
        ask(m_known.group, "this interleaving group size");
        if (runs_group(m_known, stages, microbatches, interleaving_group(m_plan)))
            return;
        const bool rounds = *m_known.group == RoundSize::equal;
        add(SoftwareLimit::group, "group",
            m_parallelism.group ? fmt::format("cannot interleave in groups of {}", *m_parallelism.group)
                                : fmt::format("cannot interleave {} microbatches with {} stages", microbatches, stages),
            rounds ? fmt::format("expected groups of equal size, each with at least {} microbatches", stages)
                   : fmt::format("expected groups of {} and a multiple of {} microbatches", stages, stages),
            {"/parallelism/group", "/parallelism/schedule", "/batch/global_sequences"});
    }

    void layers() {
        const std::vector<std::int64_t> &layers = m_parallelism.layout;
        const std::int64_t stages = m_plan.virtual_stages();
        const LayerSplit split =
            layers.empty() ? split_of(m_plan.stack, m_plan.model.layer_count(), stages) : split_of(layers);
        if (split == LayerSplit::equal)
            return;
        ask(m_known.layout, "stages with different numbers of layers");
        if (runs_split(m_known, split))
            return;
        const bool equal = *m_known.layout == LayerSplit::equal;
        add(SoftwareLimit::layout, "layout",
            equal ? fmt::format("cannot split {} layers into {} stages", m_plan.model.layer_count(), stages)
                  : fmt::format("cannot split the layers into {} stages with this pipeline layout", stages),
            equal ? "expected a number of stages that divides the number of layers"
                : *m_known.layout == LayerSplit::even
                ? "expected an even split"
                : "expected an even split, optionally counting embedding or LM head as a layer",
            {"/parallelism/layout", "/parallelism/pipeline", "/parallelism/chunks"});
    }

    void sharding() {
        const ShardingCase given = sharding_case_of(m_plan);
        const std::int64_t stage = m_parallelism.zero_stage;
        const Capabilities::Numbers &stages =
            given.with_pipeline ? m_known.zero_stages_with_pipeline : m_known.zero_stages;
        if (given.ranks > 1 && stage > 0)
            ask(stages, fmt::format("ZeRO {}", stage));
        if (!runs_zero_stage(m_known, given, stage))
            zero_stage(given, stages);
        const std::int64_t group = m_parallelism.shard_group.value_or(0);
        if (group > 0 && group != given.ranks && stage > 0)
            ask(m_known.shard_group_stages, "hybrid sharding (HSDP)");
        if (!runs_shard_group(m_known, given.ranks, stage, group))
            add(SoftwareLimit::shard_group, "shard_group_stages",
                fmt::format("cannot shard across {} of {} ranks with ZeRO {}", group, given.ranks, stage),
                m_known.shard_group_stages->empty() ? "expected all ranks"
                                                    : "ZeRO stages " + supported(*m_known.shard_group_stages),
                {"/parallelism/shard_group", "/parallelism/zero_stage"});
    }

    void zero_stage(const ShardingCase &given, const Capabilities::Numbers &stages) {
        const std::int64_t stage = m_parallelism.zero_stage;
        const std::vector<std::string> fields{"/parallelism/zero_stage", "/parallelism/pipeline"};
        const std::int64_t least = m_known.states_from_zero.value_or(0);
        if (given.needs_sharded_states && stage < least)
            add(SoftwareLimit::zero_stage, "states_from_zero",
                fmt::format(
                    "needs ZeRO {} or higher to offload the optimizer or to store states in formats other than FP32",
                    least),
                fmt::format("expected ZeRO {} or higher", least),
                {"/parallelism/zero_stage", "/precision/moments", "/offload/optimizer"});
        else if (leaves_out(stages, stage))
            add(SoftwareLimit::zero_stage, given.with_pipeline ? "zero_stages_with_pipeline" : "zero_stages",
                fmt::format("does not support ZeRO {} {} pipeline parallelism", stage,
                            given.with_pipeline ? "with" : "without"),
                supported(*stages), fields);
        else
            add(SoftwareLimit::zero_stage, "unsharded_with_others",
                "cannot combine unsharded replicas (ZeRO 0) with other parallelism", "expected a higher ZeRO stage",
                {"/parallelism/zero_stage"});
    }

    void recomputation() {
        const Recompute &recompute = m_plan.recompute;
        if (recompute.mode == RecomputeMode::none)
            return;
        const std::string &mode = recompute_mode_names()[static_cast<std::size_t>(recompute.mode)];
        ask(m_known.recompute, "recomputation");
        if (!runs_recompute(m_known, recompute.mode)) {
            add(SoftwareLimit::recompute, "recompute", fmt::format("does not support the recomputation mode {}", mode),
                supported(*m_known.recompute), {"/recompute/mode"});
            return;
        }
        if (recompute.mode != RecomputeMode::modules)
            return;
        ask(m_known.recompute_modules, "recomputation of individual modules");
        std::vector<std::string> missing = recompute.modules;
        std::erase_if(missing,
                      [&](const std::string &module) { return !leaves_out(m_known.recompute_modules, module); });
        if (!missing.empty())
            add(SoftwareLimit::recompute, "recompute_modules",
                fmt::format("cannot recompute {} individually", fmt::join(missing, ", ")),
                supported(*m_known.recompute_modules), {"/recompute/modules"});
    }

    void offload() {
        if (m_plan.offload.optimizer > 0)
            ask(m_known.optimizer_offload, "optimizer offloading");
        if (!runs_offload(m_known.optimizer_offload, m_plan.offload.optimizer))
            offload(SoftwareLimit::optimizer_offload, "optimizer", *m_known.optimizer_offload);
        if (m_plan.offload.activations > 0)
            ask(m_known.activation_offload, "activation offloading");
        if (!runs_offload(m_known.activation_offload, m_plan.offload.activations))
            offload(SoftwareLimit::activation_offload, "activations", *m_known.activation_offload);
    }

    void offload(SoftwareLimit limit, const char *what, OffloadShare known) {
        const bool nothing = known == OffloadShare::nothing;
        const bool optimizer = limit == SoftwareLimit::optimizer_offload;
        const char *const states = optimizer ? "optimizer states" : "activations";
        add(limit, optimizer ? "optimizer_offload" : "activation_offload",
            nothing ? fmt::format("cannot offload {}", states)
                    : fmt::format("can offload either all {} or none", states),
            nothing ? "expected 0" : "expected 0 or 1", {fmt::format("/offload/{}", what)});
    }

    void formats() {
        const Precision &precision = m_plan.precision;
        format(SoftwareLimit::compute, "compute", "GEMMs in", m_known.compute, precision.compute);
        format(SoftwareLimit::gradients, "gradients", "gradients in", m_known.gradients, precision.gradients);
        format(SoftwareLimit::master, "master", "master weights in", m_known.master, precision.master);
        format(SoftwareLimit::moments, "moments", "moments in", m_known.moments, precision.moments);
    }

    void format(SoftwareLimit limit, const char *key, const char *what, const Capabilities::Words &known,
                DataType type) {
        if (!leaves_out(known, name_of(type)))
            return;
        add(limit, key,
            type == DataType::none ? fmt::format("requires {} one of its formats", what)
                                   : fmt::format("does not support {} {}", what, name_of(type)),
            supported(*known), {fmt::format("/precision/{}", key)});
    }

    void placement() {
        if (!runs_placement(m_known, m_parallelism))
            add(SoftwareLimit::placement, "placements",
                fmt::format("does not support the rank order {}", spelled(m_parallelism.placement)),
                supported(*m_known.placements), {"/parallelism/placement"});
    }

    const Plan &m_plan;
    const Parallelism &m_parallelism;
    const Capabilities &m_known;
    Runnability m_found;
};

} // namespace

std::string Runnability::reason(const Plan &plan) const {
    std::vector<std::string> reasons;
    for (const NotRunnable &limit : limits)
        reasons.push_back(limit.expected.empty() ? limit.reason : limit.reason + " (" + limit.expected + ")");
    if (!reasons.empty())
        return fmt::format("{}", fmt::join(reasons, "; "));
    if (plan.stack.can_run.anything)
        return title_of(plan.stack) + " is not software that can be launched";
    if (!plan.stack.can_run.is_known())
        return fmt::format("unknown what {} can run", title_of(plan.stack));
    return unknown.empty()
        ? std::string()
        : fmt::format("unknown whether {} supports {}", title_of(plan.stack), fmt::join(unknown, ", "));
}

Runnability runnability_of(const Plan &plan) {
    return RunChecker(plan).run();
}

std::optional<NotRunnable> cannot_run(const Plan &plan) {
    Runnability found = runnability_of(plan);
    return found.limits.empty() ? std::nullopt : std::optional(std::move(found.limits.front()));
}

bool stays_runnable(const Plan &before, const Plan &after) {
    const Runnability found = runnability_of(after);
    if (found.is_runnable() || constraints_of(before).any_software)
        return true;
    const Runnability had = runnability_of(before);
    return std::all_of(found.limits.begin(), found.limits.end(), [&](const NotRunnable &limit) {
        return std::any_of(had.limits.begin(), had.limits.end(),
                           [&](const NotRunnable &other) { return other.limit == limit.limit; });
    });
}

} // namespace meshwright

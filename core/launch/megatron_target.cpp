// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/megatron_target.h"

#include "input/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

/// The format of weights and activations outside FP8 and FP4 GEMMs.
DataType base_format(DataType compute) {
    return compute == DataType::fp16 || compute == DataType::fp32 ? compute : DataType::bf16;
}

class MegatronRules {
public:
    explicit MegatronRules(TargetPlan &target)
        : m_target(target)
        , m_plan(target.plan)
        , m_shape(target.shape) { }

    void apply() {
        model();
        mamba();
        optimizer();
        precision();
        sharding();
        placement();
        recompute();
        offload();
    }

private:
    void lose(const std::string &what, const std::string &instead, std::vector<std::string> fields) {
        m_target.lose(what, instead, std::move(fields));
    }
    const std::string &name() const { return m_plan.stack.name; }

    void model() {
        if (m_shape.embedding_norm) {
            m_shape.embedding_norm = false;
            lose(fmt::format("{} does not support a norm after the embedding", name()), "none", {"/model"});
        }
        if (m_shape.norm == NormKind::layer_without_bias) {
            m_shape.norm = NormKind::layer;
            lose(fmt::format("{} does not support LayerNorm without bias", name()), "LayerNorm with bias", {"/model"});
        }
        m_target.pad_vocabulary();
        if (m_shape.learned_positions && *m_shape.learned_positions < m_plan.batch.sequence_length) {
            lose(fmt::format("{} learned positions are fewer than the sequence length", *m_shape.learned_positions),
                 fmt::format("{}", m_plan.batch.sequence_length), {"/model"});
            m_shape.learned_positions = m_plan.batch.sequence_length;
        }
        longest_sequence();
        if (m_shape.experts.value_or(0) > 0 && m_shape.linear_bias && m_plan.parallelism.expert_tensor > 1) {
            m_shape.linear_bias = false;
            lose(fmt::format("{} does not support biases in tensor-parallel experts", name()),
                 "no biases in linear layers", {"/model"});
        }
        if (m_shape.mtp_layers > 0 && m_shape.learned_positions) {
            m_shape.mtp_layers = 0;
            lose(fmt::format("{} does not support MTP modules with learned positions", name()), "none", {"/model"});
        }
    }

    /// MambaMixer in megatron/core/ssm/mamba_mixer.py: each rank has whole groups of heads.
    void mamba() const {
        const std::int64_t tensor = m_plan.parallelism.tensor;
        if (!m_target.hybrid || m_target.hybrid->pattern.find('M') == std::string::npos
            || m_target.hybrid->groups % tensor == 0)
            return;
        throw InputError("/parallelism/tensor",
                         fmt::format("{} does not divide {} groups of Mamba heads among {} ranks", name(),
                                     m_target.hybrid->groups, tensor),
                         fmt::format("expected a divisor of {}", m_target.hybrid->groups));
    }

    /// Megatron-Bridge sets the model's maximum sequence length to the training sequence length
    /// (GPTModelProvider.provide()).
    void longest_sequence() {
        const std::int64_t length = m_plan.batch.sequence_length;
        if (m_plan.stack.framework.starts_with("Megatron-Bridge") && !m_shape.learned_positions
            && m_shape.longest_sequence.value_or(0) > length) {
            lose(fmt::format("{} has no option for a maximum sequence length above the training sequence length; the "
                             "model's is {} tokens",
                             name(), *m_shape.longest_sequence),
                 fmt::format("{} tokens", length), {"/model/longest_sequence"});
            m_shape.longest_sequence = length;
        }
        m_target.fit_longest_sequence_to_positions();
    }

    void optimizer() {
        m_target.keep_optimizer({OptimizerKind::adamw, OptimizerKind::sgd, OptimizerKind::muon}, name());
        const OptimizerKind kind = m_plan.optimizer.kind;
        if (kind == OptimizerKind::adamw)
            return;
        const std::string &title = optimizer_names()[static_cast<std::size_t>(kind)];
        if (m_plan.offload.optimizer > 0) {
            m_plan.offload.optimizer = 0;
            lose(fmt::format("{} can offload only Adam's optimizer states", name()),
                 fmt::format("{} on the accelerator", title), {"/offload/optimizer"});
        }
        if (kind == OptimizerKind::muon && m_plan.parallelism.zero_stage > 1) {
            m_plan.parallelism.zero_stage = 1;
            lose(fmt::format("{} does not support FSDP with muon", name()), "ZeRO 1", {"/parallelism/zero_stage"});
        }
        if (kind == OptimizerKind::muon && m_plan.parallelism.shard_group) {
            m_plan.parallelism.shard_group.reset();
            lose(fmt::format("{} shards Muon's optimizer states across all data-parallel ranks", name()),
                 "no sharding groups", {"/parallelism/shard_group"});
        }
    }

    void precision() {
        Precision &precision = m_plan.precision;
        const DataType base = base_format(precision.compute);
        // FP8 weights (--fp8-param-gather) need the distributed optimizer or FSDP.
        const bool fp8_weights = precision.compute == DataType::fp8 && precision.weights == DataType::fp8
            && m_plan.parallelism.zero_stage > 0;
        m_target.settle(precision.weights, fp8_weights ? DataType::fp8 : base, "weights", "/precision/weights");
        // Gradients are reduced in FP32 or in the format of the weights (megatron/training/arguments.py).
        m_target.settle(precision.gradients, precision.gradients == base ? base : DataType::fp32, "gradients",
                        "/precision/gradients");
        if (base == DataType::fp32)
            m_target.settle(precision.master, DataType::none, "master weights", "/precision/master");
        // Optimizer states in other formats (--use-precision-aware-optimizer) need Adam and a sharded optimizer.
        const bool aware = m_plan.optimizer.kind == OptimizerKind::adamw && m_plan.parallelism.zero_stage > 0;
        if (base != DataType::fp32 && (!aware || precision.master == DataType::none))
            m_target.settle(precision.master, DataType::fp32, "master weights", "/precision/master");
        if (!aware)
            m_target.settle(precision.moments, DataType::fp32, "moments", "/precision/moments");
    }

    void sharding() {
        Parallelism &parallelism = m_plan.parallelism;
        const std::int64_t ranks = parallelism.data * parallelism.context;
        const std::optional<std::int64_t> group = m_target.effective_shard_group();
        if (!group)
            return;
        const std::int64_t expert_ranks = parallelism.expert * parallelism.expert_tensor;
        const std::int64_t expert_data = parallelism.tensor * ranks / std::max<std::int64_t>(1, expert_ranks);
        const std::int64_t copies = ranks / *group;
        if (ranks % *group != 0 || (m_shape.experts.value_or(0) > 0 && expert_data % copies != 0)) {
            parallelism.shard_group.reset();
            lose(fmt::format("{} cannot shard across {} of {} ranks", name(), *group, ranks), "all ranks",
                 {"/parallelism/shard_group"});
        }
    }

    /// Megatron orders ranks tensor, context, data, pipeline, or with --use-tp-pp-dp-mapping tensor, context, pipeline,
    /// data; expert-parallel ranks are the innermost data-parallel ranks.
    void placement() {
        Parallelism &parallelism = m_plan.parallelism;
        const auto at = [&](Dimension dimension) {
            return std::find(parallelism.placement.begin(), parallelism.placement.end(), dimension);
        };
        const std::vector<Dimension> inner{Dimension::tensor, Dimension::context, Dimension::expert,
                                           Dimension::pipeline, Dimension::data};
        const std::vector<Dimension> outer{Dimension::tensor, Dimension::context, Dimension::expert, Dimension::data,
                                           Dimension::pipeline};
        const bool matters = parallelism.pipeline > 1 && parallelism.data > 1;
        const bool wants_inner = matters && at(Dimension::pipeline) < at(Dimension::data);
        const bool same_data =
            parallelism.expert * parallelism.expert_tensor == parallelism.tensor * parallelism.context
            || m_shape.experts.value_or(0) == 0;
        const bool takes_inner = same_data && !uses_megatron_fsdp(m_plan);
        if (wants_inner && !takes_inner)
            lose(fmt::format("{} does not support pipeline before data in the rank order {}", name(),
                             uses_megatron_fsdp(m_plan) ? "with FSDP" : "unless EP x expert TP equals TP x CP"),
                 "data before pipeline (run.sbatch maps ranks to the plan's order)", {"/parallelism/placement"});
        parallelism.placement = wants_inner && takes_inner ? inner : outer;
    }

    void recompute() {
        std::vector<std::string> &modules = m_plan.recompute.modules;
        const bool experts = m_shape.experts.value_or(0) > 0;
        std::erase_if(modules, [&](const std::string &module) {
            const bool absent = (module.starts_with("moe") && !experts)
                || (module == "mla_up_proj" && !m_shape.latent.kv_rank)
                || (module == "shared_experts" && m_shape.shared_hidden == 0);
            if (absent)
                lose(fmt::format("the plan recomputes {}, which this model does not have", module),
                     "no recomputation of this module", {"/recompute/modules"});
            return absent;
        });
        if (m_plan.recompute.mode == RecomputeMode::modules && modules.empty())
            m_plan.recompute = {};
    }

    void offload() {
        if (m_plan.offload.activations > 0)
            lose(fmt::format("{} offloads the inputs of modules, not a fraction of all saved activations", name()),
                 fmt::format("a fraction of {:.4g} of the inputs of --offload-modules", m_plan.offload.activations),
                 {"/offload/activations"});
        m_plan.offload.outer = Offload{}.outer;
    }

    TargetPlan &m_target;
    Plan &m_plan;
    ModelShape &m_shape;
};

} // namespace

bool uses_megatron_fsdp(const Plan &plan) {
    return plan.parallelism.zero_stage >= 2;
}

TargetPlan megatron_target(const Plan &plan, Stack software) {
    TargetPlan target = target_plan(plan, std::move(software), ModelOptions::megatron_core);
    MegatronRules(target).apply();
    return target;
}

TargetPlan megatron_bridge_target(const Plan &plan, Stack software) {
    TargetPlan target = megatron_target(plan, std::move(software));
    const std::int64_t length = target.plan.batch.sequence_length;
    if (auto &rows = target.shape.learned_positions; rows && *rows != length) {
        target.lose(fmt::format("the number of learned positions, {}, cannot be set", *rows),
                    fmt::format("{}, the sequence length", length), {"/model", "/model/longest_sequence"});
        rows = length; // GPTModelProvider.provide()
        target.shape.longest_sequence = length;
    }
    Parallelism &parallelism = target.plan.parallelism;
    if (target.hybrid && parallelism.chunks > 1) { // HybridModelProvider.provide()
        target.lose(fmt::format("{} does not support virtual stages of hybrid models", target.plan.stack.name),
                    "1f1b without chunks",
                    {"/parallelism/schedule", "/parallelism/chunks", "/parallelism/group", "/parallelism/layout"});
        parallelism.schedule = Schedule::one_f_one_b;
        parallelism.chunks = 1;
        parallelism.group.reset();
        parallelism.layout.clear();
    }
    return target;
}

} // namespace meshwright

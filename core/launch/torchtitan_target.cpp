// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/torchtitan_target.h"

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "launch/torchtitan_flavors.h"
#include "launch/torchtitan_names.h"
#include "launch/torchtitan_outer.h"
#include "plan/software_rules.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace meshwright {

namespace {

/// Whether a family runs with pipeline parallelism as v0.2.2 registers it: its train spec has a pipelining_fn.
bool has_pipeline(std::string_view family) {
    return family != "qwen3" && family != "gpt_oss";
}

/// A shape whose missing sizes are set to their defaults.
ModelShape spelled_out(ModelShape shape) {
    const std::int64_t heads = std::max<std::int64_t>(1, shape.heads.value_or(1));
    const std::int64_t layers = shape.layers.value_or(0);
    shape.kv_heads = shape.latent.kv_rank ? heads : shape.kv_heads.value_or(heads);
    shape.head_dim = shape.latent.kv_rank ? 0 : shape.head_dim.value_or(shape.hidden.value_or(0) / heads);
    if (shape.experts.value_or(0) > 0 && shape.has_experts.empty())
        shape.has_experts.assign(static_cast<std::size_t>(layers), true);
    const bool all_experts =
        std::find(shape.has_experts.begin(), shape.has_experts.end(), false) == shape.has_experts.end()
        && shape.experts.value_or(0) > 0;
    if (all_experts)
        shape.feed_forward.reset(); // there is no dense layer
    shape.longest_sequence.reset();
    return shape;
}

class TorchtitanRules {
public:
    TorchtitanRules(TorchtitanTarget &result, const Library &library)
        : m_result(result)
        , m_target(result.target)
        , m_plan(result.target.plan)
        , m_shape(result.target.shape)
        , m_library(library) { }

    void apply() {
        sizes();
        family();
        m_target.keep_optimizer({OptimizerKind::adamw}, "torchtitan v0.2.2");
        experts();
        sharding();
        precision();
        recomputation();
        exchanges();
        m_plan.parallelism.placement = {Dimension::tensor, Dimension::context, Dimension::expert, Dimension::data,
                                        Dimension::pipeline};
        m_plan.offload.outer = Offload{}.outer;
        if (m_plan.outer.method != OuterMethod::none)
            outer_loop();
    }

private:
    void lose(const std::string &what, const std::string &instead, std::vector<std::string> fields) {
        m_target.lose(what, instead, std::move(fields));
    }

    /// Constraints that torchtitan checks at startup, or that make its first step fail.
    void sizes() {
        const Parallelism &parallelism = m_plan.parallelism;
        const std::int64_t divisor = parallelism.tensor * 2 * parallelism.context;
        if (m_plan.batch.sequence_length % divisor != 0)
            throw InputError(parallelism.tensor > 1 ? "/parallelism/tensor" : "/parallelism/context",
                             fmt::format("torchtitan v0.2.2 cannot divide a sequence of {} tokens by tensor x 2 x "
                                         "context = {}",
                                         m_plan.batch.sequence_length, divisor),
                             fmt::format("expected a multiple of {}", divisor));
        const std::int64_t kv_heads = m_shape.kv_heads.value_or(m_shape.heads.value_or(1));
        if (!m_shape.latent.kv_rank && kv_heads % parallelism.tensor != 0)
            throw InputError(
                "/parallelism/tensor",
                fmt::format("torchtitan v0.2.2 cannot divide {} KV heads by tensor {}", kv_heads, parallelism.tensor),
                fmt::format("expected a divisor of {}", kv_heads));
        m_plan.parallelism.sequence_parallel = parallelism.tensor > 1;
    }

    void family() {
        if (m_shape.mtp_layers > 0) {
            m_shape.mtp_layers = 0;
            lose("torchtitan does not support MTP modules", "none", {"/model"});
        }
        const bool balances = std::exchange(m_shape.correction_bias, false); // load_balance_coeff
        const bool in_stages = m_plan.parallelism.pipeline > 1;
        if (in_stages)
            separate_head();
        const std::vector<TorchtitanFlavor> flavors = torchtitan_flavors(m_library);
        const ModelShape own = spelled_out(m_shape);
        for (const TorchtitanFlavor &each : flavors) {
            const bool same = each.preset.empty() ? spelled_out(each.shape) == own : each.preset == m_plan.model_id;
            if (same && each.is_released && (!in_stages || has_pipeline(each.model))
                && each.flavor.find("debug") == std::string::npos) {
                m_result.model = each.model;
                m_result.flavor = each.flavor;
                m_target.names_preset = !each.preset.empty();
                const std::int64_t longest = each.shape.longest_sequence.value_or(0);
                if (longest > 0 && m_shape.longest_sequence.value_or(longest) != longest)
                    lose(fmt::format("torchtitan's flavor {} has a fixed maximum sequence length", each.flavor),
                         fmt::format("{} tokens", longest), {"/model/longest_sequence"});
                return;
            }
        }
        m_result.flavor = "meshwright";
        if (balances)
            lose("torchtitan keeps the experts' load-balancing bias as a buffer, not as a weight",
                 "the same bias, not counted as a weight", {"/model"});
        plain_parts();
        if (m_shape.latent.kv_rank)
            latent_family();
        else if (is_llama())
            m_result.model = "llama3";
        else
            attention_family();
    }

    /// qwen3, the only family with tied embeddings, asserts that each stage has both the embedding and the LM head
    /// (torchtitan/models/qwen3/model/model.py).
    void separate_head() {
        if (!std::exchange(m_shape.tied_embeddings, false))
            return;
        const double weights =
            static_cast<double>(m_shape.vocabulary.value_or(0)) * static_cast<double>(m_shape.hidden.value_or(0));
        lose("torchtitan does not support tied embeddings with pipeline parallelism",
             fmt::format("a separate LM head, which adds {} parameters and their memory to the last stage",
                         text_of(weights, Quantity::parameters)),
             {"/model"});
    }

    /// Removes the parts that no family of torchtitan has.
    void plain_parts() {
        m_target.extend_longest_sequence();
        m_target.make_attention_uniform("torchtitan");
        const auto replace = [&](bool condition, const char *what, const char *instead) {
            if (condition)
                lose(fmt::format("torchtitan does not support {}", what), instead, {"/model"});
            return condition;
        };
        if (replace(!m_shape.gated, "feed-forward networks without a gate", "gated networks of the same hidden size"))
            m_shape.gated = true;
        if (replace(m_shape.linear_bias || m_shape.qkv_bias, "biases in linear layers", "none"))
            m_shape.linear_bias = m_shape.qkv_bias = false;
        if (replace(m_shape.norm != NormKind::rms, "LayerNorm", "RMSNorm"))
            m_shape.norm = NormKind::rms;
        if (replace(m_shape.learned_positions.has_value(), "learned positions", "rotary positions"))
            m_shape.learned_positions.reset();
        if (replace(m_shape.embedding_norm, "a norm after the embedding", "none"))
            m_shape.embedding_norm = false;
        if (replace(m_shape.window.value_or(0) > 0, "sliding windows in this model", "full attention"))
            m_shape.window.reset();
        if (replace(m_shape.shared_gate, "a gate on shared experts", "none"))
            m_shape.shared_gate = false;
    }

    bool is_llama() const {
        return m_shape.experts.value_or(0) == 0 && !m_shape.query_key_norm && !m_shape.tied_embeddings
            && m_shape.head_dim.value_or(0) * *m_shape.heads == *m_shape.hidden;
    }

    /// Fits the model to Qwen3's family, where either all layers have experts or none has.
    void attention_family() {
        m_result.model = "qwen3";
        if (m_shape.experts.value_or(0) == 0)
            return;
        if (m_shape.shared_hidden > 0) {
            m_shape.shared_hidden = 0;
            lose("torchtitan's qwen3 has no shared experts", "none", {"/model"});
        }
        if (std::find(m_shape.has_experts.begin(), m_shape.has_experts.end(), false) != m_shape.has_experts.end()) {
            m_shape.has_experts.assign(m_shape.has_experts.size(), true);
            lose("torchtitan's qwen3 does not mix dense layers and layers with experts", "experts in every layer",
                 {"/model"});
        }
    }

    /// Adapts a model with latent attention to torchtitan's deepseek_v3, where the dense layers come first.
    void latent_family() {
        m_result.model = "deepseek_v3";
        if (m_shape.tied_embeddings) {
            m_shape.tied_embeddings = false;
            lose("torchtitan's deepseek_v3 has no tied embeddings", "a separate LM head", {"/model"});
        }
        std::vector<bool> &layers = m_shape.has_experts;
        if (m_shape.experts.value_or(0) == 0)
            layers.assign(static_cast<std::size_t>(*m_shape.layers), false);
        if (!std::is_sorted(layers.begin(), layers.end())) {
            std::sort(layers.begin(), layers.end());
            lose("torchtitan's deepseek_v3 has its dense layers first", "the same number of dense layers first",
                 {"/model"});
        }
        const std::int64_t hidden = std::max<std::int64_t>(1, m_shape.expert_hidden.value_or(1));
        if (m_shape.shared_hidden % hidden != 0) {
            m_shape.shared_hidden = (m_shape.shared_hidden + hidden - 1) / hidden * hidden;
            lose("torchtitan's shared experts have the size of routed experts",
                 "as many shared experts of that size as needed", {"/model"});
        }
    }

    /// FSDP keeps FP32 shards, which are the master copy, unless all states are in BF16 (training.dtype).
    void precision() {
        Precision &precision = m_plan.precision;
        const bool all_half = precision.compute != DataType::fp32 && precision.weights != DataType::fp32
            && precision.master == DataType::none;
        const bool mixed = mixes_precision();
        if (!mixed && !all_half && precision.compute == DataType::bf16) {
            precision.compute = DataType::fp32;
            lose("torchtitan v0.2.2 disables mixed precision with tensor or pipeline parallelism if it does not apply "
                 "FSDP",
                 "FP32", {"/precision/compute"});
        }
        const bool fp32 = precision.compute == DataType::fp32 || (!mixed && !all_half);
        m_target.settle(precision.weights, fp32 ? DataType::fp32 : DataType::bf16, "weights", "/precision/weights");
        m_target.settle(precision.gradients, all_half ? DataType::bf16 : DataType::fp32, "gradients",
                        "/precision/gradients");
        m_target.settle(precision.master, fp32 || all_half ? DataType::none : DataType::fp32, "master weights",
                        "/precision/master");
        m_target.settle(precision.moments, all_half ? DataType::bf16 : DataType::fp32, "moments", "/precision/moments");
    }

    void experts() {
        Parallelism &parallelism = m_plan.parallelism;
        if (m_shape.experts.value_or(0) == 0 || parallelism.expert > 1
            || parallelism.expert_tensor == parallelism.tensor)
            return;
        parallelism.expert_tensor = parallelism.tensor;
        lose("without expert parallelism, torchtitan splits experts like all other layers",
             fmt::format("expert TP {}", parallelism.tensor), {"/parallelism/expert_tensor"});
    }

    /// maybe_enable_amp() of torchtitan/distributed/utils.py
    bool mixes_precision() const {
        const Parallelism &parallelism = m_plan.parallelism;
        return parallelism.zero_stage > 0 || (parallelism.tensor == 1 && parallelism.pipeline == 1);
    }

    /// FSDP shards over data x context; the number of replicas must divide the data degree alone.
    void sharding() {
        Parallelism &parallelism = m_plan.parallelism;
        const std::int64_t ranks = parallelism.data * parallelism.context;
        if (ranks == 1 && std::exchange(parallelism.zero_stage, 0) > 0)
            lose("torchtitan v0.2.2 applies FSDP only if it shards across several ranks", "ZeRO 0",
                 {"/parallelism/zero_stage"});
        if (parallelism.expert > 1 && parallelism.zero_stage == 0 && needs_fsdp_for_experts(m_result.model))
            throw InputError("/parallelism/expert",
                             fmt::format("torchtitan v0.2.2 applies FSDP to {} with expert parallelism, and cannot "
                                         "start if there is nothing to shard across",
                                         m_result.model),
                             "expected expert 1, or ZeRO 2 or 3 on several data-parallel or context-parallel ranks");
        const std::optional<std::int64_t> group = m_target.effective_shard_group();
        if (!group)
            return;
        const std::int64_t experts = parallelism.expert * parallelism.expert_tensor;
        if (*group % parallelism.context != 0 || ranks % *group != 0
            || (parallelism.expert > 1 && *group * parallelism.tensor % experts != 0)) {
            parallelism.shard_group.reset();
            lose(fmt::format("torchtitan cannot shard across {} of {} ranks", *group, ranks), "all ranks",
                 {"/parallelism/shard_group"});
        }
    }

    /// The replacement of a schedule may have changed the number of stages.
    void recomputation() {
        if (m_plan.recompute.mode != RecomputeMode::layers || layers_per_recomputed(m_plan) > 0)
            return;
        lose(fmt::format("torchtitan cannot recompute only {} layers per stage", m_plan.recompute.layers), "all layers",
             {"/recompute/mode"});
        m_plan.recompute = {.mode = RecomputeMode::full};
    }

    /// Source: torchtitan/distributed/dual_pipe_v.py, get_dual_pipe_v_flag.
    void exchanges() {
        if (m_result.exchanges_alone())
            lose("torchtitan's DualPipeV overlaps expert communication only without recomputation", "no overlap",
                 {"/parallelism/schedule"});
    }

    /// torchtitan can split a variant of llama3 into fragments, but not the stages of a pipeline.
    void outer_loop() {
        fit_outer_loop_to_torchft(m_target, m_result.model == "llama3" && m_plan.parallelism.pipeline == 1);
        if (m_plan.outer.fragments > 1)
            m_result.model = "llama3_ft";
    }

    TorchtitanTarget &m_result;
    TargetPlan &m_target;
    Plan &m_plan;
    ModelShape &m_shape;
    const Library &m_library;
};

} // namespace

bool TorchtitanTarget::registers_pipeline() const {
    return is_own_flavor() && target.plan.parallelism.pipeline > 1 && !has_pipeline(model);
}

bool TorchtitanTarget::exchanges_alone() const {
    const Plan &plan = target.plan;
    return plan.parallelism.pipeline > 1 && plan.parallelism.schedule == Schedule::dualpipe_v
        && plan.parallelism.expert > 1 && plan.recompute.mode != RecomputeMode::none;
}

std::int64_t layers_per_recomputed(const Plan &plan) {
    const std::int64_t stages = plan.virtual_stages();
    const std::int64_t per_stage = plan.model.layer_count() / stages;
    const std::int64_t recomputed = plan.recompute.layers;
    if (plan.recompute.mode != RecomputeMode::layers || recomputed < 1 || plan.model.layer_count() % stages != 0)
        return 0;
    const std::int64_t every = per_stage / recomputed;
    return every > 1 && per_stage / every == recomputed ? every : 0;
}

TorchtitanTarget torchtitan_target(const Plan &plan, const Library &library) {
    Stack software = *library.stack(torchtitan_stack(plan.stack.fuses_elementwise));
    software.name = "torchtitan v0.2.2";
    if (layers_per_recomputed(plan) > 0)
        software.can_run.recompute->emplace_back("layers");
    const std::string obstacle = torchft_obstacle(plan);
    const bool keeps_sites = plan.outer.method != OuterMethod::none && obstacle.empty();
    TorchtitanTarget result{.target = target_plan(plan, std::move(software), ModelOptions::usual,
                                                  keeps_sites ? SiteScope::all : SiteScope::one)};
    if (!obstacle.empty())
        result.target.lose(obstacle, "the job of one site", {"/outer/method"});
    TorchtitanRules(result, library).apply();
    return result;
}

} // namespace meshwright

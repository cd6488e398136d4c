// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/deepspeed_target.h"

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "launch/deepspeed_stages.h"
#include "launch/rank_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace meshwright {

namespace {

class DeepSpeedRules {
public:
    DeepSpeedRules(TargetPlan &target, const Plan &planned)
        : m_target(target)
        , m_planned(planned)
        , m_plan(target.plan)
        , m_shape(target.shape) { }

    void apply() {
        model();
        experts();
        parallelism();
        precision();
        m_plan.offload.outer = Offload{}.outer;
    }

private:
    bool lacks(bool condition, const char *what, const char *instead, const char *field = "/model") {
        if (condition)
            m_target.lose(fmt::format("Megatron-DeepSpeed does not support {}", what), instead, {field});
        return condition;
    }

    void model() {
        m_target.make_attention_uniform("Megatron-DeepSpeed");
        if (lacks(m_shape.latent.kv_rank.has_value(), "latent attention",
                  "multi-head attention with the same number of heads")) {
            m_shape.latent = {};
            m_shape.kv_heads = m_shape.heads;
            m_shape.head_dim = *m_shape.hidden / *m_shape.heads;
        }
        if (lacks(m_shape.query_key_norm, "query and key norms", "none"))
            m_shape.query_key_norm = false;
        if (lacks(m_shape.window.value_or(0) > 0, "sliding windows", "full attention"))
            m_shape.window.reset();
        if (lacks(m_shape.qkv_bias && !m_shape.linear_bias, "QKV biases only", "none"))
            m_shape.qkv_bias = false;
        m_shape.qkv_bias = m_shape.linear_bias;
        if (lacks(m_shape.norm == NormKind::layer_without_bias, "LayerNorm without bias", "LayerNorm with bias"))
            m_shape.norm = NormKind::layer;
        if (lacks(m_shape.embedding_norm, "a norm after the embedding", "none"))
            m_shape.embedding_norm = false;
        m_target.fit_longest_sequence_to_positions();
        if (lacks(m_shape.mtp_layers > 0, "MTP modules", "none"))
            m_shape.mtp_layers = 0;
        m_target.pad_vocabulary();
    }

    /// DeepSpeed's experts are as large as the dense feed-forward network, and every n-th layer has experts.
    void experts() {
        if (m_shape.experts.value_or(0) == 0)
            return;
        if (lacks(m_shape.expert_hidden != m_shape.feed_forward,
                  "experts whose size differs from the dense feed-forward network",
                  "dense feed-forward networks of the experts' size"))
            m_shape.feed_forward = m_shape.expert_hidden;
        if (lacks(m_shape.shared_hidden > 0, "shared experts", "none"))
            m_shape.shared_hidden = 0;
        m_shape.shared_gate = false;
        if (lacks(m_shape.correction_bias, "an expert bias for load balancing", "an auxiliary loss"))
            m_shape.correction_bias = false;
        std::vector<bool> &layers = m_shape.has_experts;
        const auto first = std::find(layers.begin(), layers.end(), true) - layers.begin();
        bool regular = true;
        for (std::size_t i = 0; i < layers.size(); ++i)
            regular = regular && layers[i] == ((static_cast<std::ptrdiff_t>(i) + 1) % (first + 1) == 0);
        if (lacks(!regular, "an MoE layer pattern other than every n-th layer", "experts in every layer"))
            layers.assign(layers.size(), true);
        Parallelism &parallelism = m_plan.parallelism;
        if (lacks(parallelism.expert_tensor > 1, "expert tensor parallelism", "expert TP 1",
                  "/parallelism/expert_tensor"))
            parallelism.expert_tensor = 1;
    }

    void parallelism() {
        Parallelism &parallelism = m_plan.parallelism;
        if (parallelism.context > 1 && parallelism.tensor * parallelism.pipeline > 1) // megatron/core/parallel_state.py
            throw InputError("/parallelism/context",
                             "Megatron-DeepSpeed does not combine its sequence parallelism (Ulysses) with tensor or "
                             "pipeline parallelism",
                             "expected context 1, or tensor 1 and pipeline 1");
        if (parallelism.context > 1)
            m_target.lose("DeepSpeed's sequence parallelism is Ulysses, not a ring",
                          "all-to-alls that split the heads across ranks", {"/parallelism/context"});
        stages();
        if (parallelism.shard_group && parallelism.zero_stage != 3)
            parallelism.shard_group.reset();
        m_target.keep_optimizer({OptimizerKind::adamw, OptimizerKind::sgd}, "Megatron-DeepSpeed");
        parallelism.placement = {Dimension::tensor, Dimension::context, Dimension::expert, Dimension::data,
                                 Dimension::pipeline};
        if (!is_in_order(rank_digits(m_planned, m_plan)))
            m_target.lose(
                "Megatron-DeepSpeed derives a rank's accelerator from the rank number, so ranks cannot be remapped",
                "the rank order tensor, context, data, pipeline", {"/parallelism/placement"});
    }

    /// Megatron-DeepSpeed divides the layers itself (partition_method in megatron/model/gpt_model.py).
    void stages() {
        Parallelism &parallelism = m_plan.parallelism;
        if (parallelism.pipeline == 1)
            return;
        const std::int64_t layers = m_plan.model.layer_count();
        const DeepSpeedStages own = deepspeed_stages(layers, parallelism.pipeline, CountedModules::layers);
        if (own.has_empty_stage)
            throw InputError("/parallelism/pipeline",
                             fmt::format("Megatron-DeepSpeed counts only the layers when it divides them, so {} stages "
                                         "for {} layers leave a stage without weights",
                                         parallelism.pipeline, layers),
                             fmt::format("expected at most {}", layers));
        const auto is_uneven = [](const std::vector<std::int64_t> &each) {
            return std::adjacent_find(each.begin(), each.end(), std::not_equal_to<>()) != each.end();
        };
        const std::vector<std::int64_t> planned = stage_layers(m_planned);
        if (planned != own.layers && (is_uneven(planned) || is_uneven(own.layers)))
            m_target.lose("DeepSpeed takes no list of layers per stage",
                          "stages balanced by transformer layers, without counting the embedding and the head",
                          {"/parallelism/layout"});
        parallelism.layout.clear();
        if (is_uneven(own.layers))
            parallelism.layout = own.layers;
    }

    void precision() {
        Precision &precision = m_plan.precision;
        const DataType half = precision.compute;
        m_target.settle(precision.weights, half, "weights", "/precision/weights");
        // With fp16, --accumulate-allreduce-grads-in-fp32 decides the format of gradients; with bf16 they are in FP32.
        const bool half_gradients = half == DataType::fp16 && precision.gradients == DataType::fp16;
        m_target.settle(precision.gradients, half_gradients ? DataType::fp16 : DataType::fp32, "gradients",
                        "/precision/gradients");
        m_target.settle(precision.master, half == DataType::fp32 ? DataType::none : DataType::fp32, "master weights",
                        "/precision/master");
        m_target.settle(precision.moments, DataType::fp32, "moments", "/precision/moments");
    }

    TargetPlan &m_target;
    const Plan &m_planned;
    Plan &m_plan;
    ModelShape &m_shape;
};

} // namespace

TargetPlan deepspeed_target(const Plan &plan, const Library &library) {
    const bool zero_bubble = plan.parallelism.schedule == Schedule::zb_h1 && plan.parallelism.pipeline > 1;
    Stack software = *library.stack(zero_bubble ? "megatron-deepspeed-2024" : "megatron-deepspeed-2022");
    software.name = zero_bubble ? "Megatron-DeepSpeed with ZB-H1" : "Megatron-DeepSpeed";
    TargetPlan target = target_plan(plan, std::move(software));
    DeepSpeedRules(target, plan).apply();
    return target;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/nanotron_target.h"

#include "catalog/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

class NanotronRules {
public:
    explicit NanotronRules(NanotronTarget &result)
        : m_result(result)
        , m_target(result.target)
        , m_plan(result.target.plan)
        , m_shape(result.target.shape) { }

    void apply() {
        attention();
        transform();
        rest_of_model();
        precision();
        m_target.keep_optimizer({OptimizerKind::adamw, OptimizerKind::sgd}, "nanotron");
        m_plan.parallelism.placement = {Dimension::tensor, Dimension::context, Dimension::expert, Dimension::data,
                                        Dimension::pipeline};
        if (!m_plan.parallelism.layout.empty()) {
            m_plan.parallelism.layout.clear();
            m_target.lose("nanotron does not take a list of layers per stage", "stages balanced by their weights",
                          {"/parallelism/layout"});
        }
        if (m_plan.parallelism.zero_stage == 0 || m_plan.parallelism.data == 1)
            m_plan.parallelism.shard_group.reset();
        m_plan.offload.outer = Offload{}.outer;
    }

private:
    /// If the condition holds, records that nanotron does not support a part of the model. @returns the condition
    bool lacks(bool condition, const char *what, const char *instead) {
        if (condition)
            m_target.lose(fmt::format("nanotron does not support {}", what), instead, {"/model"});
        return condition;
    }

    void attention() {
        m_target.make_attention_uniform("nanotron");
        if (lacks(m_shape.latent.kv_rank.has_value(), "latent attention",
                  "multi-head attention with the same number of heads")) {
            m_shape.latent = {};
            m_shape.kv_heads = m_shape.heads;
            m_shape.head_dim = *m_shape.hidden / *m_shape.heads;
        }
        const std::int64_t head_dim = *m_shape.hidden / *m_shape.heads;
        if (lacks(m_shape.head_dim.value_or(head_dim) != head_dim, "a head dimension other than hidden size / heads",
                  "hidden size / heads"))
            m_shape.head_dim = head_dim;
        if (lacks(m_shape.query_key_norm, "query and key norms", "none"))
            m_shape.query_key_norm = false;
        if (lacks(m_shape.learned_positions.has_value(), "learned positions", "rotary positions"))
            m_shape.learned_positions.reset();
    }

    void transform() {
        const bool experts = m_shape.experts.value_or(0) > 0;
        if (lacks(!m_shape.gated, "feed-forward networks without a gate",
                  "gated feed-forward networks of the same hidden size"))
            m_shape.gated = true;
        if (lacks(m_shape.linear_bias, "biases in all linear layers", "QKV biases only")) {
            m_shape.linear_bias = false;
            m_shape.qkv_bias = true;
        }
        if (lacks(m_shape.norm != NormKind::rms, "LayerNorm", "RMSNorm"))
            m_shape.norm = NormKind::rms;
        if (lacks(m_shape.correction_bias, "an expert bias for load balancing", "an auxiliary loss"))
            m_shape.correction_bias = false;
        if (lacks(m_shape.shared_hidden > 0 && !m_shape.shared_gate, "shared experts without a gate", "with one"))
            m_shape.shared_gate = true;
        const bool rich =
            experts || m_shape.qkv_bias || m_shape.window.value_or(0) > 0 || m_plan.parallelism.context > 1;
        m_result.model = rich ? NanotronModel::qwen2 : NanotronModel::llama;
    }

    void rest_of_model() {
        if (lacks(m_shape.embedding_norm, "a norm after the embedding", "none"))
            m_shape.embedding_norm = false;
        if (lacks(m_shape.mtp_layers > 0, "MTP modules", "none"))
            m_shape.mtp_layers = 0;
        m_target.pad_vocabulary();
    }

    /// accumulate_grad_in_fp32 sets both FP32 gradients and FP32 master weights; neither is possible alone.
    void precision() {
        Precision &precision = m_plan.precision;
        const DataType half = precision.compute;
        const bool wide = half == DataType::fp32 || precision.master != DataType::none;
        m_target.settle(precision.weights, half, "weights", "/precision/weights");
        m_target.settle(precision.gradients, wide ? DataType::fp32 : half, "gradients", "/precision/gradients");
        m_target.settle(precision.master, wide && half != DataType::fp32 ? DataType::fp32 : DataType::none,
                        "master weights", "/precision/master");
        m_target.settle(precision.moments, wide ? DataType::fp32 : half, "moments", "/precision/moments");
    }

    NanotronTarget &m_result;
    TargetPlan &m_target;
    Plan &m_plan;
    ModelShape &m_shape;
};

} // namespace

NanotronTarget nanotron_target(const Plan &plan, const Library &library) {
    Stack software = *library.stack("nanotron-2024");
    software.name = "nanotron";
    NanotronTarget result{.target = target_plan(plan, std::move(software))};
    NanotronRules(result).apply();
    return result;
}

} // namespace meshwright

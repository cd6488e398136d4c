// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/torchtitan_model_file.h"

#include "launch/export_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

class ModelFile {
public:
    explicit ModelFile(const TorchtitanTarget &target)
        : m_target(target)
        , m_shape(target.target.shape) { }

    ExportFile write() {
        m_text.comment(fmt::format("Adds the flavor {} to torchtitan's family {}. train.toml imports it.",
                                   m_target.flavor, m_target.model));
        if (m_target.model == "deepseek_v3")
            deepseek();
        else if (m_target.model == "qwen3")
            qwen();
        else
            llama();
        if (m_target.registers_pipeline())
            pipeline();
        return {.name = "meshwright_model.py", .lines = std::move(m_text).take()};
    }

private:
    void open(const char *module, const char *table, const char *arguments) {
        if (m_target.registers_pipeline()) {
            m_text.add("from dataclasses import replace", "/parallelism/pipeline");
            m_text.add("from torchtitan.distributed.pipeline_parallel import pipeline_llm", "/parallelism/pipeline");
        }
        if (m_shape.experts.value_or(0) > 0)
            m_text.add("from torchtitan.models.moe import MoEArgs");
        m_text.add(fmt::format("from torchtitan.models.{} import {}, {}", module, arguments, table));
        if (m_target.registers_pipeline())
            m_text.add("from torchtitan.protocols.train_spec import get_train_spec, register_train_spec",
                       "/parallelism/pipeline");
        m_text.blank();
        m_text.add(fmt::format("{}[\"{}\"] = {}(", table, m_target.flavor, arguments));
    }
    void argument(const char *name, std::int64_t value, const char *field, std::string why = {}) {
        std::string line = fmt::format("    {}={},", name, value);
        if (!why.empty())
            line += "  # " + why;
        m_text.add(std::move(line), field, std::move(why));
    }
    void flag(const char *name, bool value, const char *field) {
        m_text.add(fmt::format("    {}={},", name, value ? "True" : "False"), field);
    }
    void close() { m_text.add(")"); }

    void sizes() {
        argument("dim", *m_shape.hidden, "/model/hidden");
        argument("n_layers", *m_shape.layers, "/model/layers");
        argument("n_heads", *m_shape.heads, "/model/blocks/0/mixer/heads");
        argument("vocab_size", *m_shape.vocabulary, "/model/vocabulary");
        argument("max_seq_len", *m_shape.longest_sequence, "/model/longest_sequence");
    }

    void experts(const char *score) {
        if (m_shape.experts.value_or(0) == 0)
            return;
        const std::int64_t hidden = std::max<std::int64_t>(1, m_shape.expert_hidden.value_or(1));
        const char *const field = "/model/blocks/0/transform";
        argument("moe_inter_dim", hidden, field);
        m_text.add("    moe_args=MoEArgs(", field);
        argument("    num_experts", *m_shape.experts, field);
        argument("    num_shared_experts", m_shape.shared_hidden / hidden, field);
        argument("    top_k", m_shape.experts_per_token, field);
        m_text.add(fmt::format("        score_func=\"{}\", route_norm=True, score_before_experts=False,", score));
        m_text.add("    ),");
    }

    /// torchtitan/models/llama3/model/model.py rounds the feed-forward size, ffn_dim_multiplier x 8/3 x dim, up to a
    /// multiple of `multiple_of`. If multiple_of is the wanted size, the result is exactly that size.
    void llama() {
        open("llama3", "llama3_args", "TransformerModelArgs");
        sizes();
        argument("n_kv_heads", m_shape.kv_heads.value_or(*m_shape.heads), "/model/blocks/0/mixer/kv_heads");
        const std::int64_t hidden = m_shape.feed_forward.value_or(4 * *m_shape.hidden);
        const double unscaled = 8.0 / 3.0 * static_cast<double>(*m_shape.hidden);
        const char *const field = "/model/blocks/0/transform/hidden";
        argument("multiple_of", hidden, field,
                 "the feed-forward hidden size itself, so that torchtitan's rounding gives exactly this size");
        m_text.add(
            fmt::format("    ffn_dim_multiplier={:.6f},", 0.99 * std::min(1.0, static_cast<double>(hidden) / unscaled)),
            field);
        m_text.add("    rope_theta=500000,  # not part of the plan: the base of Llama 3");
        close();
    }

    void qwen() {
        open("qwen3", "qwen3_args", "Qwen3ModelArgs");
        sizes();
        argument("n_kv_heads", m_shape.kv_heads.value_or(*m_shape.heads), "/model/blocks/0/mixer/kv_heads");
        argument("head_dim", m_shape.head_dim.value_or(*m_shape.hidden / *m_shape.heads),
                 "/model/blocks/0/mixer/head_dim");
        argument("hidden_dim", m_shape.feed_forward.value_or(4 * *m_shape.hidden), "/model/blocks/0/transform/hidden");
        flag("qk_norm", m_shape.query_key_norm, "/model/blocks/0/mixer/query_key_norm");
        if (!m_shape.query_key_norm) // a Llama model with tied embeddings
            m_text.add("    rope_theta=500000,  # not part of the plan: the base of Llama 3");
        flag("enable_weight_tying", m_shape.tied_embeddings, "/model/tied_embeddings");
        flag("moe_enabled", m_shape.experts.value_or(0) > 0, "/model/blocks/0/transform");
        experts("softmax");
        close();
    }

    void deepseek() {
        open("deepseek_v3", "deepseekv3_args", "DeepSeekV3ModelArgs");
        sizes();
        argument("inter_dim", m_shape.feed_forward.value_or(4 * *m_shape.hidden), "/model/blocks/0/transform/hidden");
        argument("n_dense_layers", std::count(m_shape.has_experts.begin(), m_shape.has_experts.end(), false),
                 "/model/layers");
        const char *const field = "/model/blocks/0/mixer";
        argument("q_lora_rank", m_shape.latent.query_rank, field);
        argument("kv_lora_rank", m_shape.latent.kv_rank.value_or(1), field);
        argument("qk_nope_head_dim", m_shape.latent.nope_head_dim, field);
        argument("qk_rope_head_dim", m_shape.latent.rope_head_dim, field);
        argument("v_head_dim", m_shape.latent.value_head_dim, field);
        experts("sigmoid");
        close();
    }

    /// A registered train spec precedes torchtitan's own of the same name (torchtitan/protocols/train_spec.py).
    void pipeline() {
        m_text.blank();
        m_text.comment(fmt::format(
            "torchtitan v0.2.2 refuses pipeline parallelism for {0}, because its train spec has no pipelining "
            "function; the model itself can be split into stages. The function below is the one that "
            "torchtitan's main branch uses.",
            m_target.model));
        m_text.add(fmt::format("register_train_spec(\"{0}\", replace(get_train_spec(\"{0}\"), "
                               "pipelining_fn=pipeline_llm))",
                               m_target.model),
                   "/parallelism/pipeline");
    }

    const TorchtitanTarget &m_target;
    const ModelShape &m_shape;
    ExportText m_text;
};

} // namespace

std::optional<ExportFile> torchtitan_model_file(const TorchtitanTarget &target) {
    if (!target.is_own_flavor())
        return std::nullopt;
    return ModelFile(target).write();
}

} // namespace meshwright

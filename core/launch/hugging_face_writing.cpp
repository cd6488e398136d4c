// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/hugging_face_writing.h"

#include "launch/export_text.h"
#include "launch/nested_options.h"

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

bool has_experts(const ModelShape &shape) {
    return shape.experts.value_or(0) > 0;
}

bool is_dense_without_qk_norm(const ModelShape &shape) {
    return !shape.latent.kv_rank && !has_experts(shape) && !shape.query_key_norm
        && (shape.linear_bias || !shape.qkv_bias);
}

bool has_plain_layers(const ModelShape &shape) {
    return shape.gated && shape.norm == NormKind::rms && !shape.learned_positions && !shape.embedding_norm
        && shape.window.value_or(0) == 0 && shape.has_delta_net.empty();
}

class ConfigWriter {
public:
    ConfigWriter(const ModelShape &shape, std::int64_t longest, bool in_bf16)
        : m_shape(shape)
        , m_longest(longest)
        , m_in_bf16(in_bf16) { }

    std::optional<ExportFile> write() {
        if (!has_plain_layers(m_shape))
            return std::nullopt;
        const bool written = m_shape.latent.kv_rank ? deepseek() : has_experts(m_shape) ? mixture() : dense();
        if (!written)
            return std::nullopt;
        ExportText text;
        m_json.write_json(text);
        return ExportFile{.name = "config.json", .lines = std::move(text).take()};
    }

private:
    void add(const char *key, nlohmann::ordered_json value, const char *field = "/model") {
        m_json.add(key, std::move(value), field);
    }

    void sizes(const char *type, const char *architecture) {
        add("model_type", type);
        add("architectures", nlohmann::ordered_json::array({architecture}));
        add("hidden_size", *m_shape.hidden, "/model/hidden");
        add("num_hidden_layers", *m_shape.layers, "/model/layers");
        add("num_attention_heads", *m_shape.heads, "/model/blocks/0/mixer/heads");
        add("intermediate_size", m_shape.feed_forward.value_or(4 * *m_shape.hidden),
            "/model/blocks/0/transform/hidden");
        add("hidden_act", "silu", "/model/blocks/0/transform/gated");
        add("vocab_size", *m_shape.vocabulary, "/model/vocabulary");
        add("max_position_embeddings", m_longest, "/model/longest_sequence");
        add("tie_word_embeddings", m_shape.tied_embeddings, "/model/tied_embeddings");
        if (m_in_bf16)
            add("torch_dtype", "bfloat16", "/precision/weights");
        add("rms_norm_eps", 1e-5);
        add("rope_theta", 500000.0);
    }
    void grouped_queries() {
        add("num_key_value_heads", m_shape.kv_heads.value_or(*m_shape.heads), "/model/blocks/0/mixer/kv_heads");
        add("head_dim", m_shape.head_dim.value_or(*m_shape.hidden / *m_shape.heads), "/model/blocks/0/mixer/head_dim");
    }

    bool dense() {
        if (is_dense_without_qk_norm(m_shape)) {
            sizes("llama", "LlamaForCausalLM");
            grouped_queries();
            add("attention_bias", m_shape.linear_bias, "/model/blocks/0/mixer");
            add("mlp_bias", m_shape.linear_bias, "/model/blocks/0/transform/bias");
            return true;
        }
        if (m_shape.qkv_bias || m_shape.linear_bias)
            return false;
        sizes("qwen3", "Qwen3ForCausalLM");
        grouped_queries();
        return true;
    }

    bool mixture() {
        const bool every_layer =
            std::find(m_shape.has_experts.begin(), m_shape.has_experts.end(), false) == m_shape.has_experts.end();
        if (!m_shape.query_key_norm || m_shape.shared_hidden > 0 || m_shape.correction_bias || m_shape.linear_bias
            || m_shape.qkv_bias || !every_layer)
            return false;
        sizes("qwen3_moe", "Qwen3MoeForCausalLM");
        grouped_queries();
        const char *const field = "/model/blocks/0/transform";
        add("num_experts", *m_shape.experts, field);
        add("num_experts_per_tok", m_shape.experts_per_token, field);
        add("moe_intermediate_size", m_shape.expert_hidden.value_or(1), field);
        add("norm_topk_prob", true);
        add("decoder_sparse_step", 1, field);
        add("mlp_only_layers", nlohmann::ordered_json::array(), field);
        return true;
    }

    bool deepseek() {
        const std::int64_t expert = std::max<std::int64_t>(1, m_shape.expert_hidden.value_or(1));
        if (!has_experts(m_shape) || !m_shape.correction_bias || m_shape.shared_hidden % expert != 0
            || !std::is_sorted(m_shape.has_experts.begin(), m_shape.has_experts.end()))
            return false;
        sizes("deepseek_v3", "DeepseekV3ForCausalLM");
        add("num_key_value_heads", *m_shape.heads, "/model/blocks/0/mixer/heads");
        const char *const mixer = "/model/blocks/0/mixer";
        if (m_shape.latent.query_rank > 0)
            add("q_lora_rank", m_shape.latent.query_rank, mixer);
        else
            add("q_lora_rank", nullptr, mixer);
        add("kv_lora_rank", *m_shape.latent.kv_rank, mixer);
        add("qk_nope_head_dim", m_shape.latent.nope_head_dim, mixer);
        add("qk_rope_head_dim", m_shape.latent.rope_head_dim, mixer);
        add("v_head_dim", m_shape.latent.value_head_dim, mixer);
        const char *const field = "/model/blocks/1/transform";
        add("n_routed_experts", *m_shape.experts, field);
        add("num_experts_per_tok", m_shape.experts_per_token, field);
        add("moe_intermediate_size", expert, field);
        add("n_shared_experts", m_shape.shared_hidden / expert, field);
        add("first_k_dense_replace", std::count(m_shape.has_experts.begin(), m_shape.has_experts.end(), false),
            "/model/layers");
        add("moe_layer_freq", 1);
        add("scoring_func", "sigmoid");
        add("topk_method", "noaux_tc", field);
        add("num_nextn_predict_layers", m_shape.mtp_layers, "/model/mtp_layers");
        return true;
    }

    const ModelShape &m_shape;
    std::int64_t m_longest;
    bool m_in_bf16;
    NestedOptions m_json;
};

} // namespace

bool is_llama(const ModelShape &shape) {
    return has_plain_layers(shape) && is_dense_without_qk_norm(shape);
}

std::optional<ExportFile> hugging_face_config(const ModelShape &shape, std::int64_t longest, bool in_bf16) {
    return ConfigWriter(shape, longest, in_bf16).write();
}

} // namespace meshwright

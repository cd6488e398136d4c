// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/hugging_face_parts.h"

#include "catalog/model_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright::hugging_face {

std::int64_t layer_count_of(const Config &config) {
    return config.count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, 1, max_layers);
}

std::int64_t hidden_of(const Config &config) {
    return config.count({"hidden_size", "n_embd", "d_model", "n_embed"}, 1, max_hidden);
}

void read_outline(const Config &config, const Traits &traits, Model &model) {
    model.hidden = hidden_of(config);
    model.vocabulary = config.count({"vocab_size"}, 1, max_rows);
    model.tied_embeddings = config.flag({"tie_word_embeddings"}, traits.tied);
    model.norm = traits.norm;
    model.longest_sequence = config.count_or(
        {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx"}, 0, 0, longest_text);
    model.head_bias = config.flag({"lm_head_bias"}, false);
}

Attention read_attention(const Config &config, const Traits &traits) {
    Attention attention;
    attention.heads = config.count({"num_attention_heads", "n_head", "n_heads"}, 1, max_heads);
    attention.kv_heads =
        config.count_or({"num_key_value_heads", "n_head_kv", "num_kv_heads", "kv_n_heads", "num_attention_groups"},
                        attention.heads, 1, max_heads);
    if (attention.heads % attention.kv_heads != 0)
        config.fail("num_key_value_heads",
                    fmt::format("{} does not divide the {} heads", attention.kv_heads, attention.heads),
                    "expected a divisor of the number of heads");
    const std::int64_t hidden = hidden_of(config);
    attention.head_dim =
        config.count_or({"head_dim", "attention_head_dim", "kv_channels"}, hidden / attention.heads, 0, max_head_width);
    if (attention.head_dim < 1)
        config.fail("num_attention_heads", "more heads than the hidden size", "expected at most hidden_size heads");
    if (!config.has("head_dim") && !config.has("attention_head_dim") && !config.has("kv_channels")
        && hidden % attention.heads != 0)
        config.fail("num_attention_heads",
                    fmt::format("{} does not divide the hidden size {}", attention.heads, hidden),
                    "expected a divisor of hidden_size, or a value for head_dim");
    attention.query_key_value_bias =
        config.flag({"attention_bias", "use_qkv_bias", "qkv_bias", "bias"}, traits.query_key_value_bias);
    attention.output_bias = traits.output_bias && attention.query_key_value_bias;
    attention.query_key_norm = traits.query_key_norm;
    return attention;
}

LatentAttention read_latent_attention(const Config &config) {
    LatentAttention attention;
    attention.heads = config.count({"num_attention_heads"}, 1, max_heads);
    attention.query_rank = config.count_or({"q_lora_rank"}, 0, 0, max_head_width);
    attention.key_value_rank = config.count({"kv_lora_rank"}, 1, max_head_width);
    attention.nope_head_dim = config.count({"qk_nope_head_dim"}, 1, max_head_width);
    attention.rope_head_dim = config.count({"qk_rope_head_dim"}, 0, max_head_width);
    attention.value_head_dim = config.count({"v_head_dim"}, 1, max_head_width);
    attention.bias = config.flag({"attention_bias"}, false);
    attention.output_gate = config.flag({"mla_use_output_gate"}, false);
    attention.index_heads = config.count_or({"index_n_heads"}, 0, 0, max_heads);
    if (attention.index_heads > 0) {
        attention.index_head_dim = config.count({"index_head_dim"}, 1, max_head_width);
        attention.index_tokens = config.count_or({"index_topk"}, 0, 0, longest_text);
    }
    return attention;
}

FeedForward read_feed_forward(const Config &config, const Traits &traits) {
    return {.hidden = config.count({"intermediate_size", "ffn_hidden_size", "ffn_dim"}, 1, max_feed_forward),
            .gated = traits.gated,
            .bias = config.flag({"mlp_bias"}, traits.feed_forward_bias)};
}

Experts read_experts(const Config &config, const Traits &traits) {
    Experts experts;
    experts.experts =
        config.count({"num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts"}, 1, max_experts);
    experts.experts_per_token = config.count(
        {"num_experts_per_tok", "num_experts_per_token", "experts_per_token", "top_k_experts", "moe_top_k"}, 1,
        max_experts);
    if (experts.experts_per_token > experts.experts)
        config.fail("num_experts_per_tok",
                    fmt::format("{} is more than the {} experts", experts.experts_per_token, experts.experts),
                    "expected at most the number of experts");
    experts.hidden = config.count({"moe_intermediate_size", "intermediate_size", "ffn_hidden_size"}, 1, max_hidden);
    experts.gated = traits.gated;
    experts.shared_hidden = config.count_or({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size",
                                             "share_expert_dim", "shared_intermediate_size"},
                                            0, 0, max_feed_forward);
    if (experts.shared_hidden == 0)
        experts.shared_hidden =
            config.count_or({"n_shared_experts", "num_shared_experts"}, 0, 0, 1'000) * experts.hidden;
    if (experts.shared_hidden > max_feed_forward)
        config.fail("n_shared_experts", "too many shared experts",
                    fmt::format("expected a total hidden size of at most {}", max_feed_forward));
    experts.shared_gate = traits.shared_gate && experts.shared_hidden > 0;
    experts.correction_bias = config.has("topk_method")
        ? config.text("topk_method") == "noaux_tc"
        : config.flag({"use_routing_bias", "use_moe_router_bias"}, traits.correction_bias);
    return experts;
}

std::vector<std::int64_t> read_windows(const Config &config, std::int64_t layers) {
    std::vector<std::int64_t> windows(static_cast<std::size_t>(layers));
    const std::int64_t longest = config.count_or({"max_position_embeddings"}, longest_text, 0, longest_text);
    std::int64_t window = config.count_or({"sliding_window"}, 0, -1, longest_text);
    window = window >= longest || window < 0 ? 0 : window;
    if (config.has("layer_types")) {
        const std::vector<std::string> types = config.words("layer_types");
        config.require_length("layer_types", types.size(), layers);
        const std::int64_t chunk = config.count_or({"attention_chunk_size"}, 0, 0, longest_text);
        for (std::size_t i = 0; i < windows.size(); ++i)
            windows[i] = types[i] == "sliding_attention" ? window : types[i] == "chunked_attention" ? chunk : 0;
        return windows;
    }
    if (!config.flag({"use_sliding_window"}, true))
        return windows;
    const auto full = config.has("use_sliding_window") ? config.count_or({"max_window_layers"}, 0, 0, max_layers) : 0;
    for (std::int64_t i = 0; i < layers; ++i)
        windows[static_cast<std::size_t>(i)] = i < full ? 0 : window;
    return windows;
}

namespace {

/// The MoE layer frequency is an interval, or a list of one flag per layer.
void apply_frequency(const Config &config, std::vector<bool> &experts) {
    if (config.is_list("moe_layer_freq")) {
        const std::vector<std::int64_t> switches = config.counts("moe_layer_freq", 0, 1);
        config.require_length("moe_layer_freq", switches.size(), static_cast<std::int64_t>(experts.size()));
        for (std::size_t i = 0; i < experts.size(); ++i)
            experts[i] = switches[i] == 1;
        return;
    }
    const auto first = static_cast<std::size_t>(config.count_or({"first_k_dense_replace"}, 0, 0, max_layers));
    const auto every = static_cast<std::size_t>(config.count_or({"moe_layer_freq"}, 1, 1, max_layers));
    const auto step = static_cast<std::size_t>(config.count_or({"decoder_sparse_step"}, 1, 1, max_layers));
    for (std::size_t i = 0; i < experts.size(); ++i)
        experts[i] = i >= first && i % every == 0 && (i + 1) % step == 0;
}

} // namespace

std::vector<bool> read_expert_layers(const Config &config, std::int64_t layers) {
    std::vector<bool> experts(static_cast<std::size_t>(layers));
    if (config.has("mlp_layer_types")) {
        const std::vector<std::string> types = config.words("mlp_layer_types");
        config.require_length("mlp_layer_types", types.size(), layers);
        for (std::size_t i = 0; i < experts.size(); ++i)
            experts[i] = types[i] == "sparse";
        return experts;
    }
    apply_frequency(config, experts);
    if (config.has("mlp_only_layers"))
        for (const std::int64_t layer : config.counts("mlp_only_layers", 0, max_layers))
            if (layer < layers)
                experts[static_cast<std::size_t>(layer)] = false;
    return experts;
}

std::string block_name(const Mixer &mixer, const Transform &transform) {
    std::string name;
    if (const auto *attention = std::get_if<Attention>(&mixer))
        name = attention->compression > 0 ? fmt::format("compressed {}", attention->compression)
            : attention->index_heads > 0  ? "sparse attention"
            : attention->window > 0       ? "sliding"
                                          : "";
    else if (const auto *latent = std::get_if<LatentAttention>(&mixer))
        name = latent->index_heads > 0 ? "sparse attention" : "";
    else if (const auto *recurrent = std::get_if<RecurrentMixer>(&mixer))
        name = recurrent->kind;
    else
        name = "no mixer";
    const std::string part = std::holds_alternative<Experts>(transform) ? "experts"
        : std::holds_alternative<FeedForward>(transform)                ? "dense"
                                                                        : "mixer only";
    return name.empty() ? part : name + ", " + part;
}

void add_layers(Model &model, const Traits &traits, std::int64_t layers, const MixerOf &mixer,
                const TransformOf &transform) {
    LayerList list(model);
    for (std::int64_t i = 0; i < layers; ++i) {
        Block block{.name = {},
                    .mixer = mixer(i),
                    .transform = transform(i),
                    .norms = traits.norms,
                    .parallel = traits.parallel};
        block.name = block_name(block.mixer, block.transform);
        list.add(block);
    }
}

TransformOf dense_or_experts(const Config &config, const Traits &traits, std::int64_t layers) {
    const std::vector<bool> expert_layers = read_expert_layers(config, layers);
    const bool any_dense = std::find(expert_layers.begin(), expert_layers.end(), false) != expert_layers.end();
    const bool any_experts = std::find(expert_layers.begin(), expert_layers.end(), true) != expert_layers.end();
    const FeedForward dense = any_dense ? read_feed_forward(config, traits) : FeedForward{};
    const Experts experts = any_experts ? read_experts(config, traits) : Experts{};
    return [=](std::int64_t layer) -> Transform {
        if (expert_layers[static_cast<std::size_t>(layer)])
            return experts;
        return dense;
    };
}

void add_prediction_modules(const Config &config, const Traits &traits, Model &model, const Block *block) {
    const Block last = block != nullptr ? *block : model.block_of(model.layer_count() - 1);
    model.mtp_layers =
        config.count_or({"num_nextn_predict_layers", "mtp_num_hidden_layers"}, traits.prediction_modules, 0, 100);
    model.mtp_block = model.mtp_layers > 0 ? LayerList(model).block_index(last) : 0;
}

} // namespace meshwright::hugging_face

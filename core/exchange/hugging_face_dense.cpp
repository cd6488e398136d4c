// SPDX-License-Identifier: GPL-3.0-or-later
// Llama-style dense decoders: rotary embeddings, one attention and one gated feed-forward network per layer.
#include "exchange/hugging_face_parts.h"

#include "catalog/model_fields.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace meshwright::hugging_face {

namespace {

QueryKeyNorm norm_of_queries(const Config &config, const Traits &traits) {
    return config.flag({"use_qk_norm", "qk_layernorm"}, false) ? QueryKeyNorm::per_head_separate
                                                               : traits.query_key_norm;
}

/// Defaults if the configuration has no pattern: Gemma 2 alternates sliding and full layers, Gemma 3 has five sliding
/// layers per full layer, and Command R7B has three.
std::vector<std::int64_t> patterned_windows(const Config &config, std::int64_t layers, std::int64_t pattern) {
    if (config.has("layer_types"))
        return read_windows(config, layers);
    const std::int64_t every = config.count_or({"sliding_window_pattern"}, pattern, 1, max_layers);
    const std::int64_t window = config.count_or({"sliding_window"}, 0, 0, longest_text);
    std::vector<std::int64_t> windows;
    for (std::int64_t i = 0; i < layers; ++i)
        windows.push_back((i + 1) % every == 0 ? 0 : window);
    return windows;
}

void add_dense_layers(const Config &config, const Traits &traits, Model &model, Attention attention,
                      const std::vector<std::int64_t> &windows) {
    const FeedForward network = read_feed_forward(config, traits);
    add_layers(
        model, traits, static_cast<std::int64_t>(windows.size()),
        [&](std::int64_t layer) {
            attention.window = windows[static_cast<std::size_t>(layer)];
            return attention;
        },
        [&](std::int64_t) { return network; });
}

} // namespace

void import_dense(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    Attention attention = read_attention(config, traits);
    attention.query_key_norm = norm_of_queries(config, traits);
    const std::int64_t layers = layer_count_of(config);
    const bool patterned = config.has("sliding_window_pattern");
    add_dense_layers(config, traits, model, attention,
                     patterned ? patterned_windows(config, layers, 4) : read_windows(config, layers));
    add_prediction_modules(config, traits, model);
}

void import_gemma(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    const bool third = traits.query_key_norm == QueryKeyNorm::per_head;
    const bool sandwich = traits.norms == 4;
    const Attention attention = read_attention(config, traits);
    add_dense_layers(config, traits, model, attention,
                     sandwich ? patterned_windows(config, layers, third ? 6 : 2) : read_windows(config, layers));
}

void import_qwen(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    Attention attention = read_attention(config, traits);
    // The first Qwen's intermediate_size is the sum of gate and up projections.
    const std::int64_t both = config.count({"intermediate_size"}, 2, 2 * max_feed_forward);
    add_layers(
        model, traits, layers, [&](std::int64_t) { return attention; },
        [&](std::int64_t) { return FeedForward{.hidden = both / 2, .gated = true}; });
}

void import_chatglm(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    model.vocabulary = config.count({"padded_vocab_size", "vocab_size"}, 1, max_rows);
    model.norm = config.flag({"rmsnorm"}, true) ? NormKind::rms : NormKind::layer;
    model.final_norm = config.flag({"post_layer_norm"}, true);
    const bool bias = config.flag({"add_bias_linear"}, false);
    Attention attention;
    attention.heads = config.count({"num_attention_heads"}, 1, max_heads);
    attention.kv_heads = config.flag({"multi_query_attention"}, false)
        ? config.count({"multi_query_group_num"}, 1, max_heads)
        : attention.heads;
    if (attention.heads % attention.kv_heads != 0)
        config.fail("multi_query_group_num", "does not divide the number of heads",
                    "expected a divisor of num_attention_heads");
    attention.head_dim = config.count({"kv_channels"}, 1, max_head_width);
    attention.query_key_value_bias = bias || config.flag({"add_qkv_bias"}, false);
    attention.output_bias = bias;
    const FeedForward network{
        .hidden = config.count({"ffn_hidden_size"}, 1, max_feed_forward), .gated = true, .bias = bias};
    add_layers(
        model, traits, config.count({"num_layers", "num_hidden_layers"}, 1, max_layers),
        [&](std::int64_t) { return attention; }, [&](std::int64_t) { return network; });
}

namespace {

/// Pruned Llamas give the feed-forward size as a multiple of the hidden size (DeciLM's modeling code).
std::int64_t width_of_multiple(double multiple, std::int64_t hidden) {
    const auto width = static_cast<std::int64_t>(2.0 * multiple * static_cast<double>(hidden) / 3.0);
    return (width + 255) / 256 * 256;
}

Mixer pruned_attention(const Config &config, const Config &part, std::int64_t heads) {
    if (part.flag({"no_op"}, false) || part.flag({"replace_with_linear"}, false))
        return Nothing{};
    const std::int64_t group = part.count({"n_heads_in_group"}, 1, max_heads);
    if (heads % group != 0)
        part.fail("n_heads_in_group", "does not divide the number of heads",
                  "expected a divisor of the number of heads");
    Attention attention = read_attention(config, {.output_bias = true});
    attention.kv_heads = heads / group;
    attention.window = part.count_or({"window_length"}, 0, 0, longest_text);
    return attention;
}

Transform pruned_network(const Config &part, const Model &model) {
    if (part.flag({"no_op"}, false) || part.flag({"replace_with_linear"}, false))
        return Nothing{};
    const std::int64_t width = width_of_multiple(part.number_or("ffn_mult", 0, 0.001, 1000), model.hidden);
    if (width > max_feed_forward)
        part.fail("ffn_mult", "the feed-forward size is too large", "expected a smaller ffn_mult");
    return FeedForward{.hidden = width, .gated = true};
}

/// One layer after neural architecture search: attention or the feed-forward network may be removed, or replaced by a
/// single matrix with its norm.
Block pruned_block(const Config &config, const Config &attention, const Config &network, const Model &model,
                   std::int64_t heads) {
    Block block{.name = {},
                .mixer = pruned_attention(config, attention, heads),
                .transform = pruned_network(network, model),
                .norms = 0};
    block.name = block_name(block.mixer, block.transform);
    for (const Config *part : {&attention, &network}) {
        const bool linear = part->flag({"replace_with_linear"}, false);
        block.norms += linear || !part->flag({"no_op"}, false) ? 1 : 0;
        block.other_parameters += linear ? model.hidden * model.hidden : 0;
    }
    return block;
}

} // namespace

void import_nemotron_nas(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t heads = config.count({"num_attention_heads"}, 1, max_heads);
    const std::vector<Config> parts = config.objects("block_configs");
    const std::int64_t layers = layer_count_of(config);
    config.require_length("block_configs", parts.size(), layers);
    LayerList list(model);
    for (std::int64_t i = 0; i < layers; ++i) {
        const Config &part = parts[static_cast<std::size_t>(i)];
        list.add(pruned_block(config, part.object("attention"), part.object("ffn"), model, heads));
    }
}

} // namespace meshwright::hugging_face

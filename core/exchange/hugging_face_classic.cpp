// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-style decoders: layer norms, biases, plain feed-forward networks, and parallel layers as in GPT-J.
#include "exchange/hugging_face_parts.h"

#include "catalog/model_fields.h"

#include <nlohmann/json.hpp>

namespace meshwright::hugging_face {

namespace {

/// Many of these files omit the feed-forward size if it is four times the hidden size.
FeedForward plain_network(const Config &config, const Model &model, bool bias) {
    return {.hidden = config.count_or({"n_inner", "intermediate_size", "ffn_hidden_size", "ffn_dim"}, 4 * model.hidden,
                                      1, max_feed_forward),
            .gated = false,
            .bias = bias};
}

void add_same_layers(const Config &config, const Traits &traits, Model &model, const Attention &attention,
                     const FeedForward &network) {
    add_layers(
        model, traits, layer_count_of(config), [&](std::int64_t) { return attention; },
        [&](std::int64_t) { return network; });
}

Attention attention_with_biases(const Config &config, bool biases) {
    Attention attention = read_attention(config, {});
    attention.query_key_value_bias = biases;
    attention.output_bias = biases;
    return attention;
}

} // namespace

void import_gpt2(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    model.learned_positions = config.count({"n_positions", "n_ctx"}, 1, max_rows);
    add_same_layers(config, traits, model, attention_with_biases(config, true), plain_network(config, model, true));
}

void import_gpt_neox(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    Traits own = traits;
    own.parallel = config.flag({"use_parallel_residual"}, true);
    const bool biases = config.flag({"attention_bias"}, true);
    add_same_layers(config, own, model, attention_with_biases(config, biases), plain_network(config, model, true));
}

void import_gptj(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    model.head_bias = true;
    add_same_layers(config, traits, model, attention_with_biases(config, false), plain_network(config, model, true));
}

void import_opt(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    if (config.count_or({"word_embed_proj_dim"}, model.hidden, 1, max_hidden) != model.hidden)
        config.fail("word_embed_proj_dim", "embeddings narrower than the layers", "expected the hidden size");
    const bool biases = config.flag({"enable_bias"}, true);
    // The first two rows of the position embedding are never used (OPT's position offset).
    model.learned_positions = config.count({"max_position_embeddings"}, 1, max_rows - 2) + 2;
    model.final_norm = config.flag({"do_layer_norm_before"}, true) && !config.flag({"_remove_final_layer_norm"}, false);
    model.norm = config.flag({"layer_norm_elementwise_affine"}, true) ? NormKind::layer : NormKind::layer_without_bias;
    add_same_layers(config, traits, model, attention_with_biases(config, biases), plain_network(config, model, biases));
}

void import_bloom(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    model.embedding_norm = true;
    add_same_layers(config, traits, model, attention_with_biases(config, true), plain_network(config, model, true));
}

void import_falcon(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const bool biases = config.flag({"bias"}, false);
    const bool new_decoder = config.flag({"new_decoder_architecture"}, false);
    Traits own = traits;
    own.parallel = new_decoder || config.flag({"parallel_attn"}, true);
    own.norms = !own.parallel || (new_decoder && config.count_or({"num_ln_in_parallel_attn"}, 2, 1, 2) == 2) ? 2 : 1;
    Attention attention = attention_with_biases(config, biases);
    if (!new_decoder)
        attention.kv_heads = config.flag({"multi_query"}, true) ? 1 : attention.heads;
    add_same_layers(config, own, model, attention, plain_network(config, model, biases));
}

void import_mpt(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const bool biases = !config.flag({"no_bias"}, true);
    model.norm = biases ? NormKind::layer : NormKind::layer_without_bias;
    Attention attention = attention_with_biases(config, biases);
    bool alibi = true;
    if (config.has("attn_config")) {
        const Config inner = config.object("attn_config");
        alibi = inner.flag({"alibi"}, true);
        attention.kv_heads = inner.text("attn_type") == "multiquery_attention"
            ? 1
            : inner.count_or({"kv_n_heads"}, attention.heads, 1, max_heads);
        if (attention.heads % attention.kv_heads != 0)
            inner.fail("kv_n_heads", "does not divide the number of heads", "expected a divisor of n_heads");
        if (inner.flag({"qk_ln"}, false))
            attention.query_key_norm = QueryKeyNorm::whole;
    }
    if (!alibi && config.flag({"learned_pos_emb"}, true))
        model.learned_positions = config.count({"max_seq_len"}, 1, max_rows);
    const double width = config.number_or("expansion_ratio", 4, 0.01, 1000) * static_cast<double>(model.hidden);
    if (width < 1 || width > static_cast<double>(max_feed_forward))
        config.fail("expansion_ratio", "the feed-forward size is out of range", "expected a ratio near 4");
    add_same_layers(config, traits, model, attention,
                    {.hidden = static_cast<std::int64_t>(width), .gated = false, .bias = biases});
}

void import_phi(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    model.head_bias = true;
    add_same_layers(config, traits, model, attention_with_biases(config, true), plain_network(config, model, true));
}

void import_phi3small(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    // Half of the layers have block-sparse attention, which changes the computation but not the weights.
    note(model,
         "The block-sparse attention of every second layer is modeled as full attention. The parameter count of this "
         "architecture has not been compared with a published one.");
    add_same_layers(
        config, traits, model, attention_with_biases(config, true),
        {.hidden = config.count({"ff_intermediate_size"}, 1, max_feed_forward), .gated = true, .bias = true});
}

} // namespace meshwright::hugging_face

// SPDX-License-Identifier: GPL-3.0-or-later
// Mixture-of-experts models with standard attention.
#include "exchange/hugging_face_parts.h"

#include "catalog/model_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace meshwright::hugging_face {

namespace {

MixerOf with_windows(Attention attention, std::vector<std::int64_t> windows) {
    return [attention = std::move(attention), windows = std::move(windows)](std::int64_t layer) {
        Attention own = attention;
        own.window = windows[static_cast<std::size_t>(layer)];
        return own;
    };
}

} // namespace

void import_experts(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    Attention attention = read_attention(config, traits);
    if (!config.flag({"use_qk_norm"}, traits.query_key_norm != QueryKeyNorm::none))
        attention.query_key_norm = QueryKeyNorm::none;
    else if (traits.query_key_norm == QueryKeyNorm::none)
        attention.query_key_norm = QueryKeyNorm::per_head;
    add_layers(model, traits, layers, with_windows(attention, read_windows(config, layers)),
               dense_or_experts(config, traits, layers));
    add_prediction_modules(config, traits, model);
    if (config.count_or({"num_mtp_modules"}, 0, 0, 100) > 0)
        note(model,
             "The configuration file lists multi-token-prediction (MTP) modules that the published weights do not "
             "include; they are not counted.");
}

void import_latent(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    const LatentAttention attention = read_latent_attention(config);
    LatentAttention without_indexer = attention;
    without_indexer.index_heads = without_indexer.index_head_dim = 0;
    std::vector<std::string> indexers(static_cast<std::size_t>(layers), "full");
    if (config.has("indexer_types")) {
        indexers = config.words("indexer_types");
        config.require_length("indexer_types", indexers.size(), layers);
    }
    add_layers(
        model, traits, layers,
        [&](std::int64_t layer) {
            return indexers[static_cast<std::size_t>(layer)] == "shared" ? without_indexer : attention;
        },
        dense_or_experts(config, traits, layers));
    add_prediction_modules(config, traits, model);
    if (attention.index_heads > 0)
        note(model,
             "The indexer's weights follow DeepSeek-V3.2's published code. The parameter count has not been compared "
             "with a published one.");
}

void import_dbrx(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    Attention attention = read_attention(config, traits);
    const Config inner = config.object("attn_config");
    attention.kv_heads = inner.count({"kv_n_heads"}, 1, max_heads);
    if (attention.heads % attention.kv_heads != 0)
        inner.fail("kv_n_heads", "does not divide the number of heads", "expected a divisor of n_heads");
    const Experts experts = read_experts(config.object("ffn_config"), traits);
    add_layers(
        model, traits, layer_count_of(config), [&](std::int64_t) { return attention; },
        [&](std::int64_t) { return experts; });
}

void import_gpt_oss(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    Attention attention = read_attention(config, traits);
    attention.sinks = true;
    std::vector<std::int64_t> windows = read_windows(config, layers);
    if (!config.has("layer_types"))
        for (std::size_t i = 1; i < windows.size(); i += 2)
            windows[i] = 0; // layers alternate between sliding-window and full attention
    Experts experts = read_experts(config, traits);
    experts.bias = true;
    experts.router_bias = true;
    add_layers(model, traits, layers, with_windows(attention, windows), [&](std::int64_t) { return experts; });
}

void import_llama4(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    std::vector<std::int64_t> windows = read_windows(config, layers);
    if (!config.has("layer_types")) {
        const std::int64_t chunk = config.count_or({"attention_chunk_size"}, 0, 0, longest_text);
        for (std::size_t i = 0; i < windows.size(); ++i)
            windows[i] =
                (i + 1) % 4 == 0 ? 0 : chunk; // every fourth layer has full attention without a rotary embedding
    }
    const std::int64_t step = config.count_or({"interleave_moe_layer_step"}, 1, 1, max_layers);
    Experts experts = read_experts(config, traits);
    experts.shared_hidden = experts.hidden;
    const FeedForward dense{.hidden = config.count({"intermediate_size_mlp"}, 1, max_feed_forward), .gated = true};
    add_layers(model, traits, layers, with_windows(read_attention(config, traits), windows),
               [&](std::int64_t layer) -> Transform {
                   if ((layer + 1) % step == 0)
                       return experts;
                   return dense;
               });
}

void import_minimax_m3(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    const Attention full = read_attention(config, traits);
    Attention sparse = full;
    std::vector<std::int64_t> switches(static_cast<std::size_t>(layers));
    if (config.has("sparse_attention_config")) {
        const Config inner = config.object("sparse_attention_config");
        switches = inner.counts("sparse_attention_freq", 0, 1);
        inner.require_length("sparse_attention_freq", switches.size(), layers);
        sparse.index_heads = inner.count({"sparse_num_index_heads"}, 1, max_heads);
        sparse.index_head_dim = inner.count({"sparse_index_dim"}, 1, max_head_width);
        sparse.index_tokens =
            inner.count({"sparse_topk_blocks"}, 1, 1'000'000) * inner.count({"sparse_block_size"}, 1, 1'000);
    }
    std::vector<bool> experts_in = read_expert_layers(config, layers);
    const Experts experts = read_experts(config, traits);
    const FeedForward dense{.hidden = config.count({"dense_intermediate_size"}, 1, max_feed_forward), .gated = true};
    add_layers(
        model, traits, layers,
        [&](std::int64_t layer) { return switches[static_cast<std::size_t>(layer)] == 1 ? sparse : full; },
        [&](std::int64_t layer) -> Transform {
            if (experts_in[static_cast<std::size_t>(layer)])
                return experts;
            return dense;
        });
    add_prediction_modules(config, traits, model);
    note(
        model,
        "The block indexer's weights (queries, one key, their norms) and one MTP module with the structure of the last "
        "layer are inferred from the configuration file. The parameter count has not been compared with a published "
        "one.");
}

void import_mimo_v2(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    Attention full = read_attention(config, traits);
    full.value_head_dim = config.count({"v_head_dim"}, 1, max_head_width);
    full.sinks = config.flag({"add_full_attention_sink_bias"}, false);
    Attention sliding = full;
    sliding.heads = config.count({"swa_num_attention_heads"}, 1, max_heads);
    sliding.kv_heads = config.count({"swa_num_key_value_heads"}, 1, max_heads);
    if (sliding.heads % sliding.kv_heads != 0)
        config.fail("swa_num_key_value_heads", "does not divide the number of heads", "expected a divisor");
    sliding.head_dim = config.count({"swa_head_dim"}, 1, max_head_width);
    sliding.value_head_dim = config.count({"swa_v_head_dim"}, 1, max_head_width);
    sliding.sinks = config.flag({"add_swa_attention_sink_bias"}, false);
    sliding.window = config.count({"sliding_window"}, 1, longest_text);
    const std::vector<std::int64_t> pattern = config.counts("hybrid_layer_pattern", 0, 1);
    config.require_length("hybrid_layer_pattern", pattern.size(), layers);
    add_layers(
        model, traits, layers,
        [&](std::int64_t layer) { return pattern[static_cast<std::size_t>(layer)] == 1 ? sliding : full; },
        dense_or_experts(config, traits, layers));
    add_prediction_modules(config, traits, model);
    if (model.mtp_layers == 0)
        note(model,
             "The publication describes MTP modules with dense feed-forward networks, which the configuration file "
             "does not list; they are not counted.");
    note(model, "The parameter count has not been compared with an exact published one.");
}

namespace {

/// The files of StepFun's models list the MoE layers as a string: "3,4,5".
std::vector<bool> listed_layers(const Config &config, std::int64_t layers) {
    if (!config.has("moe_layers_enum"))
        return read_expert_layers(config, layers);
    std::vector<bool> experts(static_cast<std::size_t>(layers));
    std::istringstream numbers(config.text("moe_layers_enum"));
    for (std::string number; std::getline(numbers, number, ',');) {
        char *end = nullptr;
        const long layer = std::strtol(number.c_str(), &end, 10);
        if (end == number.c_str() || *end != '\0' || layer < 0)
            config.fail("moe_layers_enum", "not a list of layers", "expected comma-separated integers");
        if (layer < layers)
            experts[static_cast<std::size_t>(layer)] = true;
    }
    return experts;
}

/// Sliding-window layers may have a different number of heads.
Attention sliding_attention(const Config &config, const Attention &full) {
    Attention sliding = full;
    sliding.window = config.count_or({"sliding_window"}, 0, 0, longest_text);
    if (!config.has("attention_other_setting"))
        return sliding;
    const Config other = config.object("attention_other_setting");
    sliding.heads = other.count_or({"num_attention_heads"}, full.heads, 1, max_heads);
    sliding.kv_heads = other.count_or({"num_attention_groups"}, full.kv_heads, 1, max_heads);
    sliding.head_dim = other.count_or({"head_dim"}, full.head_dim, 1, max_head_width);
    if (sliding.heads % sliding.kv_heads != 0)
        other.fail("num_attention_groups", "does not divide the number of heads", "expected a divisor");
    return sliding;
}

} // namespace

void import_step(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    const Attention full = read_attention(config, traits);
    const Attention sliding = sliding_attention(config, full);
    const std::vector<std::string> types = config.words("layer_types");
    config.require_length("layer_types", types.size(), layers);
    const std::vector<bool> experts_in = listed_layers(config, layers);
    const Experts experts = read_experts(config, traits);
    const FeedForward dense = read_feed_forward(config, traits);
    const bool gates = config.flag({"use_head_wise_attn_gate"}, false);
    const auto block_of = [&](const Attention &attention, const Transform &transform) {
        Block block{.name = block_name(attention, transform), .mixer = attention, .transform = transform};
        block.other_parameters = gates ? attention.heads * model.hidden : 0; // one gate per head
        return block;
    };
    LayerList list(model);
    for (std::size_t i = 0; i < experts_in.size(); ++i)
        list.add(block_of(types[i] == "sliding_attention" ? sliding : full,
                          experts_in[i] ? Transform(experts) : Transform(dense)));
    const Block prediction = block_of(sliding, dense);
    add_prediction_modules(config, traits, model, &prediction);
    note(model,
         gates ? "The gates of the attention heads, one per head, are counted in other_parameters."
               : "The configuration file does not list the per-head attention gates of earlier releases.");
    note(model,
         "MTP modules are assumed to be dense sliding-window layers. The parameter count has not been compared with an "
         "exact published one.");
}

} // namespace meshwright::hugging_face

// SPDX-License-Identifier: GPL-3.0-or-later
// Architectures that need their own reader: DeepSeek-V4's compressed attention and Gemma 4's mixed layers.
#include "exchange/hugging_face_parts.h"

#include "catalog/model_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright::hugging_face {

namespace {

/// Multi-query attention with one projection for key and value, low-rank queries, a grouped low-rank output and
/// attention sinks.
Attention read_compressed_attention(const Config &config) {
    Attention attention;
    attention.heads = config.count({"num_attention_heads"}, 1, max_heads);
    attention.kv_heads = config.count_or({"num_key_value_heads"}, 1, 1, 1);
    attention.head_dim = config.count({"head_dim"}, 1, max_head_width);
    attention.shared_key_value = true;
    attention.query_rank = config.count({"q_lora_rank"}, 1, max_head_width);
    attention.output_rank = config.count({"o_lora_rank"}, 1, max_head_width);
    attention.output_groups = config.count({"o_groups"}, 1, max_heads);
    if (attention.heads % attention.output_groups != 0)
        config.fail("o_groups", "does not divide the number of heads", "expected a divisor of num_attention_heads");
    attention.sinks = true;
    attention.window = config.count({"sliding_window"}, 1, longest_text);
    return attention;
}

/// Compression windows of four tokens overlap, and an indexer selects keys. Longer windows do not overlap and have no
/// indexer.
Attention compressed(Attention attention, const Config &config, std::int64_t ratio) {
    attention.compression = ratio;
    attention.compression_overlap = ratio == 4;
    if (ratio != 4)
        return attention;
    attention.index_heads = config.count({"index_n_heads"}, 1, max_heads);
    attention.index_head_dim = config.count({"index_head_dim"}, 1, max_head_width);
    attention.index_tokens = config.count({"index_topk"}, 1, longest_text);
    return attention;
}

/// Hyper-connections mix `copies` residual streams before and after both parts of a layer: each part has a matrix over
/// all streams, a base and three scales.
std::int64_t hyper_connections(std::int64_t copies, std::int64_t hidden) {
    const std::int64_t mixes = (2 + copies) * copies;
    return 2 * (mixes * copies * hidden + mixes + 3);
}

std::int64_t stream_join(std::int64_t copies, std::int64_t hidden) {
    return copies * copies * hidden + copies + 1;
}

} // namespace

void import_deepseek_v4(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    const std::int64_t streams = config.count_or({"hc_mult"}, 1, 1, 64);
    const Attention attention = read_compressed_attention(config);
    const std::vector<std::int64_t> ratios = config.counts("compress_ratios", 0, 1'000'000);
    config.require_length("compress_ratios", ratios.size(), layers);
    const std::int64_t hashed = config.count_or({"num_hash_layers"}, 0, 0, max_layers);
    Experts experts = read_experts(config, traits);
    LayerList list(model);
    Block block;
    for (std::int64_t i = 0; i < layers; ++i) {
        // Layers with hash routing have no balancing bias, and their hash table is not trained.
        experts.correction_bias = i >= hashed;
        block.mixer = compressed(attention, config, ratios[static_cast<std::size_t>(i)]);
        block.transform = experts;
        block.other_parameters =
            // Weights of the hyper-connections and of the key norm.
            hyper_connections(streams, model.hidden) + attention.head_dim;
        block.name = block_name(block.mixer, block.transform);
        list.add(block);
    }
    model.other_parameters = stream_join(streams, model.hidden);
    Block prediction{.name = "prediction", .mixer = attention, .transform = experts};
    prediction.other_parameters = block.other_parameters + stream_join(streams, model.hidden);
    add_prediction_modules(config, traits, model, &prediction);
    note(
        model,
        "Compressors, indexer, grouped output and hyper-connections follow the published inference code where "
        "available; other_parameters includes the hyper-connections and the key norm. The parameter count has not been "
        "compared with an exact published one.");
}

namespace {

/// Gemma 4's layers. Every sixth layer has full attention with larger heads, and may use the keys as values.
Attention gemma4_attention(const Config &config, const Traits &traits, bool full) {
    Attention attention = read_attention(config, traits);
    attention.query_key_norm = QueryKeyNorm::per_head;
    if (!full)
        return attention;
    attention.head_dim = config.count_or({"global_head_dim"}, attention.head_dim, 1, max_head_width);
    attention.shared_key_value = config.flag({"attention_k_eq_v"}, false);
    if (attention.shared_key_value)
        attention.kv_heads = config.count_or({"num_global_key_value_heads"}, attention.kv_heads, 1, max_heads);
    if (attention.heads % attention.kv_heads != 0)
        config.fail("num_global_key_value_heads", "does not divide the number of heads", "expected a divisor");
    return attention;
}

/// Per-layer embeddings (Gemma 3n, Gemma 4 E2B and E4B): a table, its projection, and per layer a gate, a projection
/// and a norm.
void add_layer_embeddings(const Config &config, std::int64_t layers, Model &model) {
    const std::int64_t width = config.count_or({"hidden_size_per_layer_input"}, 0, 0, max_head_width);
    if (width == 0)
        return;
    const std::int64_t rows = config.count_or({"vocab_size_per_layer_input"}, model.vocabulary, 1, 10'000'000);
    if (layers > 1'000)
        config.fail("num_hidden_layers", "too many layers with per-layer embeddings", "expected at most 1000");
    model.other_parameters += rows * layers * width + model.hidden * layers * width + width;
    for (Block &block : model.blocks)
        block.other_parameters += 2 * model.hidden * width + model.hidden;
}

} // namespace

void import_gemma4(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    const std::vector<std::string> types = config.words("layer_types");
    config.require_length("layer_types", types.size(), layers);
    const std::int64_t window = config.count({"sliding_window"}, 1, longest_text);
    const bool with_experts = config.flag({"enable_moe_block"}, false);
    const FeedForward dense = read_feed_forward(config, traits);
    LayerList list(model);
    for (const std::string &type : types) {
        Attention attention = gemma4_attention(config, traits, type == "full_attention");
        attention.window = type == "full_attention" ? 0 : window;
        Block block{.name = {}, .mixer = attention, .transform = dense, .norms = 4, .other_parameters = 1};
        if (with_experts) {
            // The dense network parallel to the experts is modeled as a shared expert.
            Experts experts = read_experts(config, traits);
            experts.shared_hidden = dense.hidden;
            block.norms = 7;
            block.other_parameters += model.hidden + experts.experts;
            block.transform = experts;
        }
        block.name = block_name(block.mixer, block.transform);
        list.add(block);
        if (model.layer_count() == layers)
            break;
    }
    add_layer_embeddings(config, layers, model);
    if (config.count_or({"num_kv_shared_layers"}, 0, 0, max_layers) > 0)
        note(model,
             "Layers that reuse the keys and values of an earlier layer are counted with their own projections.");
    note(model,
         "other_parameters includes the layers' and routers' scales. The parameter count has not been compared with an "
         "exact published one.");
}

} // namespace meshwright::hugging_face

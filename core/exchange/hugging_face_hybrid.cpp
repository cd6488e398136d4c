// SPDX-License-Identifier: GPL-3.0-or-later
// Hybrid models: attention in some layers, a recurrence with a fixed-size state in the others.
#include "exchange/hugging_face_parts.h"

#include "catalog/model_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright::hugging_face {

namespace {

constexpr const char *not_compared =
    "The parameter count of this architecture has not been compared with an exact published one.";

/// Gated DeltaNet as in Qwen3-Next: one projection to queries, keys, values, gate and two scalars per value head; a
/// short convolution over queries, keys and values; decay rates with bias, and a norm over the head dimension.
RecurrentMixer read_gated_delta_net(const Config &config) {
    RecurrentMixer mixer;
    mixer.kind = "gated-delta-net";
    mixer.key_heads = config.count({"linear_num_key_heads"}, 1, 4'096);
    mixer.key_head_dim = config.count({"linear_key_head_dim"}, 1, 1'024);
    mixer.value_heads = config.count({"linear_num_value_heads"}, 1, 4'096);
    mixer.value_head_dim = config.count({"linear_value_head_dim"}, 1, 1'024);
    if (mixer.value_heads % mixer.key_heads != 0)
        config.fail("linear_num_value_heads", "not a multiple of linear_num_key_heads", "expected a multiple");
    const std::int64_t keys = mixer.key_heads * mixer.key_head_dim;
    const std::int64_t values = mixer.value_heads * mixer.value_head_dim;
    mixer.convolution_width = config.count({"linear_conv_kernel_dim"}, 1, 1'000);
    mixer.convolution_channels = 2 * keys + values;
    mixer.input_projection = 2 * keys + 2 * values + 2 * mixer.value_heads;
    mixer.output_projection = values;
    mixer.other_parameters = 2 * mixer.value_heads + mixer.value_head_dim;
    return mixer;
}

std::vector<bool> attention_layers(const Config &config, std::int64_t layers) {
    std::vector<bool> full(static_cast<std::size_t>(layers));
    if (config.has("layer_types")) {
        const std::vector<std::string> types = config.words("layer_types");
        config.require_length("layer_types", types.size(), layers);
        for (std::size_t i = 0; i < full.size(); ++i)
            full[i] = types[i] == "full_attention";
        return full;
    }
    const auto interval = static_cast<std::size_t>(config.count_or({"full_attention_interval"}, 4, 1, max_layers));
    for (std::size_t i = 0; i < full.size(); ++i)
        full[i] = (i + 1) % interval == 0;
    return full;
}

/// Returns attention for the layers marked in `full`, and the recurrent mixer for all other layers.
MixerOf attention_or(const RecurrentMixer &recurrent, const std::vector<bool> &full, const Mixer &attention) {
    return [=](std::int64_t layer) -> Mixer {
        if (full[static_cast<std::size_t>(layer)])
            return attention;
        return recurrent;
    };
}

} // namespace

void import_gated_delta(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    Attention attention = read_attention(config, traits);
    attention.output_gate = config.flag({"attn_output_gate"}, true);
    const RecurrentMixer recurrent = read_gated_delta_net(config);
    const std::vector<bool> full = attention_layers(config, layers);
    TransformOf transform;
    if (config.has("num_experts"))
        transform = dense_or_experts(config, traits, layers);
    else
        transform = [network = read_feed_forward(config, traits)](std::int64_t) { return network; };
    add_layers(model, traits, layers, attention_or(recurrent, full, attention), transform);
    Block prediction{.name = {}, .mixer = attention, .transform = transform(layers - 1)};
    prediction.name = block_name(prediction.mixer, prediction.transform);
    add_prediction_modules(config, traits, model, &prediction);
}

namespace {

/// Lightning attention (MiniMax-01, arXiv 2501.08313, section 2.2): projections to queries, keys, values and gate, and
/// a norm over all heads.
RecurrentMixer lightning(const Attention &attention) {
    const std::int64_t width = attention.heads * attention.head_dim;
    return {.kind = "lightning",
            .key_heads = attention.heads,
            .key_head_dim = attention.head_dim,
            .value_heads = attention.heads,
            .value_head_dim = attention.head_dim,
            .input_projection = 4 * width,
            .output_projection = width,
            .other_parameters = width};
}

} // namespace

void import_minimax_text(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    const Attention attention = read_attention(config, traits);
    const std::vector<std::int64_t> types = config.counts("attn_type_list", 0, 1);
    config.require_length("attn_type_list", types.size(), layers);
    std::vector<bool> full(types.size());
    std::transform(types.begin(), types.end(), full.begin(), [](std::int64_t type) { return type == 1; });
    const RecurrentMixer recurrent = lightning(attention);
    const Experts experts = read_experts(config, traits);
    add_layers(model, traits, layers, attention_or(recurrent, full, attention), [&](std::int64_t) { return experts; });
}

namespace {

/// Mamba-2 (arXiv 2405.21060, section 8): one projection to gate, input, B, C and a step size per head; a convolution
/// over input, B and C; decay, skip and step bias per head; a norm.
RecurrentMixer read_mamba2(const Config &config) {
    RecurrentMixer mixer;
    mixer.kind = "mamba2";
    mixer.value_heads = config.count({"mamba_num_heads"}, 1, 4'096);
    mixer.value_head_dim = config.count({"mamba_head_dim"}, 1, 1'024);
    mixer.key_heads = config.count({"n_groups", "mamba_n_groups"}, 1, 4'096);
    mixer.key_head_dim = config.count({"ssm_state_size"}, 1, 1'024);
    if (mixer.value_heads % mixer.key_heads != 0)
        config.fail("n_groups", "does not divide the number of Mamba heads", "expected a divisor of mamba_num_heads");
    const std::int64_t inner = mixer.value_heads * mixer.value_head_dim;
    const std::int64_t states = 2 * mixer.key_heads * mixer.key_head_dim;
    mixer.convolution_width = config.count({"conv_kernel"}, 1, 1'000);
    mixer.convolution_channels = inner + states;
    mixer.input_projection = 2 * inner + states + mixer.value_heads;
    mixer.output_projection = inner;
    mixer.other_parameters =
        3 * mixer.value_heads + inner + (config.flag({"use_conv_bias"}, true) ? inner + states : 0);
    return mixer;
}

/// Each letter of the pattern stands for one layer, which has a single part (a mixer or an MLP) and one norm.
std::vector<std::string> nemotron_pattern(const Config &config) {
    if (!config.has("hybrid_override_pattern"))
        return config.words("layers_block_type");
    std::vector<std::string> kinds;
    for (const char letter : config.text("hybrid_override_pattern"))
        kinds.emplace_back(letter == 'M'       ? "mamba"
                               : letter == '*' ? "attention"
                               : letter == '-' ? "mlp"
                               : letter == 'E' ? "moe"
                                               : "unknown");
    return kinds;
}

Experts nemotron_experts(const Config &config, const Traits &traits) {
    Experts experts = read_experts(config, traits);
    experts.latent = config.count_or({"moe_latent_size"}, 0, 0, max_hidden);
    return experts;
}

Block nemotron_block(const Config &config, const Traits &traits, const std::string &kind, const char *key) {
    Block block;
    block.norms = 1;
    if (kind == "mamba")
        block.mixer = read_mamba2(config);
    else if (kind == "attention")
        block.mixer = read_attention(config, traits);
    else if (kind == "mlp")
        block.transform = read_feed_forward(config, traits);
    else if (kind == "moe")
        block.transform = nemotron_experts(config, traits);
    else
        config.fail(key, "unknown layer type", "expected mamba, attention, mlp or moe (M, *, - or E)");
    block.name = kind == "mlp" ? "dense" : kind == "moe" ? "experts" : kind;
    return block;
}

} // namespace

void import_nemotron_h(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const char *key = config.has("hybrid_override_pattern") ? "hybrid_override_pattern" : "layers_block_type";
    const std::vector<std::string> pattern = nemotron_pattern(config);
    if (pattern.empty() || pattern.size() > static_cast<std::size_t>(max_layers))
        config.fail(key, "no layers or too many", "expected 1 to 10000 layers");
    LayerList list(model);
    for (const std::string &kind : pattern)
        list.add(nemotron_block(config, traits, kind, key));
    if (config.count_or({"num_nextn_predict_layers"}, 0, 0, 100) > 0) {
        Block prediction{.name = "prediction",
                         .mixer = read_attention(config, traits),
                         .transform = nemotron_experts(config, traits)};
        add_prediction_modules(config, traits, model, &prediction);
    }
    note(model, not_compared);
}

namespace {

/// Kimi Delta Attention (Kimi Linear, arXiv 2510.26692, section 3): queries, keys and values with short convolutions, a
/// low-rank decay per channel, a write strength per head, and an output gate.
RecurrentMixer read_kimi_delta(const Config &config, std::int64_t hidden) {
    RecurrentMixer mixer;
    mixer.kind = "kimi-delta";
    const std::int64_t heads = config.count({"num_heads"}, 1, 4'096);
    const std::int64_t width = config.count({"head_dim"}, 1, 1'024);
    mixer.key_heads = mixer.value_heads = heads;
    mixer.key_head_dim = mixer.value_head_dim = width;
    const std::int64_t all = heads * width;
    const bool full_gate = config.flag({"use_full_rank_gate"}, false);
    mixer.convolution_width = config.count({"short_conv_kernel_size"}, 1, 1'000);
    mixer.convolution_channels = 3 * all;
    mixer.input_projection = (full_gate ? 4 : 3) * all + heads;
    mixer.output_projection = all;
    mixer.low_rank_parameters = (full_gate ? 1 : 2) * (hidden * width + width * all);
    mixer.other_parameters = heads + all + width; // decay rates, step bias, norm over the head dimension
    return mixer;
}

} // namespace

void import_kimi_linear(const Config &config, const Traits &traits, Model &model) {
    read_outline(config, traits, model);
    const std::int64_t layers = layer_count_of(config);
    const LatentAttention attention = read_latent_attention(config);
    const Config linear = config.object("linear_attn_config");
    const RecurrentMixer recurrent = read_kimi_delta(linear, model.hidden);
    std::vector<bool> full(static_cast<std::size_t>(layers));
    for (const std::int64_t layer : linear.counts("full_attn_layers", 1, max_layers)) // counted from 1
        if (layer <= layers)
            full[static_cast<std::size_t>(layer - 1)] = true;
    const TransformOf plain = dense_or_experts(config, traits, layers);
    const std::int64_t latent = config.count_or({"routed_expert_hidden_size"}, 0, 0, max_hidden);
    add_layers(model, traits, layers, attention_or(recurrent, full, attention), [&](std::int64_t layer) {
        Transform transform = plain(layer);
        if (auto *experts = std::get_if<Experts>(&transform))
            experts->latent = latent;
        return transform;
    });
    if (config.flag({"latent_moe_use_norm"}, false))
        for (Block &block : model.blocks)
            block.other_parameters += std::holds_alternative<Experts>(block.transform) ? latent : 0;
    add_prediction_modules(config, traits, model);
    if (config.has("attn_res_block_size")) {
        // Attention over residuals: a norm and a query over the sums of earlier blocks, before each part of a layer and
        // before the final norm.
        for (Block &block : model.blocks)
            block.other_parameters += 4 * model.hidden;
        model.other_parameters += 2 * model.hidden;
        note(model,
             "other_parameters includes the norms and queries of the attention over residuals, and the norm of the "
             "experts' latent space.");
    }
    note(model, not_compared);
}

} // namespace meshwright::hugging_face

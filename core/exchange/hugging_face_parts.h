// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/hugging_face_config.h"

namespace meshwright::hugging_face {

/// Properties of a model family that are missing from its configuration file.
struct Traits {
    bool tied = false; ///< default of tie_word_embeddings
    bool query_key_value_bias = false; ///< value if config.json lacks a bias field
    bool output_bias = false; ///< whether the attention bias also applies to the output projection
    QueryKeyNorm query_key_norm = QueryKeyNorm::none;
    NormKind norm = NormKind::rms;
    std::int64_t norms = 2;
    bool parallel = false;
    bool gated = true;
    bool feed_forward_bias = false;
    bool shared_gate = false; ///< scalar gate on the shared expert
    bool correction_bias = false; ///< value if config.json lacks the field
    std::int64_t prediction_modules = 0; ///< value if config.json lacks the field
};

std::int64_t layer_count_of(const Config &config);
std::int64_t hidden_of(const Config &config);

void read_outline(const Config &config, const Traits &traits, Model &model);
Attention read_attention(const Config &config, const Traits &traits);
LatentAttention read_latent_attention(const Config &config);
FeedForward read_feed_forward(const Config &config, const Traits &traits);
Experts read_experts(const Config &config, const Traits &traits);

/// The sliding window of each layer in tokens; 0 for full attention.
std::vector<std::int64_t> read_windows(const Config &config, std::int64_t layers);
std::vector<bool> read_expert_layers(const Config &config, std::int64_t layers);

using MixerOf = std::function<Mixer(std::int64_t layer)>;
using TransformOf = std::function<Transform(std::int64_t layer)>;
void add_layers(Model &model, const Traits &traits, std::int64_t layers, const MixerOf &mixer,
                const TransformOf &transform);
TransformOf dense_or_experts(const Config &config, const Traits &traits, std::int64_t layers);
/// Adds MTP modules with this block, by default the last layer's.
void add_prediction_modules(const Config &config, const Traits &traits, Model &model, const Block *block = nullptr);

std::string block_name(const Mixer &mixer, const Transform &transform);

// Importers of the model families. Each reads the object of the text model.
void import_dense(const Config &config, const Traits &traits, Model &model);
void import_experts(const Config &config, const Traits &traits, Model &model);
void import_latent(const Config &config, const Traits &traits, Model &model);
void import_gemma(const Config &config, const Traits &traits, Model &model);
void import_gemma4(const Config &config, const Traits &traits, Model &model);
void import_gpt2(const Config &config, const Traits &traits, Model &model);
void import_gpt_neox(const Config &config, const Traits &traits, Model &model);
void import_gptj(const Config &config, const Traits &traits, Model &model);
void import_opt(const Config &config, const Traits &traits, Model &model);
void import_bloom(const Config &config, const Traits &traits, Model &model);
void import_falcon(const Config &config, const Traits &traits, Model &model);
void import_mpt(const Config &config, const Traits &traits, Model &model);
void import_phi(const Config &config, const Traits &traits, Model &model);
void import_phi3small(const Config &config, const Traits &traits, Model &model);
void import_qwen(const Config &config, const Traits &traits, Model &model);
void import_chatglm(const Config &config, const Traits &traits, Model &model);
void import_dbrx(const Config &config, const Traits &traits, Model &model);
void import_gpt_oss(const Config &config, const Traits &traits, Model &model);
void import_llama4(const Config &config, const Traits &traits, Model &model);
void import_minimax_m3(const Config &config, const Traits &traits, Model &model);
void import_mimo_v2(const Config &config, const Traits &traits, Model &model);
void import_step(const Config &config, const Traits &traits, Model &model);
void import_minimax_text(const Config &config, const Traits &traits, Model &model);
void import_gated_delta(const Config &config, const Traits &traits, Model &model);
void import_nemotron_h(const Config &config, const Traits &traits, Model &model);
void import_nemotron_nas(const Config &config, const Traits &traits, Model &model);
void import_kimi_linear(const Config &config, const Traits &traits, Model &model);
void import_deepseek_v4(const Config &config, const Traits &traits, Model &model);

} // namespace meshwright::hugging_face

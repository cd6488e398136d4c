// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/model_shape.h"

#include "launch/option_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

constexpr std::int64_t max_layers = 100'000;

std::int64_t at_least_one(std::int64_t value) {
    return std::clamp<std::int64_t>(value, 1, 1'000'000'000);
}

Mixer mixer_of(const ModelShape &shape, std::int64_t heads) {
    if (shape.latent.kv_rank)
        return LatentAttention{.heads = heads,
                               .query_rank = std::max<std::int64_t>(0, shape.latent.query_rank),
                               .key_value_rank = at_least_one(*shape.latent.kv_rank),
                               .nope_head_dim = at_least_one(shape.latent.nope_head_dim),
                               .rope_head_dim = std::max<std::int64_t>(0, shape.latent.rope_head_dim),
                               .value_head_dim = at_least_one(shape.latent.value_head_dim)};
    Attention attention;
    attention.heads = heads;
    attention.kv_heads = std::min(heads, at_least_one(shape.kv_heads.value_or(heads)));
    attention.head_dim = at_least_one(shape.head_dim.value_or(*shape.hidden / heads));
    attention.query_key_value_bias = shape.linear_bias || shape.qkv_bias;
    attention.output_bias = shape.linear_bias;
    attention.query_key_norm = shape.query_key_norm ? QueryKeyNorm::per_head : QueryKeyNorm::none;
    attention.window = std::max<std::int64_t>(0, shape.window.value_or(0));
    return attention;
}

/// Consecutive layers of one kind, as a model lists them.
std::vector<LayerRun> runs_of(const std::vector<bool> &has_experts, bool dense_is_first) {
    std::vector<LayerRun> runs;
    for (const bool experts : has_experts) {
        const std::int64_t block = dense_is_first && experts ? 1 : 0;
        if (!runs.empty() && runs.back().block == block)
            ++runs.back().count;
        else
            runs.push_back({.block = block, .count = 1});
    }
    return runs;
}

} // namespace

std::optional<Model> model_of(const ModelShape &shape, const std::string &name, OptionList &options) {
    if (!shape.layers || !shape.hidden || *shape.layers < 1 || *shape.layers > max_layers || *shape.hidden < 1)
        return std::nullopt;
    Model model;
    model.name = name;
    model.hidden = at_least_one(*shape.hidden);
    std::int64_t heads = shape.heads.value_or(0);
    if (heads < 1) {
        heads = std::max<std::int64_t>(1, model.hidden / 128);
        options.assume("/model/blocks/0/mixer/heads", heads, "the file does not state it: heads of 128 each");
    }
    model.vocabulary = at_least_one(shape.vocabulary.value_or(0));
    if (!shape.vocabulary) {
        model.vocabulary = 128'256;
        options.assume("/model/vocabulary", model.vocabulary,
                       "the file names a tokenizer or none, not a vocabulary size: Llama 3's");
    }
    std::int64_t feed_forward = shape.feed_forward.value_or(0);
    if (feed_forward < 1) {
        feed_forward = 4 * model.hidden;
        options.assume("/model/blocks/0/transform/hidden", feed_forward, "the file does not state it: 4 x hidden size");
    }
    model.tied_embeddings = shape.tied_embeddings;
    model.embedding_norm = shape.embedding_norm;
    model.norm = shape.norm;
    model.learned_positions = std::max<std::int64_t>(0, shape.learned_positions.value_or(0));
    model.longest_sequence = std::max<std::int64_t>(0, shape.longest_sequence.value_or(0));

    const Mixer mixer = mixer_of(shape, at_least_one(heads));
    const FeedForward dense{.hidden = at_least_one(feed_forward), .gated = shape.gated, .bias = shape.linear_bias};
    std::vector<bool> has_experts(static_cast<std::size_t>(*shape.layers), shape.experts.value_or(0) > 0);
    if (shape.has_experts.size() == has_experts.size() && shape.experts.value_or(0) > 0)
        has_experts = shape.has_experts;
    const bool any_dense = std::find(has_experts.begin(), has_experts.end(), false) != has_experts.end();
    const bool any_experts = std::find(has_experts.begin(), has_experts.end(), true) != has_experts.end();
    if (any_dense)
        model.blocks.push_back({.name = "dense", .mixer = mixer, .transform = dense});
    if (any_experts) {
        const std::int64_t experts = at_least_one(*shape.experts);
        model.blocks.push_back(
            {.name = "experts",
             .mixer = mixer,
             .transform = Experts{.experts = experts,
                                  .experts_per_token = std::clamp<std::int64_t>(shape.experts_per_token, 1, experts),
                                  .hidden = at_least_one(shape.expert_hidden.value_or(feed_forward)),
                                  .gated = shape.gated,
                                  .bias = shape.linear_bias,
                                  .shared_hidden = std::max<std::int64_t>(0, shape.shared_hidden),
                                  .shared_gate = shape.shared_gate && shape.shared_hidden > 0,
                                  .correction_bias = shape.correction_bias}});
    }
    model.layers = runs_of(has_experts, any_dense);
    model.mtp_layers = std::clamp<std::int64_t>(shape.mtp_layers, 0, 1000);
    model.mtp_block = static_cast<std::int64_t>(model.blocks.size()) - 1;
    return model;
}

std::optional<ModelShape> shape_of(const Model &model, std::string &why) {
    ModelShape shape;
    shape.layers = model.layer_count();
    shape.hidden = model.hidden;
    shape.vocabulary = model.vocabulary;
    shape.tied_embeddings = model.tied_embeddings;
    shape.embedding_norm = model.embedding_norm;
    shape.norm = model.norm;
    shape.mtp_layers = model.mtp_layers;
    if (model.learned_positions > 0)
        shape.learned_positions = model.learned_positions;
    if (model.longest_sequence > 0)
        shape.longest_sequence = model.longest_sequence;
    if (model.blocks.empty() || !std::all_of(model.blocks.begin(), model.blocks.end(), [&](const Block &block) {
            return block.mixer == model.blocks.front().mixer && block.norms == 2 && !block.parallel;
        })) {
        why = "layers whose attention differs from one to the next";
        return std::nullopt;
    }
    const Mixer &mixer = model.blocks.front().mixer;
    if (const auto *attention = std::get_if<Attention>(&mixer)) {
        shape.heads = attention->heads;
        shape.kv_heads = attention->kv_heads;
        shape.head_dim = attention->head_dim;
        shape.qkv_bias = attention->query_key_value_bias;
        shape.linear_bias = attention->output_bias;
        shape.query_key_norm = attention->query_key_norm != QueryKeyNorm::none;
        if (attention->window > 0)
            shape.window = attention->window;
        Attention plain = *attention;
        plain.query_key_norm = shape.query_key_norm ? QueryKeyNorm::per_head : QueryKeyNorm::none;
        ModelShape own = shape;
        if (mixer_of(own, attention->heads) != Mixer(plain)) {
            why = "attention with parts of its own (sinks, output gates, compressed or indexed keys)";
            return std::nullopt;
        }
    } else if (const auto *latent = std::get_if<LatentAttention>(&mixer)) {
        shape.heads = latent->heads;
        shape.latent = {.query_rank = latent->query_rank,
                        .kv_rank = latent->key_value_rank,
                        .nope_head_dim = latent->nope_head_dim,
                        .rope_head_dim = latent->rope_head_dim,
                        .value_head_dim = latent->value_head_dim};
        if (latent->index_heads > 0 || latent->output_gate || latent->bias) {
            why = "latent attention with an indexer, a gate or biases";
            return std::nullopt;
        }
    } else {
        why = "recurrent or no sequence mixers";
        return std::nullopt;
    }
    const Experts *experts = nullptr;
    const FeedForward *dense = nullptr;
    for (const Block &block : model.blocks) {
        const auto *network = std::get_if<FeedForward>(&block.transform);
        const auto *mixture = std::get_if<Experts>(&block.transform);
        if ((network != nullptr && dense != nullptr && !(*network == *dense))
            || (mixture != nullptr && experts != nullptr && !(*mixture == *experts))
            || (network == nullptr && mixture == nullptr)) {
            why = "feed-forward networks of several sizes";
            return std::nullopt;
        }
        dense = network != nullptr ? network : dense;
        experts = mixture != nullptr ? mixture : experts;
    }
    if (dense != nullptr) {
        shape.feed_forward = dense->hidden;
        shape.gated = dense->gated;
    }
    if (experts != nullptr) {
        if (experts->latent > 0) {
            why = "experts behind a projection to a smaller width";
            return std::nullopt;
        }
        shape.experts = experts->experts;
        shape.experts_per_token = experts->experts_per_token;
        shape.expert_hidden = experts->hidden;
        shape.shared_hidden = experts->shared_hidden;
        shape.shared_gate = experts->shared_gate;
        shape.correction_bias = experts->correction_bias;
        shape.gated = experts->gated;
        for (std::int64_t i = 0; i < model.layer_count(); ++i)
            shape.has_experts.push_back(std::holds_alternative<Experts>(model.block_of(i).transform));
    }
    return shape;
}

} // namespace meshwright

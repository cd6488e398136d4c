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
        options.assume("/model/blocks/0/mixer/heads", heads,
                       "the file does not state it; heads of size 128 are assumed");
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
        options.assume("/model/blocks/0/transform/hidden", feed_forward,
                       "the file does not state it; 4 x hidden size is assumed");
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

} // namespace meshwright

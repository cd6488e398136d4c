// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/model_shape.h"

#include "launch/option_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace meshwright {

namespace {

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

/// The kind of mixer in a layer: full attention, sliding-window attention or Gated DeltaNet.
enum class MixerKind { whole, sliding, delta_net };

std::vector<MixerKind> mixer_kinds_of(const ModelShape &shape, std::size_t layers) {
    const bool slides = shape.window.value_or(0) > 0;
    const bool some_slide = slides && shape.windowed.size() == layers;
    std::vector<MixerKind> kinds(layers, slides ? MixerKind::sliding : MixerKind::whole);
    for (std::size_t i = 0; i < layers; ++i) {
        if (some_slide && !shape.windowed[i])
            kinds[i] = MixerKind::whole;
        if (shape.has_delta_net.size() == layers && shape.has_delta_net[i])
            kinds[i] = MixerKind::delta_net;
    }
    return kinds;
}

Mixer mixer_of(const Mixer &attention, MixerKind kind, const ModelShape &shape) {
    if (kind == MixerKind::delta_net)
        return shape.delta_net.mixer();
    Mixer mixer = attention;
    if (auto *const softmax = std::get_if<Attention>(&mixer); softmax != nullptr && kind == MixerKind::whole)
        softmax->window = 0;
    return mixer;
}

/// "dense", "sliding, experts": mixers are named if there are several kinds.
std::string block_name(MixerKind kind, bool several, const char *transform) {
    const char *const mixer = kind == MixerKind::delta_net ? "gated-delta-net, "
        : kind == MixerKind::sliding && several            ? "sliding, "
                                                           : "";
    return std::string(mixer) + transform;
}

void add_layer(Model &model, std::int64_t block) {
    if (!model.layers.empty() && model.layers.back().block == block)
        ++model.layers.back().count;
    else
        model.layers.push_back({.block = block, .count = 1});
}

} // namespace

RecurrentMixer ModelShape::DeltaNet::mixer() const {
    const std::int64_t keys = key_heads * key_head_dim;
    const std::int64_t values = value_heads * value_head_dim;
    return {.kind = "gated-delta-net",
            .key_heads = key_heads,
            .key_head_dim = key_head_dim,
            .value_heads = value_heads,
            .value_head_dim = value_head_dim,
            .convolution_width = convolution_width,
            .convolution_channels = 2 * keys + values,
            .input_projection = 2 * keys + 2 * values + 2 * value_heads,
            .output_projection = values,
            .other_parameters = 2 * value_heads + value_head_dim};
}

std::optional<Model> model_of(const ModelShape &shape, const std::string &name, OptionList &options) {
    if (!shape.layers || !shape.hidden || *shape.layers < 1 || *shape.layers > most_layers || *shape.hidden < 1)
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
                       shape.tokenizer.empty()
                           ? "the file states neither a vocabulary size nor a tokenizer: Llama 3's size is assumed"
                           : fmt::format("the vocabulary of the tokenizer {} is not known: Llama 3's size is assumed",
                                         shape.tokenizer));
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
    const std::int64_t count = at_least_one(shape.experts.value_or(0));
    const Experts experts{.experts = count,
                          .experts_per_token = std::clamp<std::int64_t>(shape.experts_per_token, 1, count),
                          .hidden = at_least_one(shape.expert_hidden.value_or(feed_forward)),
                          .gated = shape.gated,
                          .bias = shape.linear_bias,
                          .shared_hidden = std::max<std::int64_t>(0, shape.shared_hidden),
                          .shared_gate = shape.shared_gate && shape.shared_hidden > 0,
                          .correction_bias = shape.correction_bias,
                          .latent = std::clamp<std::int64_t>(shape.expert_latent, 0, 1'000'000'000)};
    const std::vector<MixerKind> kinds = mixer_kinds_of(shape, has_experts.size());
    const bool several = std::adjacent_find(kinds.begin(), kinds.end(), std::not_equal_to<>()) != kinds.end();
    std::vector<std::pair<bool, MixerKind>> known; // distinct kinds of block, dense ones first
    for (const bool with_experts : {false, true})
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const std::pair<bool, MixerKind> kind{with_experts, kinds[i]};
            if (has_experts[i] != with_experts || std::find(known.begin(), known.end(), kind) != known.end())
                continue;
            known.push_back(kind);
            model.blocks.push_back({.name = block_name(kinds[i], several, with_experts ? "experts" : "dense"),
                                    .mixer = mixer_of(mixer, kinds[i], shape),
                                    .transform = with_experts ? Transform(experts) : Transform(dense)});
        }
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const std::pair<bool, MixerKind> kind{has_experts[i], kinds[i]};
        add_layer(model, std::find(known.begin(), known.end(), kind) - known.begin());
    }
    model.mtp_layers = std::clamp<std::int64_t>(shape.mtp_layers, 0, 1000);
    if (model.mtp_layers > 0)
        model.mtp_block =
            model.layers.back().block; // an MTP module contains a layer of the same kind as the last layer
    return model;
}

} // namespace meshwright

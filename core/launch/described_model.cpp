// SPDX-License-Identifier: GPL-3.0-or-later
// Describes a model by the shape that launch configurations can state.
#include "launch/model_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

class Description {
public:
    explicit Description(const Model &model)
        : m_model(model)
        , m_unwindowed(model.blocks) {
        for (Block &block : m_unwindowed)
            if (auto *const attention = std::get_if<Attention>(&block.mixer))
                attention->window = 0;
    }

    DescribedModel describe() {
        sizes();
        mixer();
        transforms();
        biases();
        leftovers();
        return std::move(m_result);
    }

private:
    void miss(std::string what) {
        std::vector<std::string> &missing = m_result.missing;
        if (std::find(missing.begin(), missing.end(), what) == missing.end())
            missing.push_back(std::move(what));
    }
    void miss_if(bool condition, const char *what) {
        if (condition)
            miss(what);
    }
    ModelShape &shape() { return m_result.shape; }

    void sizes() {
        shape().layers = m_model.layer_count();
        shape().hidden = m_model.hidden;
        shape().vocabulary = m_model.vocabulary;
        shape().tied_embeddings = m_model.tied_embeddings;
        shape().embedding_norm = m_model.embedding_norm;
        shape().norm = m_model.norm;
        shape().mtp_layers = m_model.mtp_layers;
        if (m_model.learned_positions > 0)
            shape().learned_positions = m_model.learned_positions;
        if (m_model.longest_sequence > 0)
            shape().longest_sequence = m_model.longest_sequence;
    }

    /// The most frequent value over the layers, regardless of their windows; the first of several equally frequent
    /// values. Null if no layer has a value.
    template <typename Value>
    const Value *usual(const Value *(*of)(const Block &)) {
        std::vector<std::pair<const Value *, std::int64_t>> counts;
        for (const LayerRun &run : m_model.layers) {
            const Value *const value = of(m_unwindowed[static_cast<std::size_t>(run.block)]);
            if (value == nullptr)
                continue;
            const auto same =
                std::find_if(counts.begin(), counts.end(), [&](const auto &each) { return *each.first == *value; });
            if (same == counts.end())
                counts.emplace_back(value, run.count);
            else
                same->second += run.count;
        }
        if (counts.empty())
            return nullptr;
        m_differ = counts.size() > 1;
        return std::max_element(counts.begin(), counts.end(),
                                [](const auto &a, const auto &b) { return a.second < b.second; })
            ->first;
    }

    void mixer() {
        const Mixer *const mixer = usual<Mixer>([](const Block &block) -> const Mixer * {
            const bool attends =
                std::holds_alternative<Attention>(block.mixer) || std::holds_alternative<LatentAttention>(block.mixer);
            return attends ? &block.mixer : nullptr;
        });
        miss_if(mixer != nullptr && m_differ, "attention that differs between layers");
        recurrent();
        windows();
        for (const Block &block : m_model.blocks)
            miss_if(std::holds_alternative<Nothing>(block.mixer), "layers without attention");
        if (mixer == nullptr)
            shape().heads = std::max<std::int64_t>(1, m_model.hidden / 128);
        else if (const auto *attention = std::get_if<Attention>(mixer))
            softmax(*attention);
        else
            latent(std::get<LatentAttention>(*mixer));
    }

    void recurrent() {
        const RecurrentMixer *const usual_mixer =
            usual<RecurrentMixer>([](const Block &block) { return std::get_if<RecurrentMixer>(&block.mixer); });
        if (usual_mixer == nullptr)
            return;
        const ModelShape::DeltaNet net{.key_heads = usual_mixer->key_heads,
                                       .key_head_dim = usual_mixer->key_head_dim,
                                       .value_heads = usual_mixer->value_heads,
                                       .value_head_dim = usual_mixer->value_head_dim,
                                       .convolution_width = usual_mixer->convolution_width};
        if (m_differ || net.mixer() != *usual_mixer) {
            miss(fmt::format("layers with a recurrent mixer ({})",
                             usual_mixer->kind.empty() ? "unnamed kind" : usual_mixer->kind));
            return;
        }
        shape().delta_net = net;
        for (std::int64_t i = 0; i < m_model.layer_count(); ++i)
            shape().has_delta_net.push_back(std::holds_alternative<RecurrentMixer>(m_model.block_of(i).mixer));
    }

    void windows() {
        std::int64_t window = 0;
        std::vector<bool> windowed;
        bool any_whole = false;
        for (std::int64_t i = 0; i < m_model.layer_count(); ++i) {
            const auto *const attention = std::get_if<Attention>(&m_model.block_of(i).mixer);
            const std::int64_t own = attention != nullptr ? attention->window : 0;
            miss_if(own > 0 && window > 0 && own != window, "sliding windows of several sizes");
            windowed.push_back(own > 0);
            any_whole = any_whole || (attention != nullptr && own == 0);
            window = std::max(window, own);
        }
        if (window == 0)
            return;
        shape().window = window;
        if (any_whole)
            shape().windowed = std::move(windowed);
    }

    void softmax(const Attention &attention) {
        shape().heads = attention.heads;
        shape().kv_heads = attention.kv_heads;
        shape().head_dim = attention.head_dim;
        shape().query_key_norm = attention.query_key_norm != QueryKeyNorm::none;
        m_query_key_value_bias = attention.query_key_value_bias;
        m_output_bias = attention.output_bias;
        miss_if(attention.query_key_norm == QueryKeyNorm::whole, "a query and key norm across all heads");
        miss_if(attention.query_key_norm == QueryKeyNorm::per_head_separate, "separate query and key norms per head");
        miss_if(attention.value_head_dim != 0 && attention.value_head_dim != attention.head_dim,
                "values whose head dimension differs from the keys'");
        miss_if(attention.sinks, "attention sinks");
        miss_if(attention.output_gate, "an output gate of attention");
        miss_if(attention.shared_key_value, "a shared projection for keys and values");
        miss_if(attention.query_rank > 0 || attention.output_rank > 0, "low-rank attention projections");
        miss_if(attention.compression > 0, "compressed keys");
        miss_if(attention.index_heads > 0, "an indexer that selects keys");
    }

    void latent(const LatentAttention &latent) {
        shape().heads = latent.heads;
        shape().latent = {.query_rank = latent.query_rank,
                          .kv_rank = latent.key_value_rank,
                          .nope_head_dim = latent.nope_head_dim,
                          .rope_head_dim = latent.rope_head_dim,
                          .value_head_dim = latent.value_head_dim};
        miss_if(latent.bias, "biases of latent attention");
        miss_if(latent.output_gate, "an output gate of attention");
        miss_if(latent.index_heads > 0, "an indexer that selects keys");
    }

    void transforms() {
        const FeedForward *const dense =
            usual<FeedForward>([](const Block &block) { return std::get_if<FeedForward>(&block.transform); });
        miss_if(dense != nullptr && m_differ, "feed-forward networks of several sizes");
        const Experts *const experts =
            usual<Experts>([](const Block &block) { return std::get_if<Experts>(&block.transform); });
        miss_if(experts != nullptr && m_differ, "experts of several sizes");
        if (dense != nullptr) {
            shape().feed_forward = dense->hidden;
            shape().gated = dense->gated;
            m_feed_forward_bias = dense->bias;
        }
        if (experts == nullptr)
            return;
        miss_if(dense != nullptr && dense->gated != experts->gated, "a gate in only some feed-forward networks");
        miss_if(experts->router_bias, "trained router biases");
        m_expert_bias = experts->bias;
        shape().experts = experts->experts;
        shape().experts_per_token = experts->experts_per_token;
        shape().expert_hidden = experts->hidden;
        shape().expert_latent = experts->latent;
        shape().shared_hidden = experts->shared_hidden;
        shape().shared_gate = experts->shared_gate;
        shape().correction_bias = experts->correction_bias;
        shape().gated = experts->gated;
        if (!shape().feed_forward)
            shape().feed_forward = experts->hidden;
        for (std::int64_t i = 0; i < m_model.layer_count(); ++i)
            shape().has_experts.push_back(std::holds_alternative<Experts>(m_model.block_of(i).transform));
    }

    /// A shape can describe biases on all linear layers, only on query, key and value, or on none.
    void biases() {
        const bool feed_forward = m_feed_forward_bias.value_or(m_expert_bias.value_or(m_output_bias));
        const bool experts = m_expert_bias.value_or(feed_forward);
        shape().linear_bias = m_output_bias && feed_forward && experts;
        shape().qkv_bias = m_query_key_value_bias;
        miss_if(m_output_bias != feed_forward || feed_forward != experts, "biases on only some linear layers");
        miss_if(shape().linear_bias && !m_query_key_value_bias, "attention without query, key and value biases");
    }

    void leftovers() {
        miss_if(!m_model.final_norm, "no norm after the last layer");
        miss_if(m_model.head_bias, "an LM head bias");
        miss_if(m_model.mtp_layers > 0 && !m_model.layers.empty() && m_model.mtp_block != m_model.layers.back().block,
                "MTP modules that differ from the last layer");
        std::int64_t others = m_model.other_parameters;
        for (const Block &block : m_model.blocks) {
            miss_if(block.parallel, "attention and feed-forward in parallel");
            miss_if(block.norms != 2, "more or fewer than two norms per layer");
            miss_if(std::holds_alternative<Nothing>(block.transform), "layers without a feed-forward network");
            others += block.other_parameters;
        }
        miss_if(others > 0, "parameters outside attention, feed-forward and norms");
    }

    const Model &m_model;
    std::vector<Block> m_unwindowed; ///< the model's blocks, with their sliding windows removed
    DescribedModel m_result;
    bool m_differ = false; ///< whether usual() had to choose between layers that differ
    bool m_query_key_value_bias = false;
    bool m_output_bias = false;
    std::optional<bool> m_feed_forward_bias;
    std::optional<bool> m_expert_bias;
};

} // namespace

DescribedModel shape_of(const Model &model) {
    return Description(model).describe();
}

} // namespace meshwright

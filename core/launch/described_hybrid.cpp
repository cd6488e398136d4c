// SPDX-License-Identifier: GPL-3.0-or-later
// Describes a model by a pattern of layers with a single part each.
#include "launch/hybrid_model.h"
#include "launch/option_list.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace meshwright {

namespace {

/// The letter of a layer with a single part; empty if no letter stands for it.
std::optional<char> letter_of(const Block &block) {
    if (block.norms != 1 || block.parallel || block.other_parameters > 0)
        return std::nullopt;
    if (std::holds_alternative<Nothing>(block.mixer))
        return std::holds_alternative<FeedForward>(block.transform) ? std::optional('-')
            : std::holds_alternative<Experts>(block.transform)      ? std::optional('E')
                                                                    : std::nullopt;
    if (!std::holds_alternative<Nothing>(block.transform))
        return std::nullopt;
    if (const auto *const recurrent = std::get_if<RecurrentMixer>(&block.mixer))
        return recurrent->kind == "mamba2"         ? std::optional('M')
            : recurrent->kind == "gated-delta-net" ? std::optional('G')
                                                   : std::nullopt;
    return std::holds_alternative<LatentAttention>(block.mixer) ? '+' : '*';
}

/// The letters of an MTP module's layer; empty if there are none.
std::string letters_of_prediction(const Block &block) {
    if (const std::optional<char> letter = letter_of(block))
        return {*letter};
    if (block.norms != 2 || block.parallel || block.other_parameters > 0)
        return {};
    const std::optional<char> mixer = letter_of({.mixer = block.mixer, .norms = 1});
    const std::optional<char> transform = letter_of({.transform = block.transform, .norms = 1});
    return mixer && transform ? std::string{*mixer, *transform} : std::string();
}

class HybridDescription {
public:
    explicit HybridDescription(const Model &model)
        : m_model(model) { }

    std::optional<DescribedHybrid> describe() {
        if (!read_letters())
            return std::nullopt;
        recurrent_sizes();
        m_result.parts = shape_of(model_of_parts());
        ModelShape &shape = m_result.parts.shape;
        shape.layers = m_model.layer_count();
        shape.has_experts.clear(); // the pattern says which layers have experts
        if (!shape.windowed.empty())
            m_result.parts.missing.emplace_back("sliding windows in only some layers");
        shape.windowed.clear();
        shape.delta_net = m_delta_net;
        predictions();
        if (!is_read_back())
            return std::nullopt;
        return std::move(m_result);
    }

private:
    bool read_letters() {
        for (const LayerRun &run : m_model.layers) {
            const std::optional<char> letter = letter_of(m_model.blocks[static_cast<std::size_t>(run.block)]);
            if (!letter)
                return false;
            m_result.layers.pattern.append(static_cast<std::size_t>(run.count), *letter);
        }
        const auto has = [&](char letter) { return m_result.layers.pattern.find(letter) != std::string::npos; };
        return !(has('*') && has('+'));
    }

    /// Takes the sizes of each kind of layer from one of its layers; is_read_back() detects layers with other sizes.
    void recurrent_sizes() {
        for (const Block &block : m_model.blocks) {
            const auto *const mixer = std::get_if<RecurrentMixer>(&block.mixer);
            if (mixer == nullptr)
                continue;
            if (mixer->kind == "mamba2") {
                m_result.layers.state_dim = mixer->key_head_dim;
                m_result.layers.head_dim = mixer->value_head_dim;
                m_result.layers.groups = mixer->key_heads;
                m_result.layers.heads = mixer->value_heads;
            } else {
                m_delta_net = {.key_heads = mixer->key_heads,
                               .key_head_dim = mixer->key_head_dim,
                               .value_heads = mixer->value_heads,
                               .value_head_dim = mixer->value_head_dim,
                               .convolution_width = mixer->convolution_width};
            }
        }
    }

    /// The first block that has a mixer or transform of these kinds; null if none has.
    template <typename... Kinds, typename Part>
    const Part *first(Part Block::*part) const {
        for (const Block &block : m_model.blocks)
            if ((std::holds_alternative<Kinds>(block.*part) || ...))
                return &(block.*part);
        return nullptr;
    }

    /// A transformer made of the model's attention layers and transform layers. Each attention layer gets the model's
    /// first transform, each transform layer the model's first attention, or a typical one if the model has none.
    Model model_of_parts() const {
        const Mixer *const mixer = first<Attention, LatentAttention>(&Block::mixer);
        const Transform *const transform = first<FeedForward, Experts>(&Block::transform);
        const auto *const attention = mixer != nullptr ? std::get_if<Attention>(mixer) : nullptr;
        const auto *const dense = transform != nullptr ? std::get_if<FeedForward>(transform) : nullptr;
        const auto *const experts = transform != nullptr ? std::get_if<Experts>(transform) : nullptr;
        // A part that the model lacks has biases if the model's other parts have them.
        const bool bias = attention != nullptr ? attention->output_bias
            : dense != nullptr                 ? dense->bias
                                               : experts != nullptr && experts->bias;
        const std::int64_t heads = std::max<std::int64_t>(1, m_model.hidden / 128);
        const Mixer usual_mixer = mixer != nullptr ? *mixer
                                                   : Attention{.heads = heads,
                                                               .kv_heads = heads,
                                                               .head_dim = m_model.hidden / heads,
                                                               .query_key_value_bias = bias,
                                                               .output_bias = bias};
        const Transform usual_transform =
            transform != nullptr ? *transform : FeedForward{.hidden = 4 * m_model.hidden, .gated = false, .bias = bias};
        Model parts = m_model;
        parts.mtp_layers = 0;
        parts.blocks.clear();
        parts.layers.clear();
        const auto add = [&](const Mixer &of_mixer, const Transform &of_transform, std::int64_t count) {
            parts.layers.push_back({.block = static_cast<std::int64_t>(parts.blocks.size()), .count = count});
            parts.blocks.push_back({.mixer = of_mixer, .transform = of_transform});
        };
        for (const LayerRun &run : m_model.layers) {
            const Block &block = m_model.blocks[static_cast<std::size_t>(run.block)];
            if (std::holds_alternative<Nothing>(block.mixer))
                add(usual_mixer, block.transform, run.count);
            else if (!std::holds_alternative<RecurrentMixer>(block.mixer))
                add(block.mixer, usual_transform, run.count);
        }
        if (parts.layers.empty())
            add(usual_mixer, usual_transform, 1);
        return parts;
    }

    void predictions() {
        if (m_model.mtp_layers < 1)
            return;
        m_result.layers.prediction = letters_of_prediction(m_model.blocks[static_cast<std::size_t>(m_model.mtp_block)]);
        if (m_result.layers.prediction.empty())
            m_result.parts.missing.emplace_back("the layers of the MTP modules");
        else
            m_result.parts.shape.mtp_layers = m_model.mtp_layers;
    }

    /// Whether the description reproduces the model's layers. If parts are listed as missing, only the number of
    /// layers and the recurrent mixers are compared.
    bool is_read_back() const {
        OptionList options{{}};
        const auto read = hybrid_model_of(m_result.layers, m_result.parts.shape, m_model.name, options);
        const bool is_whole = m_result.parts.missing.empty();
        const auto same = [&](Block a, const Block &b) {
            if (!is_whole)
                return a.mixer == b.mixer || !std::holds_alternative<RecurrentMixer>(b.mixer);
            a.name = b.name;
            return a == b;
        };
        if (!read || read->layer_count() != m_model.layer_count())
            return false;
        for (std::int64_t i = 0; i < m_model.layer_count(); ++i)
            if (!same(read->block_of(i), m_model.block_of(i)))
                return false;
        if (is_whole && read->mtp_layers != m_model.mtp_layers)
            return false;
        return read->mtp_layers == 0
            || same(read->blocks[static_cast<std::size_t>(read->mtp_block)],
                    m_model.blocks[static_cast<std::size_t>(m_model.mtp_block)]);
    }

    const Model &m_model;
    DescribedHybrid m_result;
    ModelShape::DeltaNet m_delta_net;
};

} // namespace

std::optional<DescribedHybrid> hybrid_of(const Model &model) {
    return HybridDescription(model).describe();
}

} // namespace meshwright

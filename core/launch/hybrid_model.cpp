// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/hybrid_model.h"

#include "launch/option_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

constexpr std::size_t most_hybrid_layers = 10'000;

/// Mamba-2 (arXiv 2405.21060, section 8): one projection that produces the gate, input, B, C and a step size per head;
/// a convolution of width 4 over input, B and C; decay, skip and step bias per head; and a norm.
std::optional<RecurrentMixer> mamba_of(const HybridLayers &hybrid, std::int64_t hidden) {
    const auto in_range = [](std::int64_t value) { return value >= 1 && value <= 100'000; };
    if (!in_range(hybrid.state_dim) || !in_range(hybrid.head_dim) || !in_range(hybrid.groups) || hidden > 10'000'000)
        return std::nullopt;
    const std::int64_t heads = hybrid.heads.value_or(2 * hidden / hybrid.head_dim);
    if (!in_range(heads) || heads % hybrid.groups != 0)
        return std::nullopt;
    const std::int64_t inner = heads * hybrid.head_dim;
    const std::int64_t states = 2 * hybrid.groups * hybrid.state_dim;
    return RecurrentMixer{.kind = "mamba2",
                          .key_heads = hybrid.groups,
                          .key_head_dim = hybrid.state_dim,
                          .value_heads = heads,
                          .value_head_dim = hybrid.head_dim,
                          .convolution_width = 4,
                          .convolution_channels = inner + states,
                          .input_projection = 2 * inner + states + heads,
                          .output_projection = inner,
                          .other_parameters = 3 * heads + inner + inner + states};
}

/// The parts of a model's layers; a pattern gives each layer one of them.
class LayerParts {
public:
    /// The parts come from a temporary model with one dense layer and, if there are experts, one MoE layer.
    LayerParts(const HybridLayers &hybrid, const ModelShape &shape, const Model &whole)
        : m_attention(whole.blocks.front().mixer)
        , m_dense(whole.blocks.front().transform)
        , m_mamba(mamba_of(hybrid, whole.hidden))
        , m_delta_net(shape.delta_net.mixer()) {
        if (shape.experts.value_or(0) > 0)
            m_experts = whole.blocks.back().transform;
    }

    std::optional<Block> layer(char letter) const {
        switch (letter) {
        case 'M':
            return m_mamba ? std::optional(Block{.name = "mamba", .mixer = *m_mamba, .norms = 1}) : std::nullopt;
        case 'G':
            return Block{.name = "gated-delta-net", .mixer = m_delta_net, .norms = 1};
        case '*':
        case '+':
            return Block{.name = "attention", .mixer = m_attention, .norms = 1};
        case '-':
            return Block{.name = "dense", .transform = m_dense, .norms = 1};
        case 'E':
            return m_experts ? std::optional(Block{.name = "experts", .transform = *m_experts, .norms = 1})
                             : std::nullopt;
        default:
            return std::nullopt;
        }
    }

    /// The block of an MTP module. Plans allow one layer per MTP module, with a single part or with a mixer and a
    /// transform.
    std::optional<Block> prediction(const std::string &letters) const {
        if (letters.size() == 1)
            return layer(letters.front());
        if (letters.size() != 2)
            return std::nullopt;
        const std::optional<Block> first = layer(letters.front());
        const std::optional<Block> second = layer(letters.back());
        if (!first || !second || std::holds_alternative<Nothing>(first->mixer)
            || std::holds_alternative<Nothing>(second->transform))
            return std::nullopt;
        return Block{.name = "prediction", .mixer = first->mixer, .transform = second->transform, .norms = 2};
    }

private:
    Mixer m_attention;
    Transform m_dense;
    std::optional<Transform> m_experts;
    std::optional<RecurrentMixer> m_mamba;
    RecurrentMixer m_delta_net;
};

void add_predictions(Model &model, const HybridLayers &hybrid, std::int64_t modules, const LayerParts &parts,
                     OptionList &options) {
    if (hybrid.prediction.empty() || modules < 1)
        return;
    std::optional<Block> block = parts.prediction(hybrid.prediction);
    if (!block) {
        options.assume("/model/mtp_layers", 0,
                       fmt::format("plans do not support MTP modules with the layers {}", hybrid.prediction));
        return;
    }
    const auto same = std::find_if(model.blocks.begin(), model.blocks.end(), [&](Block each) {
        each.name = block->name;
        return each == *block;
    });
    model.mtp_block = same - model.blocks.begin();
    model.mtp_layers = modules;
    if (same == model.blocks.end())
        model.blocks.push_back(std::move(*block));
}

} // namespace

std::vector<std::int64_t> hybrid_stages(const std::string &pattern) {
    std::vector<std::int64_t> stages(1);
    for (const char c : pattern)
        if (c == '|')
            stages.push_back(0);
        else
            ++stages.back();
    return stages;
}

std::string hybrid_pattern(const std::string &pattern, const std::vector<std::int64_t> &stages,
                           const std::string &prediction, std::int64_t prediction_modules) {
    std::string text;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
        const std::size_t count = std::min(static_cast<std::size_t>(stages[i]), pattern.size() - at);
        text += pattern.substr(at, count) + "|";
        at += count;
    }
    text += pattern.substr(at);
    for (std::int64_t i = 0; i < prediction_modules && !prediction.empty(); ++i)
        text += "/" + prediction;
    return text;
}

std::string hybrid_fault(const HybridLayers &hybrid, const ModelShape &shape) {
    const std::string letters = hybrid.pattern + hybrid.prediction;
    const auto has = [&](char letter) { return letters.find(letter) != std::string::npos; };
    for (const char letter : letters)
        if (letter == 'D')
            return "plans do not support D, DeepSeek sparse attention";
        else if (std::string_view("MG*+-E|").find(letter) == std::string_view::npos)
            return fmt::format("{} is not a layer; expected M, G, *, +, - or E, and | between stages",
                               letter > 0x20 && letter < 0x7f ? fmt::format("\"{}\"", letter) : "a character");
    const auto stages = std::count(hybrid.pattern.begin(), hybrid.pattern.end(), '|') + 1;
    if (static_cast<std::size_t>(stages) > hybrid.pattern.size())
        return "has no layers";
    if (hybrid.pattern.size() > most_hybrid_layers)
        return fmt::format("has more than {} layers", most_hybrid_layers);
    if (hybrid.prediction.find('|') != std::string::npos)
        return "an MTP module cannot be divided into stages";
    if (has('*') && has('+'))
        return "attention (*) and latent attention (+) cannot be combined";
    if (has('E') && shape.experts.value_or(0) < 1)
        return "E needs a number of experts";
    if (has('M') && shape.hidden && !mamba_of(hybrid, *shape.hidden))
        return "the sizes of the Mamba layers are invalid: expected positive sizes, and a number of heads that is "
               "a multiple of the number of groups";
    return {};
}

std::optional<Model> hybrid_model_of(const HybridLayers &hybrid, const ModelShape &shape, const std::string &name,
                                     OptionList &options) {
    ModelShape whole = shape;
    const bool has_experts = shape.experts.value_or(0) > 0;
    whole.layers = has_experts ? 2 : 1;
    whole.has_experts = has_experts ? std::vector<bool>{false, true} : std::vector<bool>{};
    whole.windowed.clear();
    whole.has_delta_net.clear();
    std::optional<Model> model = model_of(whole, name, options);
    if (!model || hybrid.pattern.size() > most_hybrid_layers)
        return std::nullopt;
    const LayerParts parts(hybrid, shape, *model);
    model->blocks.clear();
    model->layers.clear();
    std::string letters; // letter of each block, in the order of the blocks
    for (const char letter : hybrid.pattern) {
        if (letter == '|')
            continue;
        std::size_t block = letters.find(letter);
        if (block == std::string::npos) {
            std::optional<Block> added = parts.layer(letter);
            if (!added)
                return std::nullopt;
            block = letters.size();
            letters += letter;
            model->blocks.push_back(std::move(*added));
        }
        if (!model->layers.empty() && model->layers.back().block == static_cast<std::int64_t>(block))
            ++model->layers.back().count;
        else
            model->layers.push_back({.block = static_cast<std::int64_t>(block), .count = 1});
    }
    model->mtp_layers = 0;
    model->mtp_block = 0;
    add_predictions(*model, hybrid, shape.mtp_layers, parts, options);
    return model->layers.empty() ? std::nullopt : model;
}

} // namespace meshwright

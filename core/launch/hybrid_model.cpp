// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/hybrid_model.h"

#include "launch/option_list.h"

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

std::optional<Model> hybrid_model_of(const HybridLayers &hybrid, const ModelShape &shape, const std::string &name,
                                     OptionList &options) {
    // The parts come from a temporary model with one dense layer and, if there are experts, one MoE layer.
    ModelShape parts = shape;
    const bool has_experts = shape.experts.value_or(0) > 0;
    parts.layers = has_experts ? 2 : 1;
    parts.has_experts = has_experts ? std::vector<bool>{false, true} : std::vector<bool>{};
    std::optional<Model> model = model_of(parts, name, options);
    if (!model || hybrid.pattern.size() > most_hybrid_layers)
        return std::nullopt;
    const std::vector<Block> whole = std::move(model->blocks);
    model->blocks.clear();
    model->layers.clear();
    std::string letters; // letter of each block, in the order of the blocks
    for (const char letter : hybrid.pattern) {
        if (letter == '|')
            continue;
        std::size_t block = letters.find(letter);
        if (block == std::string::npos) {
            Block added{.norms = 1};
            if (letter == 'M') {
                const auto mamba = mamba_of(hybrid, model->hidden);
                if (!mamba)
                    return std::nullopt;
                added.name = "mamba";
                added.mixer = *mamba;
            } else if (letter == '*' || letter == '+') {
                added.name = "attention";
                added.mixer = whole.front().mixer;
            } else if (letter == '-') {
                added.name = "dense";
                added.transform = whole.front().transform;
            } else if (letter == 'E' && has_experts) {
                added.name = "experts";
                added.transform = whole.back().transform;
            } else {
                return std::nullopt;
            }
            block = letters.size();
            letters += letter;
            model->blocks.push_back(std::move(added));
        }
        if (!model->layers.empty() && model->layers.back().block == static_cast<std::int64_t>(block))
            ++model->layers.back().count;
        else
            model->layers.push_back({.block = static_cast<std::int64_t>(block), .count = 1});
    }
    model->mtp_layers = 0; // MTP modules have their own pattern
    model->mtp_block = 0;
    return model->layers.empty() ? std::nullopt : model;
}

} // namespace meshwright

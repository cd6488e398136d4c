// SPDX-License-Identifier: GPL-3.0-or-later
// Reads models whose layers Megatron's options list in a pattern.
#include "launch/megatron_names.h"
#include "launch/megatron_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace meshwright {

namespace {

/// Replaces Mamba layers of a pattern at even distances. @param others  number of Mamba layers for each `kind`
void place_evenly(std::string &pattern, char kind, double others) {
    double left = others;
    for (char &layer : pattern) {
        if (layer != 'M')
            continue;
        if (left < 0.5) {
            layer = kind;
            left += others;
        } else {
            left -= 1;
        }
    }
}

/// _allocate_auto() in megatron/core/ssm/mamba_hybrid_layer_allocation.py of Megatron-LM at core_v0.12.0.
std::string allocated_layers(std::int64_t layers, double attention_ratio, double mlp_ratio) {
    const auto total = static_cast<double>(layers);
    const double attention = std::nearbyint(total * attention_ratio);
    const double mlp = std::nearbyint(total * mlp_ratio);
    std::string pattern(static_cast<std::size_t>(layers), 'M');
    place_evenly(pattern, '*', (total - attention) / (attention + 1));
    if (mlp > 0)
        place_evenly(pattern, '-', (total - attention - mlp) / mlp);
    return pattern;
}

} // namespace

std::optional<std::string> MegatronReading::pattern_of_ratios() {
    const auto attention = number("--hybrid-attention-ratio");
    const auto mlp = number("--hybrid-mlp-ratio");
    const double attention_ratio = attention.value_or(0);
    const double mlp_ratio = mlp.value_or(0);
    if (attention_ratio == 0 && mlp_ratio == 0)
        return std::nullopt;
    const std::string option = own(attention ? "--hybrid-attention-ratio" : "--hybrid-mlp-ratio");
    if (attention_ratio < 0 || mlp_ratio < 0 || attention_ratio + mlp_ratio > 1) {
        m_launch.options.fault(
            option, "expected ratios of attention and feed-forward layers from 0 to 1 that do not exceed 1 together");
        return std::nullopt;
    }
    const std::int64_t layers = m_launch.shape.layers.value_or(0);
    if (layers < 1 || layers > most_layers) {
        for (const std::string_view ratio : {"--hybrid-attention-ratio", "--hybrid-mlp-ratio"})
            m_launch.options.ignore(own(ratio), "applies only with --num-layers");
        return std::nullopt;
    }
    return allocated_layers(layers, attention_ratio, mlp_ratio);
}

void MegatronReading::read_hybrid_layers() {
    auto pattern = word("--hybrid-layer-pattern");
    const auto older = word("--hybrid-override-pattern");
    if (older && pattern)
        m_launch.options.fault(own("--hybrid-override-pattern"),
                               "conflicts with " + own("--hybrid-layer-pattern") + ", which is used");
    const std::string option = own(pattern ? "--hybrid-layer-pattern" : "--hybrid-override-pattern");
    if (older && !pattern)
        pattern = older;
    const bool is_stated = pattern.has_value();
    if (is_stated)
        for (const std::string_view ratio : {"--hybrid-attention-ratio", "--hybrid-mlp-ratio"})
            m_launch.options.ignore(own(ratio), "the layer pattern replaces it");
    else
        pattern = pattern_of_ratios();
    if (!pattern)
        return;
    if (is_stated && m_launch.options.find(option)->value.is_boolean()) {
        m_launch.options.fault(option, "expected a pattern of layers");
        return;
    }
    std::erase_if(*pattern, [](char c) { return c == '"' || c == '\'' || c == ' '; });
    HybridLayers hybrid{.pattern = pattern->substr(0, pattern->find('/'))};
    read_predictions(hybrid, pattern->substr(hybrid.pattern.size()));
    // The pattern replaces the number of layers.
    ModelShape &shape = m_launch.shape;
    m_hybrid_stages = hybrid_stages(hybrid.pattern);
    const std::int64_t layers = std::accumulate(m_hybrid_stages.begin(), m_hybrid_stages.end(), std::int64_t{0});
    if (shape.layers && *shape.layers != layers)
        m_launch.options.ignore(m_layers_option, fmt::format("the {} layers of {} replace it", layers, option));
    shape.layers = layers;
    if (is_stated)
        m_layers_option = option;
    hybrid.state_dim = integer("--mamba-state-dim").value_or(hybrid.state_dim);
    hybrid.head_dim = integer("--mamba-head-dim").value_or(hybrid.head_dim);
    hybrid.groups = integer("--mamba-num-groups").value_or(hybrid.groups);
    hybrid.heads = integer("--mamba-num-heads");
    m_launch.hybrid = std::move(hybrid);
}

/// The part of a pattern from its first "/" on: the same layers in every MTP module.
void MegatronReading::read_predictions(HybridLayers &hybrid, const std::string &modules) {
    for (std::size_t at = 0; at < modules.size(); ++m_launch.shape.mtp_layers) {
        const std::size_t end = std::min(modules.find('/', at + 1), modules.size());
        const std::string module = modules.substr(at + 1, end - at - 1);
        if (at > 0 && module != hybrid.prediction) {
            m_launch.options.fault(
                own(has("--hybrid-layer-pattern") ? "--hybrid-layer-pattern" : "--hybrid-override-pattern"),
                "the MTP modules after / must have the same layers");
            return;
        }
        hybrid.prediction = module;
        at = end;
    }
}

void MegatronReading::check_hybrid_layers() {
    if (!m_launch.hybrid)
        return;
    m_launch.options.ignore(own("--moe-layer-freq"), "the layer pattern states which layers have experts");
    const std::string why = hybrid_fault(*m_launch.hybrid, m_launch.shape);
    if (why.empty())
        return;
    m_launch.options.fault(m_layers_option, why);
    m_launch.shape.layers.reset(); // the layers cannot be divided into stages
    m_hybrid_stages.clear();
}

/// validate_args() in megatron/training/arguments.py, and HybridModelProvider of Megatron-Bridge.
void MegatronReading::check_stages_of_pattern(const UnevenSplit &split) {
    if (!m_launch.hybrid)
        return;
    const auto states = [this](std::string_view option) {
        const LaunchOption *const stated = m_launch.options.find(own(option));
        return stated != nullptr && !stated->value.is_null();
    };
    const auto refuse = [this](std::string_view option, bool stated) {
        if (stated)
            m_launch.options.fault(own(option),
                                   fmt::format("cannot be combined with {}, in which | ends a stage", m_layers_option));
    };
    const bool has_stages = m_hybrid_stages.size() > 1;
    for (const std::string_view option : {"--num-layers-per-virtual-pipeline-stage",
                                          "--num-virtual-stages-per-pipeline-rank", "--pipeline-model-parallel-layout"})
        refuse(option, states(option));
    refuse("--account-for-embedding-in-pipeline-split", split.embedding);
    refuse("--account-for-loss-in-pipeline-split", split.loss);
    refuse("--decoder-first-pipeline-num-layers", split.first && has_stages);
    refuse("--decoder-last-pipeline-num-layers", split.last && has_stages);
    if (m_chunks > 1 && m_pipeline == 1) {
        m_launch.options.fault(m_layers_option, "interleaving needs a pipeline of at least 2 stages");
        m_launch.plan["parallelism"].erase("layout");
        m_chunks = 1;
    }
    if (m_chunks > 1 && m_dialect == MegatronDialect::megatron_bridge)
        m_launch.options.fault(m_layers_option,
                               fmt::format("{} stages over {} pipeline ranks: Megatron-Bridge does not support virtual "
                                           "stages of hybrid models",
                                           m_hybrid_stages.size(), m_pipeline));
}

} // namespace meshwright

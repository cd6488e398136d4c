// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/described_model.h"

#include "catalog/library.h"
#include "catalog/weights.h"
#include "evidence/run_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <mutex>

namespace meshwright {

namespace {

/// Letters and digits only, so that "Llama-3.1 70B" matches "llama-3.1-70b".
std::string plain(std::string_view text) {
    std::string kept;
    for (const char c : lower_case(text))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            kept += c;
    return kept;
}

/// Whether plain(text) equals `wanted`, without a copy, since every run is compared with every model.
bool is_plainly(std::string_view text, std::string_view wanted) {
    for (const char c : text) {
        const auto letter = static_cast<unsigned char>(c);
        if (std::isalnum(letter) == 0)
            continue;
        if (wanted.empty() || std::tolower(letter) != static_cast<unsigned char>(wanted.front()))
            return false;
        wanted.remove_prefix(1);
    }
    return wanted.empty();
}

std::int64_t whole(double value) {
    return std::max<std::int64_t>(1, std::llround(std::min(value, 1e9)));
}

class ModelBuilder {
public:
    ModelBuilder(const MeasuredRun &run, std::vector<std::string> &assumed)
        : m_run(run)
        , m_assumed(assumed) { }

    Model build() {
        Model model;
        model.name = m_run.model_name;
        model.hidden = whole(*m_run.hidden);
        model.vocabulary = whole(assumed_number("vocabulary", m_run.vocabulary, 51200));
        const bool gated = assumed_number("gated_mlp", m_run.gated, 1) > 0;
        model.tied_embeddings = assumed_number("tied_embeddings", m_run.tied_embeddings, gated ? 0 : 1) > 0;
        model.norm = gated ? NormKind::rms : NormKind::layer;
        const std::int64_t layers = whole(*m_run.layers);
        const std::vector<Mixer> mixers = mixers_of(model);
        const bool has_experts = m_run.experts && *m_run.experts > 1;
        const std::int64_t dense =
            has_experts ? std::clamp<std::int64_t>(std::llround(m_run.dense_layers.value_or(0)), 0, layers) : layers;
        const FeedForward network{.hidden = whole(ffn_hidden(model, gated, layers)), .gated = gated, .bias = !gated};
        for (const Mixer &mixer : mixers)
            model.blocks.push_back({.name = "dense", .mixer = mixer, .transform = network});
        if (has_experts)
            for (const Mixer &mixer : mixers)
                model.blocks.push_back({.name = "experts", .mixer = mixer, .transform = experts(model, gated)});
        for (std::int64_t i = 0; i < layers; ++i) {
            const auto kinds = static_cast<std::int64_t>(mixers.size());
            const std::int64_t block = i % kinds + (i < dense ? 0 : kinds);
            if (!model.layers.empty() && model.layers.back().block == block)
                ++model.layers.back().count;
            else
                model.layers.push_back({.block = block, .count = 1});
        }
        return model;
    }

private:
    double assumed_number(const char *name, const std::optional<double> &said, double otherwise) {
        if (said)
            return *said;
        m_assumed.push_back(fmt::format("{} {:g}", name, otherwise));
        return otherwise;
    }

    /// The feed-forward size that the source gives, otherwise the one that follows from the number of parameters,
    /// otherwise the usual one for the hidden size.
    double ffn_hidden(const Model &model, bool gated, std::int64_t layers) {
        if (m_run.ffn_hidden && *m_run.ffn_hidden > 0)
            return *m_run.ffn_hidden;
        const auto hidden = static_cast<double>(model.hidden);
        double width = gated ? std::ceil(8.0 / 3 * hidden / 256) * 256 : 4 * hidden;
        if (m_run.parameters && !m_run.experts) {
            const double embedding = hidden * static_cast<double>(model.vocabulary) * (model.tied_embeddings ? 1 : 2);
            const double layer = (*m_run.parameters - embedding) / static_cast<double>(layers);
            const double left = (layer - 4 * hidden * hidden) / (hidden * (gated ? 3 : 2));
            width = left > hidden ? std::round(left / 128) * 128 : width;
        }
        m_assumed.push_back(fmt::format("ffn_hidden {:g}", width));
        return width;
    }

    std::vector<Mixer> mixers_of(const Model &model) {
        const auto hidden = static_cast<double>(model.hidden);
        const double heads =
            assumed_number("heads", m_run.heads, std::max(1.0, std::round(hidden / m_run.head_dim.value_or(128))));
        const double kv_heads = assumed_number("kv_heads", m_run.kv_heads, heads);
        const std::string words = lower_case(m_run.attention);
        if (words.find("mla") != std::string::npos)
            return {latent(heads, words)};
        const double head_dim = m_run.head_dim && *m_run.head_dim > 0 ? *m_run.head_dim : hidden / std::max(1.0, heads);
        Attention attention{
            .heads = whole(heads), .kv_heads = std::min(whole(kv_heads), whole(heads)), .head_dim = whole(head_dim)};
        const std::size_t window = words.find("swa");
        if (window == std::string::npos)
            return {attention};
        const double tokens = number_after(words, window + 3).value_or(4096);
        Attention sliding = attention;
        sliding.window = whole(tokens);
        if (words.find("alternating") == std::string::npos)
            return {sliding};
        return {sliding, attention};
    }

    static std::optional<double> number_after(const std::string &words, std::size_t at) {
        while (at < words.size() && (words[at] == ' ' || words[at] == '-' || words[at] == '_'))
            ++at;
        double value = 0;
        std::size_t digits = 0;
        for (; at < words.size() && std::isdigit(static_cast<unsigned char>(words[at])) != 0 && digits < 9;
             ++at, ++digits)
            value = value * 10 + (words[at] - '0');
        return digits > 0 ? std::optional(value) : std::nullopt;
    }

    /// DeepSeek's head dimensions, for rows without any (arXiv 2405.04434, 2412.19437). Models with a hidden size of
    /// 5,120 or more compress queries.
    Mixer latent(double heads, const std::string &words) {
        const auto rank = [&](const char *key, double otherwise) {
            const std::size_t at = words.find(key);
            return at == std::string::npos ? otherwise
                                           : number_after(words, at + std::string_view(key).size()).value_or(otherwise);
        };
        m_assumed.emplace_back("head dimensions: 128 + 64 (RoPE) for queries and keys, 128 for values");
        return LatentAttention{.heads = whole(heads),
                               .query_rank = std::llround(rank("q_lora", *m_run.hidden >= 5120 ? 1536 : 0)),
                               .key_value_rank = whole(rank("kv_lora", 512)),
                               .nope_head_dim = 128,
                               .rope_head_dim = 64,
                               .value_head_dim = 128};
    }

    Experts experts(const Model &model, bool gated) {
        const double width = assumed_number("expert_ffn_hidden", m_run.expert_hidden,
                                            m_run.ffn_hidden.value_or(4 * static_cast<double>(model.hidden)));
        const double shared = m_run.shared_experts.value_or(0);
        return {.experts = whole(*m_run.experts),
                .experts_per_token = std::min(whole(assumed_number("experts_per_token", m_run.experts_per_token, 2)),
                                              whole(*m_run.experts)),
                .hidden = whole(width),
                .gated = gated,
                .shared_hidden = std::llround(std::min(shared * width, 1e9))};
    }

    const MeasuredRun &m_run;
    std::vector<std::string> &m_assumed;
};

} // namespace

std::optional<Model> model_by_name(const std::string &name, const Library &library) {
    const std::string wanted = plain(name);
    if (wanted.size() < 4)
        return std::nullopt;
    for (const PresetEntry &entry : library.entries())
        if (entry.kind == PresetKind::model && (is_plainly(entry.id, wanted) || is_plainly(entry.name, wanted)))
            return *library.model(entry.id);
    return std::nullopt;
}

std::optional<Model> described_model(const MeasuredRun &run, const Library &library,
                                     std::vector<std::string> &assumed) {
    constexpr double max_layers = 1e5;
    if (run.layers && run.hidden && *run.layers >= 1 && *run.layers <= max_layers && *run.hidden >= 1)
        return ModelBuilder(run, assumed).build();
    std::optional<Model> known = model_by_name(run.model_name, library);
    if (known)
        assumed.push_back(fmt::format("the model preset {}", known->name));
    return known;
}

} // namespace meshwright

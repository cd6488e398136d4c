// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/completed_run.h"

#include "catalog/accelerator.h"
#include "catalog/library.h"
#include "catalog/model.h"
#include "evidence/described_model.h"
#include "evidence/last_answer.h"
#include "evidence/run_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>

namespace meshwright {

namespace {

/// Parses "8.86B" from "nanotron-llama 8.86B", as 8.86 x 10^9.
std::optional<double> read_parameters(const std::string &name) {
    static const std::regex size(R"((?:^|[^0-9.])(\d{1,4}(?:\.\d{1,3})?) ?([bmt])(?![a-z]))", std::regex::icase);
    constexpr std::size_t longest_name = 200; // a longer name would make the regular expression too slow
    std::smatch match;
    if (name.size() > longest_name || !std::regex_search(name, match, size))
        return std::nullopt;
    const char unit = lower_case(match[2].str()).front();
    return std::stod(match[1]) * (unit == 'm' ? 1e6 : unit == 'b' ? 1e9 : 1e12);
}

std::optional<double> parameters_in(const std::string &name) {
    thread_local LastAnswer<std::string, std::optional<double>> last;
    return last.of(name, read_parameters);
}

class RunCompletion {
public:
    RunCompletion(MeasuredRun &run, const Library &library, std::vector<std::string> &assumed)
        : m_run(run)
        , m_library(library)
        , m_assumed(assumed) { }

    void year(const std::optional<std::string> &accelerator) {
        constexpr int until_used = 2; // years from an accelerator's launch to published runs on it
        if (m_run.year != 0 || !accelerator)
            return;
        m_run.year = static_cast<int>(m_library.accelerator(*accelerator)->year) + until_used;
        m_assumed.push_back(fmt::format("year {}", m_run.year));
    }

    /// Solves accelerators = data x tensor x pipeline x context for the missing factor.
    void layout() {
        const std::array<std::optional<double> *, 4> degrees{&m_run.data, &m_run.tensor, &m_run.pipeline,
                                                             &m_run.context};
        double product = 1;
        std::size_t said = 0;
        for (const std::optional<double> *degree : degrees) {
            said += *degree ? 1 : 0;
            product *= degree->value_or(1);
        }
        if (!m_run.accelerators && m_run.data && m_run.tensor && m_run.pipeline)
            m_run.accelerators = product;
        if (!m_run.accelerators || product < 1 || said + 1 < degrees.size())
            return;
        const double left = *m_run.accelerators / product;
        if (left < 1 || std::fmod(*m_run.accelerators, product) != 0)
            return;
        for (std::optional<double> *degree : degrees)
            if (!*degree)
                *degree = left;
    }

    /// Takes values from the catalog's model of that name, if its shape agrees.
    void named_model() {
        const std::optional<Model> model = model_by_name(m_run.model_name, m_library);
        if (!model || !m_run.layers || !m_run.hidden || static_cast<double>(model->layer_count()) != *m_run.layers
            || static_cast<double>(model->hidden) != *m_run.hidden)
            return;
        fill("vocabulary", m_run.vocabulary, static_cast<double>(model->vocabulary));
        fill("tied_embeddings", m_run.tied_embeddings, model->tied_embeddings ? 1 : 0);
        for (const Block &block : model->blocks)
            named_block(block);
        std::int64_t dense = 0;
        for (const LayerRun &run : model->layers)
            dense += std::holds_alternative<FeedForward>(model->blocks[static_cast<std::size_t>(run.block)].transform)
                ? run.count
                : 0;
        if (m_run.experts)
            fill("dense_layers", m_run.dense_layers, static_cast<double>(dense));
    }

    /// Infers the model's form from its number of parameters, if that is printed with enough digits.
    void by_parameters() {
        if (!m_run.parameters || !m_run.layers || !m_run.hidden || *m_run.layers < 1 || *m_run.hidden < 1)
            return;
        if (!m_run.gated && m_run.ffn_hidden && !m_run.experts && m_run.vocabulary) {
            const double plain = std::abs(parameters_with(2, *m_run.vocabulary) - *m_run.parameters);
            const double gated = std::abs(parameters_with(3, *m_run.vocabulary) - *m_run.parameters);
            fill("gated_mlp", m_run.gated, gated < plain ? 1 : 0);
        }
        if (!m_run.vocabulary && m_run.ffn_hidden && !m_run.experts && m_run.gated) {
            constexpr double unsure = 8192; // maximum error in vocabulary entries due to the rounded parameter count
            const double copies = m_run.tied_embeddings.value_or(*m_run.gated > 0 ? 0 : 1) > 0 ? 1 : 2;
            const double words =
                (*m_run.parameters - parameters_with(*m_run.gated > 0 ? 3 : 2, 0)) / (copies * *m_run.hidden);
            if (rounding() / (copies * *m_run.hidden) < unsure && words > 1e4 && words < 4e5)
                fill("vocabulary", m_run.vocabulary, std::round(words / 128) * 128);
        }
    }

    void usual_model() {
        shape_of_parameters();
        if (!m_run.hidden)
            return;
        const double hidden = *m_run.hidden;
        const bool modern = m_run.year >= 2024;
        const bool wide = m_run.ffn_hidden && *m_run.ffn_hidden == 4 * hidden;
        fill("gated_mlp", m_run.gated, wide && !modern ? 0 : 1);
        // Llama 3's vocabulary or, for models of GPT-2's form, GPT-2's padded vocabulary
        fill("vocabulary", m_run.vocabulary, modern && *m_run.gated > 0 ? 128256 : 51200);
        usual_experts();
    }

    void sequence_length() {
        constexpr int last_of_gpt3 = 2022;
        fill("sequence_length", m_run.sequence_length, m_run.year <= last_of_gpt3 ? 2048 : 4096);
    }

private:
    void fill(const char *name, std::optional<double> &place, double value) {
        if (place)
            return;
        place = value;
        m_assumed.push_back(fmt::format("{} {:g}", name, value));
    }

    void named_block(const Block &block) {
        if (const auto *attention = std::get_if<Attention>(&block.mixer)) {
            fill("heads", m_run.heads, static_cast<double>(attention->heads));
            fill("kv_heads", m_run.kv_heads, static_cast<double>(attention->kv_heads));
            fill("head_dim", m_run.head_dim, static_cast<double>(attention->head_dim));
        } else if (const auto *latent = std::get_if<LatentAttention>(&block.mixer)) {
            fill("heads", m_run.heads, static_cast<double>(latent->heads));
            if (m_run.attention.empty())
                m_run.attention = fmt::format("MLA q_lora{} kv_lora{}", latent->query_rank, latent->key_value_rank);
        }
        if (const auto *dense = std::get_if<FeedForward>(&block.transform)) {
            fill("ffn_hidden", m_run.ffn_hidden, static_cast<double>(dense->hidden));
            fill("gated_mlp", m_run.gated, dense->gated ? 1 : 0);
        } else if (const auto *experts = std::get_if<Experts>(&block.transform)) {
            fill("experts", m_run.experts, static_cast<double>(experts->experts));
            fill("experts_per_token", m_run.experts_per_token, static_cast<double>(experts->experts_per_token));
            fill("expert_ffn_hidden", m_run.expert_hidden, static_cast<double>(experts->hidden));
            fill("shared_experts", m_run.shared_experts,
                 std::round(static_cast<double>(experts->shared_hidden) / static_cast<double>(experts->hidden)));
            fill("gated_mlp", m_run.gated, experts->gated ? 1 : 0);
        }
    }

    /// Parameters of a dense model whose feed-forward network has this many matrices.
    double parameters_with(double matrices, double vocabulary) const {
        const double hidden = *m_run.hidden;
        const double heads = m_run.heads.value_or(1);
        const double keys = m_run.kv_heads.value_or(heads) / std::max(1.0, heads);
        const double layer = (2 + 2 * keys) * hidden * hidden + matrices * hidden * m_run.ffn_hidden.value_or(0);
        const double copies = m_run.tied_embeddings.value_or(matrices > 2 ? 0 : 1) > 0 ? 1 : 2;
        return *m_run.layers * layer + copies * hidden * vocabulary;
    }

    double rounding() const {
        double unit = 1;
        while (unit < *m_run.parameters && std::fmod(*m_run.parameters, 10 * unit) == 0)
            unit *= 10;
        return unit / 2;
    }

    /// Llama's proportions, if only the number of parameters is known: 12 x layers x hidden^2, one layer per 128 of
    /// hidden size (arXiv 2302.13971, table 2), and two embeddings.
    void shape_of_parameters() {
        const double parameters = m_run.parameters.value_or(parameters_in(m_run.model_name).value_or(0));
        if (parameters < 1e6 || parameters > 1e13 || (m_run.layers && m_run.hidden) || m_run.experts
            || model_by_name(m_run.model_name, m_library))
            return;
        constexpr double of_layer = 12;
        constexpr double width_of_layer = 128;
        const double words = m_run.vocabulary.value_or(m_run.year >= 2024 ? 128256 : 51200);
        double hidden = m_run.hidden.value_or(std::cbrt(parameters * width_of_layer / of_layer));
        for (int i = 0; i < 20 && !m_run.hidden; ++i) {
            const double blocks = std::max(0.1 * parameters, parameters - 2 * words * hidden);
            hidden = m_run.layers ? std::sqrt(blocks / (of_layer * *m_run.layers))
                                  : std::cbrt(blocks * width_of_layer / of_layer);
        }
        hidden = std::max(width_of_layer, std::round(hidden / width_of_layer) * width_of_layer);
        const double blocks = std::max(0.1 * parameters, parameters - 2 * words * hidden);
        fill("hidden", m_run.hidden, hidden);
        fill("layers", m_run.layers, std::max(1.0, std::round(blocks / (of_layer * hidden * hidden))));
    }

    /// With few experts, each has the size of a dense feed-forward network (Mixtral, arXiv 2401.04088, table 1); with
    /// many, a token's active experts together have that size (DeepSeekMoE, arXiv 2401.06066, section 3.1).
    void usual_experts() {
        if (!m_run.experts || *m_run.experts <= 1)
            return;
        constexpr double fine_grained = 32;
        const bool fine = *m_run.experts >= fine_grained;
        fill("experts_per_token", m_run.experts_per_token, fine ? 8 : 2);
        if (!m_run.ffn_hidden || m_run.expert_hidden)
            return;
        // No dense feed-forward network is that narrow, so the source must mean the experts' size.
        const bool is_of_experts = m_run.hidden && *m_run.ffn_hidden < 1.5 * *m_run.hidden;
        const double seen = *m_run.experts_per_token + m_run.shared_experts.value_or(0);
        fill("expert_ffn_hidden", m_run.expert_hidden,
             fine && !is_of_experts ? std::round(*m_run.ffn_hidden / std::max(1.0, seen)) : *m_run.ffn_hidden);
    }

    MeasuredRun &m_run;
    const Library &m_library;
    std::vector<std::string> &m_assumed;
};

} // namespace

MeasuredRun completed_run(MeasuredRun run, const RunRules &rules, const Library &library,
                          std::vector<std::string> &assumed) {
    RunCompletion completion(run, library, assumed);
    completion.year(rules.accelerator(run.accelerator));
    completion.layout();
    completion.named_model();
    completion.by_parameters();
    completion.usual_model();
    completion.sequence_length();
    return run;
}

double usual_batch_tokens(double parameters) {
    return 1e6 * std::pow(parameters / 1.3e9, 0.25);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/torchtitan_model_reading.h"

#include "launch/option_list.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

namespace meshwright {

namespace {

constexpr std::int64_t most_flavor_layers = 10'000;

/// Keyword arguments of a call, including those of nested calls.
class PythonArguments {
public:
    /// @param text  text after the call's opening parenthesis
    explicit PythonArguments(std::string_view text) {
        int depth = 1;
        std::string name;
        std::string word;
        const auto finish = [&] {
            if (!name.empty())
                m_values.emplace(name, word);
            name.clear();
            word.clear();
        };
        for (std::size_t at = 0; at < text.size() && depth > 0; ++at) {
            const char c = text[at];
            if (c == '#') {
                at = std::min(text.find('\n', at), text.size() - 1);
            } else if (c == '=') {
                name = std::move(word);
                word.clear();
            } else if (c == '(') { // the arguments of a nested call follow
                name.clear();
                word.clear();
                ++depth;
            } else if (c == ',' || c == ')') {
                finish();
                depth -= c == ')' ? 1 : 0;
            } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
                word += c;
            }
        }
    }

    std::optional<std::int64_t> count(const char *name) const {
        const auto found = m_values.find(name);
        return found == m_values.end() ? std::nullopt : spelled_integer(found->second);
    }
    std::optional<double> number(const char *name) const {
        const auto found = m_values.find(name);
        if (found == m_values.end() || found->second.empty())
            return std::nullopt;
        char *end = nullptr;
        const double value = std::strtod(found->second.c_str(), &end);
        return *end == '\0' && std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    bool flag(const char *name) const {
        const auto found = m_values.find(name);
        return found != m_values.end() && found->second == "True";
    }

private:
    std::map<std::string, std::string> m_values;
};

/// As in torchtitan/models/llama3/model/model.py: two thirds of 4 x dim, times a factor, rounded up to a multiple of
/// multiple_of.
std::optional<std::int64_t> llama_feed_forward(const PythonArguments &arguments) {
    constexpr double most = 1e12;
    const auto dim = arguments.number("dim");
    if (!dim || *dim < 1 || *dim > most)
        return std::nullopt;
    double hidden = std::floor(8.0 / 3.0 * *dim);
    if (const auto factor = arguments.number("ffn_dim_multiplier"))
        hidden = std::floor(hidden * *factor);
    const double multiple = std::max(1.0, arguments.number("multiple_of").value_or(256));
    hidden = multiple * std::ceil(hidden / multiple);
    return hidden >= 1 && hidden <= most ? std::optional(static_cast<std::int64_t>(hidden)) : std::nullopt;
}

void add_experts(ModelShape &shape, const PythonArguments &arguments) {
    const auto experts = arguments.count("num_experts");
    const std::int64_t layers = shape.layers.value_or(0);
    if (!experts || *experts < 1 || layers < 1)
        return;
    shape.experts = experts;
    shape.experts_per_token = arguments.count("top_k").value_or(1);
    shape.expert_hidden = arguments.count("moe_inter_dim");
    shape.shared_hidden = std::clamp<std::int64_t>(arguments.count("num_shared_experts").value_or(0), 0, 1'000)
        * std::clamp<std::int64_t>(shape.expert_hidden.value_or(0), 0, 1'000'000'000);
    const std::int64_t dense = std::clamp<std::int64_t>(arguments.count("n_dense_layers").value_or(0), 0, layers);
    shape.has_experts.assign(static_cast<std::size_t>(layers), true);
    std::fill_n(shape.has_experts.begin(), dense, false);
}

ModelShape flavor_shape(const std::string &family, const PythonArguments &arguments) {
    ModelShape shape;
    if (const auto layers = arguments.count("n_layers"); layers && *layers >= 1 && *layers <= most_flavor_layers)
        shape.layers = layers;
    shape.hidden = arguments.count("dim");
    shape.heads = arguments.count("n_heads");
    shape.kv_heads = arguments.count("n_kv_heads");
    shape.head_dim = arguments.count("head_dim");
    shape.vocabulary = arguments.count("vocab_size");
    shape.longest_sequence = arguments.count("max_seq_len");
    shape.gated = true;
    shape.norm = NormKind::rms;
    if (family == "llama3") {
        shape.feed_forward = llama_feed_forward(arguments);
    } else if (family == "qwen3") {
        shape.feed_forward = arguments.count("hidden_dim");
        shape.query_key_norm = arguments.flag("qk_norm");
        shape.tied_embeddings = arguments.flag("enable_weight_tying");
        if (arguments.flag("moe_enabled"))
            add_experts(shape, arguments);
    } else {
        shape.feed_forward = arguments.count("inter_dim");
        shape.latent = {.query_rank = arguments.count("q_lora_rank").value_or(0),
                        .kv_rank = arguments.count("kv_lora_rank").value_or(512),
                        .nope_head_dim = arguments.count("qk_nope_head_dim").value_or(128),
                        .rope_head_dim = arguments.count("qk_rope_head_dim").value_or(64),
                        .value_head_dim = arguments.count("v_head_dim").value_or(128)};
        add_experts(shape, arguments);
    }
    return shape;
}

} // namespace

std::optional<TorchtitanFlavor> added_flavor(std::string_view python) {
    for (const std::string family : {"llama3", "qwen3", "deepseek_v3"}) {
        if (python.find("torchtitan.models." + family + " import") == std::string_view::npos)
            continue;
        const std::size_t open = python.find("_args[\"");
        if (open == std::string_view::npos)
            return std::nullopt;
        const std::size_t name = open + 7;
        const std::size_t quote = python.find("\"]", name);
        const std::size_t call = python.find('(', std::min(quote, python.size()));
        if (quote == std::string_view::npos || call == std::string_view::npos)
            return std::nullopt;
        return TorchtitanFlavor{.model = family,
                                .flavor = std::string(python.substr(name, quote - name)),
                                .preset = {},
                                .shape = flavor_shape(family, PythonArguments(python.substr(call + 1)))};
    }
    return std::nullopt;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/mixer_weights.h"

namespace meshwright {

Weight matrix(std::string_view name, WeightKind kind, std::int64_t inputs, std::int64_t outputs, Split split) {
    return {.name = name,
            .kind = kind,
            .inputs = inputs,
            .outputs = outputs,
            .parameters = inputs * outputs,
            .split = split};
}

Weight vector_of(std::string_view name, WeightKind kind, std::int64_t parameters) {
    return {.name = name, .kind = kind, .parameters = parameters};
}

namespace {

constexpr WeightKind mixer_kind = WeightKind::mixer;

Weight with_bias(Weight weight, bool bias) {
    weight.bias = bias ? weight.outputs : 0;
    weight.parameters += weight.bias;
    return weight;
}

Weight with_groups(Weight weight, std::int64_t groups, std::int64_t grouped_outputs = 0) {
    weight.groups = groups;
    weight.grouped_outputs = grouped_outputs;
    return weight;
}

std::int64_t value_width(const Attention &attention) {
    return attention.value_head_dim > 0 ? attention.value_head_dim : attention.head_dim;
}

std::int64_t query_key_norm_parameters(const Attention &attention) {
    switch (attention.query_key_norm) {
    case QueryKeyNorm::none:
        return 0;
    case QueryKeyNorm::per_head:
        return 2 * attention.head_dim;
    case QueryKeyNorm::whole:
    case QueryKeyNorm::per_head_separate:
        return (attention.heads + attention.kv_heads) * attention.head_dim;
    }
    return 0;
}

/// Queries, keys and values share one fused projection unless queries have a low-rank down projection.
void add_projections(std::vector<Weight> &weights, const Model &model, const Attention &attention) {
    const std::int64_t queries = attention.heads * attention.head_dim;
    const std::int64_t keys = attention.kv_heads * attention.head_dim;
    const std::int64_t values = attention.shared_key_value ? 0 : attention.kv_heads * value_width(attention);
    const std::int64_t gate = attention.output_gate ? attention.heads * value_width(attention) : 0;
    const bool bias = attention.query_key_value_bias;
    if (attention.query_rank == 0) {
        weights.push_back(with_groups(with_bias(matrix("attention.query_key_value", mixer_kind, model.hidden,
                                                       queries + gate + keys + values, Split::column),
                                                bias),
                                      attention.kv_heads, keys + values));
        return;
    }
    weights.push_back(
        matrix("attention.query_down", mixer_kind, model.hidden, attention.query_rank, Split::replicated));
    weights.push_back(vector_of("attention.query_norm", WeightKind::norm, attention.query_rank));
    weights.push_back(with_groups(
        with_bias(matrix("attention.query_up", mixer_kind, attention.query_rank, queries, Split::column), bias),
        attention.heads));
    weights.push_back(with_groups(
        with_bias(matrix("attention.key_value", mixer_kind, model.hidden, keys + values + gate, Split::column), bias),
        attention.kv_heads, keys + values));
}

struct CompressorNames {
    std::string_view matrix;
    std::string_view positions;
    std::string_view norm;
};
constexpr CompressorNames compressor{.matrix = "attention.compressor",
                                     .positions = "attention.compressor.positions",
                                     .norm = "attention.compressor.norm"};
constexpr CompressorNames index_compressor{.matrix = "attention.index_compressor",
                                           .positions = "attention.index_compressor.positions",
                                           .norm = "attention.index_compressor.norm"};

/// A compressed key is a weighted sum over a window of tokens (DeepSeek-V4's compressed sparse attention). It needs a
/// key projection, a projection that gives the weights of the sum, a learned position bias within the window, and a
/// norm.
void add_compressor(std::vector<Weight> &weights, const Model &model, const Attention &attention,
                    const CompressorNames &names, std::int64_t width) {
    const std::int64_t outputs = (attention.compression_overlap ? 2 : 1) * width;
    weights.push_back(matrix(names.matrix, mixer_kind, model.hidden, 2 * outputs, Split::replicated));
    weights.push_back(vector_of(names.positions, mixer_kind, attention.compression * outputs));
    weights.push_back(vector_of(names.norm, WeightKind::norm, width));
}

/// Indexer weights of sparse attention without MLA: projections of queries and head weights, and a key projection, or a
/// small compressor if `compression` is set.
void add_indexer(std::vector<Weight> &weights, const Model &model, const Attention &attention) {
    const std::int64_t queries = attention.index_heads * attention.index_head_dim;
    if (attention.compression > 0) {
        weights.push_back(matrix("attention.index_query", mixer_kind,
                                 attention.query_rank > 0 ? attention.query_rank : model.hidden, queries,
                                 Split::replicated));
        weights.push_back(
            matrix("attention.index_weights", mixer_kind, model.hidden, attention.index_heads, Split::replicated));
        add_compressor(weights, model, attention, index_compressor, attention.index_head_dim);
        return;
    }
    weights.push_back(matrix("attention.index_query_key", mixer_kind, model.hidden, queries + attention.index_head_dim,
                             Split::replicated));
    weights.push_back(vector_of("attention.index_norm", WeightKind::norm, 2 * attention.index_head_dim));
}

void add_output(std::vector<Weight> &weights, const Model &model, const Attention &attention) {
    const std::int64_t width = attention.heads * value_width(attention);
    if (attention.output_rank == 0) {
        weights.push_back(
            with_bias(matrix("attention.output", mixer_kind, width, model.hidden, Split::row), attention.output_bias));
        return;
    }
    // A block-diagonal matrix: each group projects only its own heads.
    weights.push_back(with_groups(matrix("attention.output_down", mixer_kind, width / attention.output_groups,
                                         attention.output_groups * attention.output_rank, Split::column),
                                  attention.output_groups));
    weights.push_back(with_bias(matrix("attention.output", mixer_kind, attention.output_groups * attention.output_rank,
                                       model.hidden, Split::row),
                                attention.output_bias));
}

std::vector<Weight> weights_of_mixer(const Model &, const Nothing &) {
    return {};
}

std::vector<Weight> weights_of_mixer(const Model &model, const Attention &attention) {
    std::vector<Weight> weights;
    add_projections(weights, model, attention);
    if (const std::int64_t norm = query_key_norm_parameters(attention); norm > 0)
        weights.push_back(vector_of("attention.query_key_norm", WeightKind::norm, norm));
    if (attention.compression > 0)
        add_compressor(weights, model, attention, compressor, attention.head_dim);
    if (attention.index_heads > 0)
        add_indexer(weights, model, attention);
    if (attention.sinks)
        weights.push_back(vector_of("attention.sinks", mixer_kind, attention.heads));
    add_output(weights, model, attention);
    return weights;
}

/// DeepSeek-V3.2's indexer: queries from the compressed query, one key with a layer norm, one weight per head.
void add_indexer(std::vector<Weight> &weights, const Model &model, const LatentAttention &attention) {
    const std::int64_t inputs = attention.query_rank > 0 ? attention.query_rank : model.hidden;
    weights.push_back(matrix("attention.index_query", mixer_kind, inputs,
                             attention.index_heads * attention.index_head_dim, Split::replicated));
    weights.push_back(
        matrix("attention.index_key", mixer_kind, model.hidden, attention.index_head_dim, Split::replicated));
    weights.push_back(vector_of("attention.index_norm", WeightKind::norm, 2 * attention.index_head_dim));
    weights.push_back(
        matrix("attention.index_weights", mixer_kind, model.hidden, attention.index_heads, Split::replicated));
}

std::vector<Weight> weights_of_mixer(const Model &model, const LatentAttention &attention) {
    const std::int64_t heads = attention.heads;
    const std::int64_t queries = heads * (attention.nope_head_dim + attention.rope_head_dim);
    const std::int64_t values = heads * attention.value_head_dim;
    const bool bias = attention.bias;
    std::vector<Weight> weights;
    if (attention.query_rank > 0) {
        weights.push_back(with_bias(
            matrix("attention.query_down", mixer_kind, model.hidden, attention.query_rank, Split::replicated), bias));
        weights.push_back(vector_of("attention.query_norm", WeightKind::norm, attention.query_rank));
    }
    weights.push_back(
        with_groups(matrix("attention.query_up", mixer_kind,
                           attention.query_rank > 0 ? attention.query_rank : model.hidden, queries, Split::column),
                    heads));
    weights.push_back(with_bias(matrix("attention.key_value_down", mixer_kind, model.hidden,
                                       attention.key_value_rank + attention.rope_head_dim, Split::replicated),
                                bias));
    weights.push_back(vector_of("attention.key_value_norm", WeightKind::norm, attention.key_value_rank));
    weights.push_back(with_groups(matrix("attention.key_value_up", mixer_kind, attention.key_value_rank,
                                         heads * attention.nope_head_dim + values, Split::column),
                                  heads));
    if (attention.index_heads > 0)
        add_indexer(weights, model, attention);
    if (attention.output_gate)
        weights.push_back(
            with_groups(matrix("attention.output_gate", mixer_kind, model.hidden, values, Split::column), heads));
    weights.push_back(with_bias(matrix("attention.output", mixer_kind, values, model.hidden, Split::row), bias));
    return weights;
}

std::vector<Weight> weights_of_mixer(const Model &model, const RecurrentMixer &mixer) {
    std::vector<Weight> weights;
    weights.push_back(with_groups(
        matrix("recurrent.input", mixer_kind, model.hidden, mixer.input_projection, Split::column), mixer.key_heads));
    if (mixer.convolution_width > 0)
        weights.push_back(
            vector_of("recurrent.convolution", mixer_kind, mixer.convolution_width * mixer.convolution_channels));
    if (mixer.low_rank_parameters > 0)
        weights.push_back(vector_of("recurrent.low_rank", mixer_kind, mixer.low_rank_parameters));
    if (mixer.other_parameters > 0)
        weights.push_back(vector_of("recurrent.other", mixer_kind, mixer.other_parameters));
    weights.push_back(matrix("recurrent.output", mixer_kind, mixer.output_projection, model.hidden, Split::row));
    return weights;
}

} // namespace

std::vector<Weight> mixer_weights(const Model &model, const Mixer &mixer) {
    return std::visit([&](const auto &value) { return weights_of_mixer(model, value); }, mixer);
}

} // namespace meshwright

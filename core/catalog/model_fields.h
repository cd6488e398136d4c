// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshwright {

/// Allowed range of a count. The maximum is several times that of any published model. It keeps the product of a
/// weight's parameters and copies within 64 bits.
struct CountLimits {
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool required = false;
};

inline constexpr std::int64_t max_layers = 10'000;
inline constexpr std::int64_t max_blocks = 1'000;
inline constexpr std::int64_t max_hidden = 1'000'000;
inline constexpr std::int64_t max_heads = 65'536;
inline constexpr std::int64_t max_head_width = 65'536;
inline constexpr std::int64_t max_experts = 65'536;
inline constexpr std::int64_t max_feed_forward = 10'000'000;
inline constexpr std::int64_t max_rows = 100'000'000;
inline constexpr std::int64_t max_other = 1'000'000'000'000'000;
inline constexpr std::int64_t longest_text = 1'000'000'000;

inline constexpr CountLimits head_count{1, max_heads, true};
inline constexpr CountLimits head_width{1, max_head_width, true};
inline constexpr CountLimits optional_heads{0, max_heads};
inline constexpr CountLimits optional_width{0, max_head_width};
inline constexpr CountLimits exact_rest{0, max_other};

inline const std::vector<std::string> norm_words{"rms", "layer", "layer-without-bias"};
inline const std::vector<std::string> query_key_norm_words{"none", "per-head", "whole", "per-head-separate"};

// Each struct has one list of fields for reading and writing, so that the two always agree.

template <typename Fields>
void describe(Fields &fields, Attention *) {
    using A = Attention;
    fields.count("heads", &A::heads, head_count);
    fields.count("kv_heads", &A::kv_heads, head_count);
    fields.count("head_dim", &A::head_dim, head_width);
    fields.count("value_head_dim", &A::value_head_dim, optional_width);
    fields.flag("query_key_value_bias", &A::query_key_value_bias);
    fields.flag("output_bias", &A::output_bias);
    fields.word("query_key_norm", &A::query_key_norm, query_key_norm_words);
    fields.count("window", &A::window, {0, longest_text});
    fields.flag("sinks", &A::sinks);
    fields.flag("output_gate", &A::output_gate);
    fields.flag("shared_key_value", &A::shared_key_value);
    fields.count("query_rank", &A::query_rank, optional_width);
    fields.count("output_rank", &A::output_rank, optional_width);
    fields.count("output_groups", &A::output_groups, {1, max_heads});
    fields.count("compression", &A::compression, {0, 1'000'000});
    fields.flag("compression_overlap", &A::compression_overlap);
    fields.count("index_heads", &A::index_heads, optional_heads);
    fields.count("index_head_dim", &A::index_head_dim, optional_width);
    fields.count("index_tokens", &A::index_tokens, {0, longest_text});
}

template <typename Fields>
void describe(Fields &fields, LatentAttention *) {
    using L = LatentAttention;
    fields.count("heads", &L::heads, head_count);
    fields.count("query_rank", &L::query_rank, optional_width);
    fields.count("key_value_rank", &L::key_value_rank, head_width);
    fields.count("nope_head_dim", &L::nope_head_dim, head_width);
    fields.count("rope_head_dim", &L::rope_head_dim, optional_width);
    fields.count("value_head_dim", &L::value_head_dim, head_width);
    fields.flag("bias", &L::bias);
    fields.flag("output_gate", &L::output_gate);
    fields.count("index_heads", &L::index_heads, optional_heads);
    fields.count("index_head_dim", &L::index_head_dim, optional_width);
    fields.count("index_tokens", &L::index_tokens, {0, longest_text});
}

template <typename Fields>
void describe(Fields &fields, RecurrentMixer *) {
    using R = RecurrentMixer;
    fields.text("recurrence", &R::kind);
    fields.count("key_heads", &R::key_heads, head_count);
    fields.count("key_head_dim", &R::key_head_dim, head_width);
    fields.count("value_heads", &R::value_heads, head_count);
    fields.count("value_head_dim", &R::value_head_dim, head_width);
    fields.count("convolution_width", &R::convolution_width, {0, 1'000'000});
    fields.count("convolution_channels", &R::convolution_channels, {0, max_feed_forward});
    fields.count("input_projection", &R::input_projection, {1, max_feed_forward, true});
    fields.count("output_projection", &R::output_projection, {1, max_feed_forward, true});
    fields.count("other_parameters", &R::other_parameters, exact_rest);
    fields.count("low_rank_parameters", &R::low_rank_parameters, exact_rest);
}

template <typename Fields>
void describe(Fields &fields, FeedForward *) {
    fields.count("hidden", &FeedForward::hidden, {1, max_feed_forward, true});
    fields.flag("gated", &FeedForward::gated);
    fields.flag("bias", &FeedForward::bias);
}

template <typename Fields>
void describe(Fields &fields, Experts *) {
    using E = Experts;
    fields.count("experts", &E::experts, {1, max_experts, true});
    fields.count("experts_per_token", &E::experts_per_token, {1, max_experts, true});
    fields.count("hidden", &E::hidden, {1, max_hidden, true});
    fields.flag("gated", &E::gated);
    fields.flag("bias", &E::bias);
    fields.count("shared_hidden", &E::shared_hidden, {0, max_feed_forward});
    fields.flag("shared_gate", &E::shared_gate);
    fields.flag("router_bias", &E::router_bias);
    fields.flag("correction_bias", &E::correction_bias);
    fields.count("latent", &E::latent, {0, max_hidden});
}

template <typename Fields>
void describe(Fields &, Nothing *) { }

template <typename Fields>
void describe(Fields &fields, PublishedSize *) {
    using P = PublishedSize;
    fields.number("total", &P::total, 0, 1e18);
    fields.number("active", &P::active, 0, 1e18);
    fields.flag("exact", &P::exact);
    fields.text("difference", &P::difference);
    fields.text("source", &P::source);
}

/// Scalar fields before `blocks` in the JSON. describe_after() lists those after `layers`.
template <typename Fields>
void describe_before(Fields &fields, Model *) {
    using M = Model;
    fields.text("id", &M::id);
    fields.text("name", &M::name);
    fields.text("family", &M::family);
    fields.count("hidden", &M::hidden, {1, max_hidden, true});
    fields.count("vocabulary", &M::vocabulary, {1, max_rows, true});
    fields.flag("tied_embeddings", &M::tied_embeddings);
    fields.count("learned_positions", &M::learned_positions, {0, max_rows});
    fields.word("norm", &M::norm, norm_words);
    fields.flag("embedding_norm", &M::embedding_norm);
    fields.flag("final_norm", &M::final_norm);
    fields.flag("head_bias", &M::head_bias);
}

template <typename Fields>
void describe_after(Fields &fields, Model *) {
    using M = Model;
    fields.count("mtp_layers", &M::mtp_layers, {0, 100});
    fields.count("mtp_block", &M::mtp_block, {0, max_blocks - 1});
    fields.count("other_parameters", &M::other_parameters, exact_rest);
    fields.count("longest_sequence", &M::longest_sequence, {0, longest_text});
    fields.text("notes", &M::notes);
}

} // namespace meshwright

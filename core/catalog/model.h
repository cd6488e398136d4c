// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/sources.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace meshwright {

class FieldReader;

/// Each weight vector has `hidden` elements. RMSNorm has one; LayerNorm has two, or one without bias.
enum class NormKind { rms, layer, layer_without_bias };
/// Weights of the query norm and of the key norm of a layer: none, one vector of the head dimension, one vector over
/// all heads, or a separate vector per head.
enum class QueryKeyNorm { none, per_head, whole, per_head_separate };

struct Attention {
    std::int64_t heads = 1;
    std::int64_t kv_heads = 1;
    std::int64_t head_dim = 1;
    std::int64_t value_head_dim = 0; ///< head dimension of the values; 0 if equal to head_dim
    bool query_key_value_bias = false;
    bool output_bias = false;
    QueryKeyNorm query_key_norm = QueryKeyNorm::none;
    std::int64_t window = 0; ///< sliding window in tokens; 0: attention to the whole sequence
    bool sinks = false; ///< attention sinks: one learned logit per head
    bool output_gate = false; ///< multiplies the attention output by a gate projected from the layer's input
    bool shared_key_value = false;
    std::int64_t query_rank = 0; ///< rank of the down-projected queries, which have a norm; 0: full rank
    std::int64_t output_rank =
        0; ///< output dimension of each group's first output projection; 0: one projection to the hidden size
    std::int64_t output_groups = 1; ///< number of head groups that are projected to output_rank
    std::int64_t compression = 0; ///< tokens per compressed key; 0: no compression
    bool compression_overlap = false; ///< adjacent windows overlap, which doubles the compressor's outputs
    /// Number of heads of the indexer that selects each query's keys; 0 without an indexer.
    std::int64_t index_heads = 0;
    std::int64_t index_head_dim = 0;
    std::int64_t index_tokens = 0; ///< number of keys selected per query, after compression
    bool operator==(const Attention &) const = default;
};

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1).
struct LatentAttention {
    std::int64_t heads = 1;
    std::int64_t query_rank = 0; ///< rank of the compressed queries; 0: full rank
    std::int64_t key_value_rank = 1;
    std::int64_t nope_head_dim = 1; ///< head dimension without position encoding
    std::int64_t rope_head_dim = 0; ///< head dimension with RoPE; all heads share its key
    std::int64_t value_head_dim = 1;
    bool bias = false;
    bool output_gate = false; ///< multiplies the attention output by a gate projected from the layer's input
    /// Number of heads of DeepSeek sparse attention's indexer (V3.2); 0 without an indexer.
    std::int64_t index_heads = 0;
    std::int64_t index_head_dim = 0;
    std::int64_t index_tokens = 0; ///< number of keys that the indexer selects per query
    bool operator==(const LatentAttention &) const = default;
};

/// Sequence mixers with a fixed-size state, such as gated delta rule, lightning attention or Mamba-2. Described by
/// their projections and the state per head.
struct RecurrentMixer {
    std::string kind; ///< "gated-delta-net", "lightning", "mamba2", "kimi-delta"
    std::int64_t key_heads = 1;
    std::int64_t key_head_dim = 1;
    std::int64_t value_heads = 1;
    std::int64_t value_head_dim = 1;
    std::int64_t convolution_width = 0; ///< kernel width of the short convolution; 0 if there is none
    std::int64_t convolution_channels = 0;
    std::int64_t input_projection = 0; ///< total output dimension of the input projections
    std::int64_t output_projection = 0; ///< input dimension of the output projection
    std::int64_t other_parameters = 0; ///< exact number of parameters in decay rates, biases and norms of the mixer
    std::int64_t low_rank_parameters = 0; ///< exact number of parameters in low-rank gates
    bool operator==(const RecurrentMixer &) const = default;
};

struct FeedForward {
    std::int64_t hidden = 1;
    bool gated = true;
    bool bias = false;
    bool operator==(const FeedForward &) const = default;
};

struct Experts {
    std::int64_t experts = 1;
    std::int64_t experts_per_token = 1;
    std::int64_t hidden = 1;
    bool gated = true;
    bool bias = false;
    std::int64_t shared_hidden = 0; ///< total hidden size of all shared experts; 0: no shared experts
    bool shared_gate = false; ///< the shared experts' output has a scalar gate
    bool router_bias = false;
    bool correction_bias =
        false; ///< each routed expert has a bias for auxiliary-loss-free balancing, counted as a weight
    std::int64_t latent = 0; ///< latent dimension of the experts' input; 0: the model's hidden size
    bool operator==(const Experts &) const = default;
};

struct Nothing {
    bool operator==(const Nothing &) const = default;
};
using Mixer = std::variant<Nothing, Attention, LatentAttention, RecurrentMixer>;
using Transform = std::variant<Nothing, FeedForward, Experts>;

struct Block {
    std::string name; ///< type of layer, such as "dense", "experts" or "sliding"
    Mixer mixer;
    Transform transform;
    std::int64_t norms = 2; ///< number of norms over the hidden size
    /// Attention and feed-forward read the same input, and their outputs are added.
    bool parallel = false;
    std::int64_t other_parameters = 0; ///< exact number of other parameters, which the preset's notes describe
    bool operator==(const Block &) const = default;
};

struct LayerRun {
    std::int64_t block = 0; ///< index into Model::blocks
    std::int64_t count = 1;
    bool operator==(const LayerRun &) const = default;
};

struct PublishedSize {
    double total = 0; ///< total number of parameters; 0 if not published
    double active = 0;
    bool exact = false; ///< the published figure is exact, not rounded
    std::string difference; ///< extra parts that the published figure includes, with their parameter counts
    std::string source;
    bool operator==(const PublishedSize &) const = default;
};

/// A decoder-only language model: embedding, layers, final norm, LM head.
struct Model {
    std::string id;
    std::string name;
    std::string family; ///< model series, which groups models in menus: "Llama 3", "Qwen3", ...
    std::int64_t hidden = 1;
    std::int64_t vocabulary = 1;
    bool tied_embeddings = false;
    std::int64_t learned_positions = 0; ///< rows of the learned position embedding; 0 if there is none
    NormKind norm = NormKind::rms;
    bool embedding_norm = false;
    bool final_norm = true;
    bool head_bias = false;
    std::vector<Block> blocks;
    std::vector<LayerRun> layers;
    std::int64_t mtp_layers =
        0; ///< number of multi-token-prediction modules (DeepSeek-V3, arXiv 2412.19437, section 2.2)
    std::int64_t mtp_block = 0; ///< index into `blocks`: the layer type of each MTP module
    std::int64_t other_parameters = 0; ///< exact number of parameters outside the layers; the notes say which
    std::int64_t longest_sequence = 0; ///< maximum sequence length in tokens; 0 if unknown
    PublishedSize published;
    std::string notes;
    Sources sources;

    std::int64_t layer_count() const;
    const Block &block_of(std::int64_t index) const;

    bool operator==(const Model &) const = default;
};

void read_fields(FieldReader &reader, Model &model);
nlohmann::ordered_json to_json(const Model &model);

} // namespace meshwright

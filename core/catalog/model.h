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

/// Number of weights of each kind: hidden, 2 x hidden and hidden.
enum class NormKind { rms, layer, layer_without_bias };
/// Number of weights of each kind: none; 2 x head_dim; all heads together; a separate set per head.
enum class QueryKeyNorm { none, per_head, whole, per_head_separate };

/// Softmax attention: multi-head, grouped-query or multi-query.
struct Attention {
    std::int64_t heads = 1;
    std::int64_t kv_heads = 1;
    std::int64_t head_dim = 1;
    std::int64_t value_head_dim = 0; ///< 0 if equal to head_dim
    bool query_key_value_bias = false;
    bool output_bias = false;
    QueryKeyNorm query_key_norm = QueryKeyNorm::none;
    std::int64_t window = 0; ///< sliding window in tokens; 0 for the whole sequence
    bool sinks = false; ///< attention sinks: one learned logit per head
    bool output_gate = false; ///< gates the attention output by a projection of the input
    bool shared_key_value = false; ///< keys and values share one projection
    std::int64_t query_rank =
        0; ///< low-rank queries: dimension after the down projection, which has a norm; 0: full rank
    std::int64_t output_rank =
        0; ///< dimension of each output group after a first projection; 0: one projection to the hidden size
    std::int64_t output_groups = 1; ///< groups of heads that are projected to output_rank
    std::int64_t compression = 0; ///< tokens per compressed key; 0 without compression
    bool compression_overlap = false; ///< whether adjacent compression windows overlap, which doubles the compressor
    /// Number of heads of the indexer that selects the keys for a query; 0 without an indexer.
    std::int64_t index_heads = 0;
    std::int64_t index_head_dim = 0;
    std::int64_t index_tokens = 0; ///< selected keys per query, after compression
    bool operator==(const Attention &) const = default;
};

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1).
struct LatentAttention {
    std::int64_t heads = 1;
    std::int64_t query_rank = 0; ///< rank of the queries; 0 for full rank
    std::int64_t key_value_rank = 1;
    std::int64_t nope_head_dim = 1; ///< width of the part of each head that has no position encoding
    std::int64_t rope_head_dim = 0; ///< width of the rotary part of each head, whose key all heads share
    std::int64_t value_head_dim = 1;
    bool bias = false;
    bool output_gate = false; ///< gates the attention output by a projection of the input
    /// Number of heads of DeepSeek sparse attention's indexer (V3.2); 0 without an indexer.
    std::int64_t index_heads = 0;
    std::int64_t index_head_dim = 0;
    std::int64_t index_tokens = 0; ///< selected keys per query
    bool operator==(const LatentAttention &) const = default;
};

/// Sequence mixers with a fixed-size state: gated delta rule, lightning attention, Mamba-2 and similar. Described by
/// their projections and the state per head.
struct RecurrentMixer {
    std::string kind; ///< "gated-delta-net", "lightning", "mamba2", "kimi-delta"
    std::int64_t key_heads = 1;
    std::int64_t key_head_dim = 1;
    std::int64_t value_heads = 1;
    std::int64_t value_head_dim = 1;
    std::int64_t convolution_width = 0; ///< width of the short convolution; 0 if there is none
    std::int64_t convolution_channels = 0;
    std::int64_t input_projection = 0; ///< total output dimension of the input projections
    std::int64_t output_projection = 0; ///< input dimension of the output projection
    std::int64_t other_parameters = 0; ///< exact number of parameters in decay rates, biases and norms of the mixer
    std::int64_t low_rank_parameters = 0; ///< exact number of parameters in low-rank gates
    bool operator==(const RecurrentMixer &) const = default;
};

/// A dense feed-forward network.
struct FeedForward {
    std::int64_t hidden = 1;
    bool gated = true;
    bool bias = false;
    bool operator==(const FeedForward &) const = default;
};

/// A mixture of experts.
struct Experts {
    std::int64_t experts = 1;
    std::int64_t experts_per_token = 1;
    std::int64_t hidden = 1; ///< hidden size per expert
    bool gated = true;
    bool bias = false;
    std::int64_t shared_hidden = 0; ///< total hidden size of all shared experts; 0: none
    bool shared_gate = false; ///< scalar gate on the shared experts' output
    bool router_bias = false; ///< trained bias per routed expert
    bool correction_bias = false; ///< auxiliary-loss-free balancing bias, one per routed expert, counted as a weight
    std::int64_t latent = 0; ///< dimension of the experts' latent space; 0: the model's hidden size
    bool operator==(const Experts &) const = default;
};

struct Nothing {
    bool operator==(const Nothing &) const = default;
};
using Mixer = std::variant<Nothing, Attention, LatentAttention, RecurrentMixer>;
using Transform = std::variant<Nothing, FeedForward, Experts>;

/// One type of layer.
struct Block {
    std::string name; ///< "dense", "experts", "sliding", ...
    Mixer mixer;
    Transform transform;
    std::int64_t norms = 2; ///< number of norms over the hidden size
    /// Parallel layer: attention and feed-forward read the same input, and their outputs are added.
    bool parallel = false;
    std::int64_t other_parameters = 0; ///< exact count of other parameters, which the preset's notes describe
    bool operator==(const Block &) const = default;
};

struct LayerRun {
    std::int64_t block = 0; ///< index into Model::blocks
    std::int64_t count = 1; ///< consecutive layers
    bool operator==(const LayerRun &) const = default;
};

/// Published size of a model.
struct PublishedSize {
    double total = 0; ///< total number of parameters; 0 if not published
    double active = 0;
    bool exact = false; ///< whether the published figure is exact, not rounded
    std::string difference; ///< additional parts that the published figure includes, with their parameter counts
    std::string source;
    bool operator==(const PublishedSize &) const = default;
};

/// A decoder-only language model: embedding, layers, final norm, LM head.
struct Model {
    std::string id;
    std::string name;
    std::string family; ///< "Llama 3", "Qwen3", ... for grouping in menus
    std::int64_t hidden = 1;
    std::int64_t vocabulary = 1;
    bool tied_embeddings = false;
    std::int64_t learned_positions = 0; ///< rows of the learned position embedding; 0 if there is none
    NormKind norm = NormKind::rms;
    bool embedding_norm = false;
    bool final_norm = true;
    bool head_bias = false;
    std::vector<Block> blocks; ///< the types of layers
    std::vector<LayerRun> layers; ///< the layers in order
    std::int64_t mtp_layers = 0; ///< multi-token-prediction modules (DeepSeek-V3, arXiv 2412.19437, section 2.2)
    std::int64_t mtp_block = 0; ///< index of the block in each MTP module
    std::int64_t other_parameters = 0; ///< exact count of parameters outside the layers, which the notes describe
    std::int64_t longest_sequence = 0; ///< maximum sequence length in tokens; 0 if not stated
    PublishedSize published;
    std::string notes;
    Sources sources;

    std::int64_t layer_count() const;
    /// The block of layer `index`, counted from 0.
    const Block &block_of(std::int64_t index) const;

    bool operator==(const Model &) const = default;
};

void read_fields(FieldReader &reader, Model &model);
nlohmann::ordered_json to_json(const Model &model);

} // namespace meshwright

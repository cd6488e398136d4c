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

enum class NormKind { rms, layer, layer_without_bias }; ///< hidden, 2 x hidden, hidden weights each
enum class QueryKeyNorm {
    none,
    per_head,
    whole,
    per_head_separate
}; ///< weights: 2 x head_dim; all heads; one set a head

/// Softmax attention with its own keys and values: multi-head, grouped-query or multi-query.
struct Attention {
    std::int64_t heads = 1;
    std::int64_t kv_heads = 1;
    std::int64_t head_dim = 1;
    std::int64_t value_head_dim = 0; ///< 0: as head_dim
    bool query_key_value_bias = false;
    bool output_bias = false;
    QueryKeyNorm query_key_norm = QueryKeyNorm::none;
    std::int64_t window = 0; ///< sliding window in tokens, 0: the whole sequence
    bool sinks = false; ///< one learned logit a head
    bool output_gate = false; ///< a gate of the attention's output width, projected from the input
    bool shared_key_value = false; ///< one projection serves as keys and as values
    std::int64_t query_rank = 0; ///< queries pass through this width first, with a norm on it; 0: they do not
    std::int64_t output_rank = 0; ///< width that each output group is projected to before the hidden size; 0: none
    std::int64_t output_groups = 1; ///< heads are projected to output_rank in this many groups
    std::int64_t compression = 0; ///< tokens that are folded into one compressed key; 0: keys are kept as they are
    bool compression_overlap = false; ///< neighbouring compression windows overlap, which doubles the compressor
    std::int64_t index_heads = 0; ///< heads of the indexer that picks the keys a query sees; 0: no indexer
    std::int64_t index_head_dim = 0;
    std::int64_t index_tokens = 0; ///< keys (after compression) kept a query
    bool operator==(const Attention &) const = default;
};

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1).
struct LatentAttention {
    std::int64_t heads = 1;
    std::int64_t query_rank = 0; ///< 0: queries are not compressed
    std::int64_t key_value_rank = 1;
    std::int64_t nope_head_dim = 1; ///< per head, without position
    std::int64_t rope_head_dim = 0; ///< per head, rotary, shared by all heads on the key side
    std::int64_t value_head_dim = 1;
    bool bias = false;
    bool output_gate = false; ///< a gate of the attention's output width, projected from the input
    std::int64_t index_heads = 0; ///< DeepSeek sparse attention's indexer (V3.2); 0: none
    std::int64_t index_head_dim = 0;
    std::int64_t index_tokens = 0; ///< keys kept a query
    bool operator==(const LatentAttention &) const = default;
};

/// Sequence mixers with a state of fixed size: gated delta rule, lightning attention, Mamba-2 and their kin. All are
/// described by their projections and by the state that each head carries.
struct RecurrentMixer {
    std::string kind; ///< "gated-delta-net", "lightning", "mamba2", "kimi-delta"
    std::int64_t key_heads = 1;
    std::int64_t key_head_dim = 1;
    std::int64_t value_heads = 1;
    std::int64_t value_head_dim = 1;
    std::int64_t convolution_width = 0; ///< 0: no short convolution
    std::int64_t convolution_channels = 0;
    std::int64_t input_projection = 0; ///< outputs of all input projections together
    std::int64_t output_projection = 0; ///< inputs of the output projection
    std::int64_t other_parameters = 0; ///< decay rates, biases, norms inside the mixer, exact
    std::int64_t low_rank_parameters = 0; ///< low-rank gates, exact
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
    std::int64_t hidden = 1; ///< of one expert
    bool gated = true;
    bool bias = false;
    std::int64_t shared_hidden = 0; ///< all shared experts together, 0: none
    bool shared_gate = false; ///< a scalar gate on the shared expert's output
    bool router_bias = false; ///< a trained bias a routed expert
    bool correction_bias = false; ///< auxiliary-loss-free balancing bias, one a routed expert, counted as a weight
    std::int64_t latent = 0; ///< width that tokens are projected to before the experts, 0: the model's hidden size
    bool operator==(const Experts &) const = default;
};

struct Nothing {
    bool operator==(const Nothing &) const = default;
};
using Mixer = std::variant<Nothing, Attention, LatentAttention, RecurrentMixer>;
using Transform = std::variant<Nothing, FeedForward, Experts>;

/// One kind of layer.
struct Block {
    std::string name; ///< "dense", "experts", "sliding", ...
    Mixer mixer;
    Transform transform;
    std::int64_t norms = 2; ///< norms of hidden size
    bool parallel = false; ///< attention and feed-forward read the same input and join in one sum
    std::int64_t other_parameters = 0; ///< anything else, exact; the preset's notes name it
    bool operator==(const Block &) const = default;
};

struct LayerRun {
    std::int64_t block = 0; ///< index into Model::blocks
    std::int64_t count = 1; ///< consecutive layers
    bool operator==(const LayerRun &) const = default;
};

/// What is known of a model's size from elsewhere.
struct PublishedSize {
    double total = 0; ///< 0: none published
    double active = 0;
    bool exact = false; ///< to the parameter
    std::string difference; ///< named extras that the published figure counts, in words with their numbers
    std::string source;
    bool operator==(const PublishedSize &) const = default;
};

/// A decoder-only language model: embedding, a sequence of layers, final norm, head.
struct Model {
    std::string id;
    std::string name;
    std::string family; ///< "Llama 3", "Qwen3", ... for grouping in menus
    std::int64_t hidden = 1;
    std::int64_t vocabulary = 1;
    bool tied_embeddings = false;
    std::int64_t learned_positions = 0; ///< rows of a learned position table, 0: none
    NormKind norm = NormKind::rms;
    bool embedding_norm = false;
    bool final_norm = true;
    bool head_bias = false;
    std::vector<Block> blocks; ///< the kinds of layer
    std::vector<LayerRun> layers; ///< the order in which they stand
    std::int64_t mtp_layers = 0; ///< multi-token-prediction modules (DeepSeek-V3, arXiv 2412.19437, section 2.2)
    std::int64_t mtp_block = 0; ///< index of the block that a module repeats
    std::int64_t other_parameters = 0; ///< outside the layers, exact; the notes name it
    std::int64_t longest_sequence = 0; ///< tokens that it was made for, 0 where not stated
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

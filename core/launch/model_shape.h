// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

class OptionList;

/// Maximum number of layers that are read from a launch configuration.
inline constexpr std::int64_t most_layers = 100'000;

/// A transformer as launch configurations describe it: all layers have the same sizes, but only some may have experts,
/// a sliding window, or Gated DeltaNet instead of attention.
struct ModelShape {
    std::optional<std::int64_t> layers;
    std::optional<std::int64_t> hidden;
    std::optional<std::int64_t> heads;
    std::optional<std::int64_t> kv_heads; ///< unset: same as heads
    std::optional<std::int64_t> head_dim; ///< unset: hidden / heads
    std::optional<std::int64_t> feed_forward; ///< feed-forward hidden size; unset: the framework's rule applies
    std::optional<std::int64_t> vocabulary; ///< vocabulary size with padding
    std::string tokenizer; ///< tokenizer that the file names but whose vocabulary is unknown; may be empty
    std::optional<std::int64_t> learned_positions; ///< number of learned position embeddings
    std::optional<std::int64_t> window; ///< sliding window in tokens
    std::vector<bool> windowed; ///< for each layer, whether it has the window; if empty, all layers have it
    std::optional<std::int64_t> longest_sequence;
    bool gated = false;
    bool linear_bias = false; ///< whether all linear layers have biases
    bool qkv_bias = false; ///< whether only the query, key and value projections have biases
    bool query_key_norm = false;
    bool embedding_norm = false;
    bool tied_embeddings = false;
    NormKind norm = NormKind::rms;

    /// Multi-head latent attention, which the model has if kv_rank is set.
    struct Latent {
        std::int64_t query_rank = 0; ///< 0 if queries are not compressed
        std::optional<std::int64_t> kv_rank;
        std::int64_t nope_head_dim = 128;
        std::int64_t rope_head_dim = 64;
        std::int64_t value_head_dim = 128;
        bool operator==(const Latent &) const = default;
    } latent;

    /// Gated DeltaNet (arXiv 2412.06464), with Megatron-LM's defaults.
    struct DeltaNet {
        std::int64_t key_heads = 16;
        std::int64_t key_head_dim = 128;
        std::int64_t value_heads = 32;
        std::int64_t value_head_dim = 128;
        std::int64_t convolution_width = 4;
        bool operator==(const DeltaNet &) const = default;
        RecurrentMixer mixer() const;
    } delta_net;
    std::vector<bool> has_delta_net; ///< for each layer, whether it has Gated DeltaNet; if empty, no layer has it

    std::optional<std::int64_t> experts; ///< number of routed experts; unset or 0 if there are none
    std::int64_t experts_per_token = 1;
    std::optional<std::int64_t> expert_hidden; ///< hidden size of an expert; unset: same as feed_forward
    std::int64_t expert_latent = 0; ///< dimension to which tokens are projected before the routed experts; 0: none
    std::int64_t shared_hidden = 0; ///< hidden size of all shared experts together
    bool shared_gate = false;
    bool correction_bias = false; ///< whether the router has a bias for balancing without auxiliary loss
    /// For each layer, whether it has experts. If empty and the model has experts, all layers have them.
    std::vector<bool> has_experts;
    std::int64_t mtp_layers = 0;

    bool operator==(const ModelShape &) const = default;
};

/// The model that a shape describes. Missing sizes are derived from typical proportions and listed in `options` as
/// assumed. Empty if neither the number of layers nor the hidden size is known.
std::optional<Model> model_of(const ModelShape &shape, const std::string &name, OptionList &options);

/// The properties of a model that launch configurations can describe.
struct DescribedModel {
    ModelShape shape; ///< the most similar shape
    std::vector<std::string> missing; ///< parts of the model that a shape cannot express, each as a noun phrase
};

/// The shape of a model. If its layers differ in anything but experts, the shape is that of most layers.
/// @pre the model has layers
DescribedModel shape_of(const Model &model);

} // namespace meshwright

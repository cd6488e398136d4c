// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/explain_context.h"
#include "layers/operations.h"

namespace meshwright {

/// Tokens of a microbatch on one rank.
Derivation microbatch_tokens(const ExplainContext &context, std::string name);
/// Bytes kept, that come with every token of a microbatch on a rank.
/// @param each  what there are so many of for a token
Derivation bytes_of_tokens(const ExplainContext &context, Labelled what, double kept, std::string each,
                           const std::string &source);
/// Activations of a microbatch between two layers, on all tensor-parallel ranks together.
Derivation hidden_bytes(const ExplainContext &context, std::string name);

/// Layers that a rank holds, with how each is stored, per microbatch that passes.
struct CarriedLayers {
    std::size_t block = 0;
    bool recomputed = false;
    double count = 0;
};
std::vector<CarriedLayers> layers_of_rank(const ExplainContext &context, const std::vector<std::int64_t> &stages);
/// What one of them costs, as it is stored.
const LayerCost &cost_of(const ExplainContext &context, const CarriedLayers &layers);
/// "dense_layer", "dense_layer_recomputed"
std::string name_of_layers(const ExplainContext &context, const CarriedLayers &layers);

/// Parameters of one rank, of dense weights or of routed experts, before ZeRO.
Derivation rank_parameters_of(const ExplainContext &context, const RankCost &rank, std::string name, bool routed);
/// What a rank keeps of one microbatch for its backward pass.
Derivation saved_bytes_of(const ExplainContext &context, const RankCost &rank, std::string name);

} // namespace meshwright

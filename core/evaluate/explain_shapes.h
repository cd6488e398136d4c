// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/explain_context.h"
#include "layers/operations.h"

namespace meshwright {

/// Tokens of a microbatch on one rank.
Derivation microbatch_tokens(const ExplainContext &context, std::string name);
/// Bytes proportional to the tokens of a microbatch on a rank.
/// @param each  title of the bytes per token
Derivation bytes_of_tokens(const ExplainContext &context, Labelled what, double kept, std::string each,
                           const std::string &source);
/// Activations of a microbatch between two layers, over all tensor-parallel ranks.
Derivation hidden_bytes(const ExplainContext &context, std::string name);

/// Layers of one kind on a rank, with how they are stored, per microbatch that passes.
struct CarriedLayers {
    std::size_t block = 0;
    bool recomputed = false;
    double count = 0;
};
std::vector<CarriedLayers> layers_of_rank(const ExplainContext &context, const std::vector<std::int64_t> &stages);
/// Cost of one of these layers, as it is stored.
const LayerCost &cost_of(const ExplainContext &context, const CarriedLayers &layers);
/// "dense_layer", "dense_layer_recomputed"
std::string name_of_layers(const ExplainContext &context, const CarriedLayers &layers);

/// Parameters of one rank, of dense weights or of routed experts, before ZeRO.
Derivation rank_parameters_of(const ExplainContext &context, const RankCost &rank, std::string name, bool routed);
/// Bytes that a rank saves for backward per microbatch.
Derivation saved_bytes_of(const ExplainContext &context, const RankCost &rank, std::string name);

} // namespace meshwright

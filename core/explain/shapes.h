// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/context.h"
#include "layers/operations.h"

namespace meshwright {

/// Number of tokens of a microbatch on one rank.
Derivation microbatch_tokens(const ExplainContext &context, std::string name);
/// Bytes of a microbatch's activations between two layers, summed over all tensor-parallel ranks.
Derivation hidden_bytes(const ExplainContext &context, std::string name);

/// Layers of one block type that a microbatch passes through on a rank. All of them are recomputed, or none.
struct CarriedLayers {
    std::size_t block = 0;
    bool recomputed = false;
    double count = 0;
};
std::vector<CarriedLayers> layers_of_rank(const ExplainContext &context, const std::vector<std::int64_t> &stages);
const LayerCost &cost_of(const ExplainContext &context, const CarriedLayers &layers);
/// Name of these layers: "dense_layer", "dense_layer_recomputed".
std::string name_of_layers(const ExplainContext &context, const CarriedLayers &layers);
/// "MoE layer, recomputed"
std::string title_of_layers(const ExplainContext &context, const CarriedLayers &layers);

/// Bytes that one of these layers saves for backward per microbatch, by operation.
Derivation saved_by_layer(const ExplainContext &context, const CarriedLayers &layers, Labelled what);
/// Parameters that ZeRO gathers or reduces in one collective: those of a layer, or of its largest weight if the stack
/// shards by weight.
Derivation whole_unit(const ExplainContext &context, std::size_t block, std::string name);

/// Number of parameters on one rank, for dense weights or routed experts, before ZeRO.
Derivation rank_parameters_of(const ExplainContext &context, const RankCost &rank, std::string name, bool routed);
Derivation saved_bytes_of(const ExplainContext &context, const RankCost &rank, std::string name);

} // namespace meshwright

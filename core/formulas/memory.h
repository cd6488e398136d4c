// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/collectives.h"
#include "formulas/function.h"

/// Bytes of model states and activations per rank.
namespace meshwright::formula {

/// Bytes of one model state (weights, gradients or optimizer states) per rank. The state is sharded from ZeRO stage
/// `from` on.
/// Source: ZeRO, arXiv 1910.02054, sections 5.1 to 5.3.
/// @param stage 0 to 3
/// @param from 1 for optimizer states, 2 for gradients, 3 for weights
inline FormulaFunction sharded_state_bytes{[](auto parameters, auto ranks, auto stage, auto from, auto bytes_each) {
    return parameters * bytes_each / when(stage >= from, ranks, 1);
}};
inline FormulaFunction zero_weights_bytes{[](auto parameters, auto ranks, auto stage, auto weight_bytes) {
    return sharded_state_bytes(parameters, ranks, stage, 3, weight_bytes);
}};
inline FormulaFunction zero_gradients_bytes{[](auto parameters, auto ranks, auto stage, auto gradient_bytes) {
    return sharded_state_bytes(parameters, ranks, stage, 2, gradient_bytes);
}};
inline FormulaFunction zero_optimizer_bytes{[](auto parameters, auto ranks, auto stage, auto optimizer_bytes) {
    return sharded_state_bytes(parameters, ranks, stage, 1, optimizer_bytes);
}};

/// Bytes of all model states per rank with ZeRO. Source: ZeRO, arXiv 1910.02054, figure 1.
inline FormulaFunction zero_memory_bytes{
    [](auto parameters, auto ranks, auto stage, auto weight_bytes, auto gradient_bytes, auto optimizer_bytes) {
        return zero_weights_bytes(parameters, ranks, stage, weight_bytes)
            + zero_gradients_bytes(parameters, ranks, stage, gradient_bytes)
            + zero_optimizer_bytes(parameters, ranks, stage, optimizer_bytes);
    }};

/// Bytes that each rank sends per step with ZeRO-3: two all-gathers of weights (forward and backward) and one
/// reduce-scatter of gradients.
/// Source: ZeRO, arXiv 1910.02054, section 7.2.2.
inline FormulaFunction zero3_bytes{[](auto parameters, auto ranks, auto weight_bytes) {
    return 3 * ring_half_bytes(ranks, parameters * weight_bytes);
}};
inline FormulaFunction zero3_seconds{[](auto parameters, auto ranks, auto weight_bytes, auto bandwidth) {
    return zero3_bytes(parameters, ranks, weight_bytes) / bandwidth;
}};
inline FormulaFunction zero3_to_all_reduce{[](auto parameters, auto ranks, auto weight_bytes) {
    return zero3_bytes(parameters, ranks, weight_bytes) / ring_all_reduce_bytes(ranks, parameters * weight_bytes);
}};

/// Bytes of gathered weights with ZeRO-3: the current layer and the prefetched layers.
inline FormulaFunction zero3_gathered_bytes{[](auto layer_parameters, auto layers_ahead, auto weight_bytes) {
    return layer_parameters * (1 + layers_ahead) * weight_bytes;
}};

/// Bytes per parameter of weights and optimizer states in mixed precision: a compute copy, FP32 master weights and two
/// Adam states. Source: Micikevicius et al., arXiv 1710.03740; the Ultra-Scale Playbook on accumulating gradients in
/// FP32.
inline FormulaFunction mixed_precision_bytes{[](auto parameters, auto half_bytes, auto full_bytes,
                                                auto include_gradients, auto fp32_gradients) {
    return parameters * (half_bytes + 3 * full_bytes + include_gradients * (half_bytes + fp32_gradients * full_bytes));
}};
inline FormulaFunction full_precision_bytes{[](auto parameters, auto full_bytes, auto include_gradients) {
    return parameters * (3 + include_gradients) * full_bytes;
}};

/// Number of parameters of the largest model whose states fit in the given memory.
inline FormulaFunction training_capacity{
    [](auto memory_bytes, auto bytes_per_parameter) { return memory_bytes / bytes_per_parameter; }};

/// Bytes of saved tensors of shape batch x sequence x hidden.
inline FormulaFunction activation_tensors_bytes{
    [](auto batch, auto sequence, auto hidden, auto layers, auto tensors_per_layer, auto element_bytes) {
        return batch * sequence * hidden * layers * tensors_per_layer * element_bytes;
    }};

/// Bytes of activations of one transformer layer in 16 bits without recomputation; dropout masks take one byte per
/// element. Source: Korthikanti et al., arXiv 2205.05198, equation 1. A fused kernel never writes the scores, which
/// removes the term 5 x heads x sequence / hidden.
inline FormulaFunction layer_activation_bytes{[](auto batch, auto sequence, auto hidden, auto heads) {
    return sequence * batch * hidden * (34 * byte + 5 * byte * heads * sequence / hidden);
}};
/// Activations of a layer with tensor parallelism. Source: Korthikanti et al., equation 2.
inline FormulaFunction layer_activation_tensor_bytes{
    [](auto batch, auto sequence, auto hidden, auto heads, auto tensor) {
        return sequence * batch * hidden
            * (10 * byte + 24 * byte / tensor + 5 * byte * heads * sequence / (hidden * tensor));
    }};
/// Activations of a layer with tensor and sequence parallelism. Source: Korthikanti et al., equation 4.
inline FormulaFunction layer_activation_sequence_bytes{
    [](auto batch, auto sequence, auto hidden, auto heads, auto tensor) {
        return layer_activation_bytes(batch, sequence, hidden, heads) / tensor;
    }};
/// Activations of a layer with selective recomputation of the attention core. Source: Korthikanti et al., equation 6
/// for one layer.
inline FormulaFunction layer_activation_selective_bytes{
    [](auto batch, auto sequence, auto hidden, auto tensor) { return 34 * byte * sequence * batch * hidden / tensor; }};
/// Activations of a layer with full recomputation from its input. Source: Korthikanti et al., section 5.
inline FormulaFunction layer_activation_full_recompute_bytes{
    [](auto batch, auto sequence, auto hidden) { return 2 * byte * sequence * batch * hidden; }};

/// Bytes of a microbatch's logits at the loss, including copies in several precisions.
inline FormulaFunction logits_bytes{[](auto batch, auto sequence, auto vocabulary, auto tensor, auto bytes_per_logit) {
    return batch * sequence * vocabulary / tensor * bytes_per_logit;
}};

/// Bytes of the KV cache of all layers during inference.
inline FormulaFunction key_value_bytes{[](auto layers, auto kv_heads, auto head_dim, auto tokens, auto element_bytes) {
    return 2 * layers * kv_heads * head_dim * tokens * element_bytes;
}};

} // namespace meshwright::formula

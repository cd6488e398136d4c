// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/collectives.h"
#include "formulas/function.h"

#include <algorithm>
#include <cmath>

/// Sizes and traffic of layers that are sharded across tensor-parallel ranks. Source: Megatron-LM, arXiv 1909.08053,
/// section 3.
namespace meshwright::formula {

/// Dimensions of a rank's shard of a matrix. @param split 0 by columns, 1 by rows
inline FormulaFunction shard_rows{
    [](auto rows, auto ranks, auto split) { return when(split == 1, rows / ranks, rows); }};
inline FormulaFunction shard_columns{
    [](auto columns, auto ranks, auto split) { return when(split == 0, columns / ranks, columns); }};
inline FormulaFunction shard_parameters{[](auto rows, auto columns, auto ranks) { return rows * columns / ranks; }};

/// Bytes of one microbatch's activations at the boundary between two layers.
inline FormulaFunction hidden_state_bytes{[](auto micro_batch, auto sequence, auto hidden, auto element_bytes) {
    return micro_batch * sequence * hidden * element_bytes;
}};

/// Bytes that each rank sends in one all-reduce of a microbatch's activations. Sequence parallelism sends the same
/// number of bytes in a reduce-scatter and an all-gather together. Source: Korthikanti et al., arXiv 2205.05198,
/// section 4.2.2.
inline FormulaFunction tensor_all_reduce_bytes{
    [](auto micro_batch, auto sequence, auto hidden, auto ranks, auto element_bytes) {
        return ring_all_reduce_bytes(ranks, hidden_state_bytes(micro_batch, sequence, hidden, element_bytes));
    }};
inline FormulaFunction tensor_all_gather_bytes{
    [](auto micro_batch, auto sequence, auto hidden, auto ranks, auto element_bytes) {
        return ring_half_bytes(ranks, hidden_state_bytes(micro_batch, sequence, hidden, element_bytes));
    }};
inline FormulaFunction tensor_all_reduce_seconds{
    [](auto micro_batch, auto sequence, auto hidden, auto ranks, auto element_bytes, auto bandwidth) {
        return tensor_all_reduce_bytes(micro_batch, sequence, hidden, ranks, element_bytes) / bandwidth;
    }};
/// Bytes that each rank sends per layer: two all-reduces in the forward pass and two in the backward pass.
inline FormulaFunction tensor_layer_bytes{
    [](auto micro_batch, auto sequence, auto hidden, auto ranks, auto element_bytes) {
        return 4 * tensor_all_reduce_bytes(micro_batch, sequence, hidden, ranks, element_bytes);
    }};

/// Bytes per rank of the weights of all layers. A standard layer has 12 hidden^2 weights: four attention matrices and a
/// feed-forward network four times as wide as the hidden size.
inline FormulaFunction tensor_weights_bytes{
    [](auto hidden, auto layers, auto ranks, auto bytes_per_parameter, auto squares_per_layer) {
        return squares_per_layer * hidden * hidden * layers / ranks * bytes_per_parameter;
    }};

inline FormulaFunction kv_heads_per_rank{[](auto kv_heads, auto ranks) { return max(1.0, kv_heads / ranks); }};
inline FormulaFunction kv_copies{[](auto kv_heads, auto ranks) { return max(1.0, ranks / kv_heads); }};
inline FormulaFunction query_heads_per_rank{[](auto query_heads, auto ranks) { return query_heads / ranks; }};

/// Exposed all-reduce time as a fraction of compute time.
inline FormulaFunction tensor_overhead{
    [](auto layers, auto all_reduce_seconds, auto compute_seconds, auto all_reduces_per_layer) {
        return layers * all_reduces_per_layer * all_reduce_seconds / compute_seconds;
    }};

/// Bytes that a rank sends per layer of ring attention in the forward pass: each rank's keys and values pass once
/// through all other ranks. Source: Ring Attention, arXiv 2310.01889, section 3.
inline FormulaFunction ring_attention_bytes{
    [](auto micro_batch, auto sequence, auto kv_width, auto ranks, auto element_bytes) {
        return 2 * (ranks - 1) / ranks * micro_batch * sequence * kv_width * element_bytes;
    }};

/// Bytes that a rank exchanges with experts on other ranks, both ways, in one layer's forward pass. Source: GShard,
/// arXiv 2006.16668, section 3.
inline FormulaFunction expert_traffic_bytes{
    [](auto tokens, auto hidden, auto experts_per_token, auto ranks, auto element_bytes) {
        return 2 * all_to_all_bytes(ranks, tokens * experts_per_token * hidden * element_bytes);
    }};

} // namespace meshwright::formula

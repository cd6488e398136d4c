// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

/// Bytes that attention reads from and writes to HBM, counted from the algorithms of FlashAttention, arXiv 2205.14135.
/// All sequences have the same length, and no mask is used. Source: algorithms 0 to 4 and theorem 2.
namespace meshwright::formula {

/// Algorithm 0 writes and reads scores and probabilities, which takes four passes through sequence x sequence matrices.
/// Queries, keys, values and outputs are each read or written once.
inline FormulaFunction plain_attention_forward_bytes{
    [](auto batch, auto heads, auto sequence, auto head_dim, auto element_bytes) {
        return batch * heads * element_bytes * (4 * sequence * head_dim + 4 * sequence * sequence);
    }};
/// Bytes of the forward and backward passes. The backward pass (algorithm 3) adds five GEMMs and the gradient of the
/// softmax, which make eight more passes through sequence x head_dim matrices.
/// @param score_passes passes through sequence x sequence matrices: 4 forward and 7 backward in these algorithms
inline FormulaFunction plain_attention_bytes{
    [](auto batch, auto heads, auto sequence, auto head_dim, auto element_bytes, auto score_passes) {
        return batch * heads * element_bytes * (12 * sequence * head_dim + score_passes * sequence * sequence);
    }};

/// Keys and values per block; four blocks must fit in on-chip memory. Source: algorithm 1, line 1.
inline FormulaFunction attention_block{[](auto head_dim, auto on_chip_bytes, auto element_bytes) {
    return ceil(on_chip_bytes / (4 * head_dim * element_bytes));
}};
/// Number of times that all queries are read: once per block of keys.
inline FormulaFunction attention_block_passes{[](auto sequence, auto head_dim, auto on_chip_bytes, auto element_bytes) {
    return ceil(sequence / attention_block(head_dim, on_chip_bytes, element_bytes));
}};
/// Algorithm 1: keys and values are read once. Each pass reads queries and outputs, writes outputs, and reads and
/// writes two FP32 statistics per query.
inline FormulaFunction fused_attention_forward_bytes{
    [](auto batch, auto heads, auto sequence, auto head_dim, auto on_chip_bytes, auto element_bytes) {
        const auto passes = attention_block_passes(sequence, head_dim, on_chip_bytes, element_bytes);
        return batch * heads * sequence * (head_dim * element_bytes * (2 + 3 * passes) + 16 * byte * passes);
    }};
/// Algorithm 4: keys and values are read and their gradients written once. Each pass reads queries, outputs, the
/// outputs' gradients and two statistics, and reads and writes the queries' gradients.
inline FormulaFunction fused_attention_backward_bytes{
    [](auto batch, auto heads, auto sequence, auto head_dim, auto on_chip_bytes, auto element_bytes) {
        const auto passes = attention_block_passes(sequence, head_dim, on_chip_bytes, element_bytes);
        return batch * heads * sequence * (head_dim * element_bytes * (4 + 5 * passes) + 8 * byte * passes);
    }};
inline FormulaFunction fused_attention_bytes{
    [](auto batch, auto heads, auto sequence, auto head_dim, auto on_chip_bytes, auto element_bytes) {
        return fused_attention_forward_bytes(batch, heads, sequence, head_dim, on_chip_bytes, element_bytes)
            + fused_attention_backward_bytes(batch, heads, sequence, head_dim, on_chip_bytes, element_bytes);
    }};
inline FormulaFunction attention_traffic_ratio{[](auto batch, auto heads, auto sequence, auto head_dim,
                                                  auto on_chip_bytes, auto element_bytes, auto score_passes) {
    return plain_attention_bytes(batch, heads, sequence, head_dim, element_bytes, score_passes)
        / fused_attention_bytes(batch, heads, sequence, head_dim, on_chip_bytes, element_bytes);
}};

} // namespace meshwright::formula

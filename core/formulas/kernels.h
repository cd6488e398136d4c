// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>
#include <cmath>

/// Times of a layer's operations on one accelerator, in seconds. Rates in FLOP/s and bytes/s are sustained rates, `gap`
/// is the device time between two dependent kernels, and shapes are per rank and microbatch.
namespace meshwright::formula {

/// Sustained rate of GEMMs in training. Source: the matrix-efficiency constants of the registry and the stack's factor.
inline FormulaFunction sustained_matrix_rate{
    [](auto peak, auto efficiency, auto stack_factor) { return peak * efficiency * stack_factor; }};
inline FormulaFunction sustained_memory_rate{[](auto bandwidth, auto efficiency) { return bandwidth * efficiency; }};

/// Time of a GEMM: the maximum of compute time and memory time (roofline), plus the gap. Source: Williams, Waterman and
/// Patterson 2009.
/// @param read_first bytes that must be read before the computation can start
inline FormulaFunction matrix_seconds{
    [](auto flops, auto rate, auto read_first, auto bytes, auto memory_rate, auto gap) {
        return max(flops / rate + read_first / memory_rate, bytes / memory_rate) + gap;
    }};
/// Bytes of weights that a grouped GEMM reads before it computes; 0 for a single GEMM. A grouped GEMM runs several
/// groups of rows in one kernel, each with its own weights. Reading them does not overlap with computation, so the rate
/// falls when a group has few rows. Source: measured on B200 and A100 by rows per group (SimuMax's tables of grouped
/// GEMMs): 0.29 of the peak at 256 rows and 0.49 at 2,460, forward, on B200. GEMMs of weight gradients read no weights,
/// but their depth (K) is only the number of rows per group, so the start-up of tiles costs more.
inline FormulaFunction matrix_first_bytes{[](auto columns, auto depth, auto groups, auto element_bytes) {
    return when(groups > 1, element_bytes * groups * columns * depth, 0);
}};

/// Number of tiles of 256 x 128 outputs, in the better orientation, that cover the outputs of all groups. @param rows
/// rows per group
inline FormulaFunction matrix_tiles{[](auto rows, auto columns, auto groups) {
    return groups * min(ceil(rows / 256) * ceil(columns / 128), ceil(rows / 128) * ceil(columns / 256));
}};
/// Fraction of a tile that is computed if the output is narrower than a tile: kernels have tiles down to a width of 16.
inline FormulaFunction matrix_tile_share{
    [](auto rows, auto columns) { return min(1.0, ceil(rows / 16) / 8) * min(1.0, ceil(columns / 16) / 8); }};
/// Time of a GEMM whose tiles run in waves, with one tile per multiprocessor in each wave. The last wave takes as long
/// as the others, and each wave has its own prologue and epilogue. Split-k fills more multiprocessors, and its partial
/// sums are written in FP32.
inline FormulaFunction matrix_waves_seconds{[](auto parts, auto tiles, auto tile_share, auto results, auto depth,
                                               auto rate, auto memory_rate, auto multiprocessors, auto tile_seconds) {
    const auto tile = 65536 * flop * tile_share * depth / parts * multiprocessors / rate + tile_seconds;
    return ceil(parts * tiles / multiprocessors) * tile + when(parts > 1, 4 * byte * parts * results / memory_rate, 0);
}};
/// Sustained rate after wave quantization, with the best of split-k 1, 2 and 4.
/// Source: NVIDIA, Matrix multiplication background user's guide: tiles, waves, split-k.
/// @param multiprocessors 0 for accelerators with a few large units, which have no waves
inline FormulaFunction matrix_tiled_rate{[](auto tiles, auto tile_share, auto results, auto depth, auto rate,
                                            auto memory_rate, auto multiprocessors, auto tile_seconds) {
    const auto waves = [&](double parts) {
        return matrix_waves_seconds(parts, tiles, tile_share, results, depth, rate, memory_rate, multiprocessors,
                                    tile_seconds);
    };
    return when(
        multiprocessors > 0, [&] { return 2 * flop * results * depth / min(waves(1), min(waves(2), waves(4))); }, rate);
}};

/// FLOPs of Y[rows x columns] = X[rows x depth] W[depth x columns], also if the rows are split into groups.
inline FormulaFunction matrix_flops{
    [](auto rows, auto columns, auto depth) { return 2 * flop * rows * columns * depth; }};
/// Bytes moved in the forward pass: inputs and weights are read in the compute format, and outputs are 16-bit.
inline FormulaFunction matrix_forward_bytes{[](auto rows, auto columns, auto depth, auto groups, auto element_bytes) {
    return element_bytes * (rows * depth + groups * columns * depth) + 2 * byte * rows * columns;
}};
inline FormulaFunction matrix_input_gradient_bytes{
    [](auto rows, auto columns, auto depth, auto groups, auto element_bytes) {
        return element_bytes * (rows * columns + groups * columns * depth) + 2 * byte * rows * depth;
    }};
/// Bytes moved for weight gradients, which are read and written in FP32.
inline FormulaFunction matrix_weight_gradient_bytes{
    [](auto rows, auto columns, auto depth, auto groups, auto element_bytes) {
        return element_bytes * (rows * depth + rows * columns) + 8 * byte * groups * columns * depth;
    }};
inline FormulaFunction matrix_forward_seconds{
    [](auto rows, auto columns, auto depth, auto groups, auto element_bytes, auto rate, auto memory_rate, auto gap) {
        return matrix_seconds(matrix_flops(rows, columns, depth), rate,
                              matrix_first_bytes(columns, depth, groups, element_bytes),
                              matrix_forward_bytes(rows, columns, depth, groups, element_bytes), memory_rate, gap);
    }};
inline FormulaFunction matrix_input_gradient_seconds{[](auto rows, auto columns, auto depth, auto groups,
                                                        auto element_bytes, auto rate, auto memory_rate, auto gap) {
    return matrix_seconds(matrix_flops(rows, columns, depth), rate,
                          matrix_first_bytes(columns, depth, groups, element_bytes),
                          matrix_input_gradient_bytes(rows, columns, depth, groups, element_bytes), memory_rate, gap);
}};
inline FormulaFunction matrix_weight_gradient_seconds{[](auto rows, auto columns, auto depth, auto groups,
                                                         auto element_bytes, auto rate, auto memory_rate, auto gap) {
    return matrix_seconds(matrix_flops(rows, columns, depth), rate, 0,
                          matrix_weight_gradient_bytes(rows, columns, depth, groups, element_bytes), memory_rate, gap);
}};

/// Tokens of the busiest rank relative to the mean: the expected maximum over all ranks, if the mean load of a rank's
/// experts is normally distributed. Source: Cramer, Mathematical Methods of Statistics, 1946, section 28.6.
/// @param variation standard deviation of an expert's tokens, divided by their mean
inline FormulaFunction busiest_expert_load{[](auto variation, auto rank_experts, auto ranks) {
    return 1 + variation * sqrt(2 * log(max(1.0, ranks)) / rank_experts);
}};

/// Time of a memory-bound kernel. @param traffic_factor bytes moved relative to a fused kernel
inline FormulaFunction memory_bound_seconds{[](auto bytes, auto traffic_factor, auto memory_rate, auto gap) {
    return when(bytes > 0, bytes * traffic_factor / memory_rate + gap, 0);
}};

/// FLOPs of QK^T and the product with V: two multiply-adds per pair of tokens, head and element.
/// @param attended_fraction mean attended fraction of the keys: half under a causal mask
/// @param widths sum of the query and value head dimensions
inline FormulaFunction attention_core_flops{
    [](auto query_tokens, auto key_tokens, auto attended_fraction, auto heads, auto widths) {
        return 2 * flop * query_tokens * key_tokens * attended_fraction * heads * widths;
    }};
/// Rate of a kernel measured at long sequences, scaled to another accelerator's peak and another head dimension.
inline FormulaFunction attention_long_rate{[](auto measured_rate, auto measured_peak, auto peak, auto head_factor) {
    return measured_rate * peak / measured_peak * head_factor;
}};
/// Fraction of multiprocessors that are busy. Kernels use one tile per 128 queries, head and sequence, and too few
/// tiles leave multiprocessors idle.
inline FormulaFunction attention_filled_share{[](auto query_tokens, auto heads, auto multiprocessors) {
    return min(1.0, heads * ceil(query_tokens / 128) / multiprocessors);
}};
/// Rate of the kernel, which is half of the long-sequence rate at `half_tokens` keys.
inline FormulaFunction attention_rate{
    [](auto query_tokens, auto key_tokens, auto heads, auto long_rate, auto half_tokens, auto multiprocessors) {
        return long_rate * attention_filled_share(query_tokens, heads, multiprocessors) * key_tokens
            / (key_tokens + half_tokens);
    }};
inline FormulaFunction attention_forward_seconds{[](auto query_tokens, auto key_tokens, auto attended_fraction,
                                                    auto heads, auto widths, auto long_rate, auto half_tokens,
                                                    auto multiprocessors, auto gap) {
    return attention_core_flops(query_tokens, key_tokens, attended_fraction, heads, widths)
        / attention_rate(query_tokens, key_tokens, heads, long_rate, half_tokens, multiprocessors)
        + gap;
}};
/// Time of a rank's attention to all slices of a sequence, relative to one kernel over the same number of keys.
/// @param context number of slices; ranks have equal work (zigzag)
/// @param factor slowdown on the slices of other ranks
inline FormulaFunction sliced_attention_share{
    [](auto context, auto factor) { return (1 + factor * (context - 1)) / context; }};
/// Time of the backward pass, which has five GEMMs instead of two. Source: FlashAttention-2, arXiv
/// 2307.08691, section 4.1.
inline FormulaFunction attention_backward_seconds{[](auto query_tokens, auto key_tokens, auto attended_fraction,
                                                     auto heads, auto widths, auto long_rate, auto half_tokens,
                                                     auto multiprocessors, auto gap) {
    return 2.5 * attention_core_flops(query_tokens, key_tokens, attended_fraction, heads, widths)
        / attention_rate(query_tokens, key_tokens, heads, long_rate, half_tokens, multiprocessors)
        + gap;
}};

/// Time of attention without a fused kernel, which computes and writes every score: 13 bytes per score forward and 19
/// backward, for mask, softmax and dropout in 16 bits.
/// @param rate rate of the GEMMs
/// @param score_factor multiplies these bytes
inline FormulaFunction unfused_attention_forward_seconds{
    [](auto query_tokens, auto key_tokens, auto heads, auto widths, auto rate, auto score_factor, auto memory_rate) {
        return attention_core_flops(query_tokens, key_tokens, 1, heads, widths) / rate
            + 13 * byte * score_factor * query_tokens * key_tokens * heads / memory_rate;
    }};
inline FormulaFunction unfused_attention_backward_seconds{
    [](auto query_tokens, auto key_tokens, auto heads, auto widths, auto rate, auto score_factor, auto memory_rate) {
        return 2 * attention_core_flops(query_tokens, key_tokens, 1, heads, widths) / rate
            + 19 * byte * score_factor * query_tokens * key_tokens * heads / memory_rate;
    }};

/// FLOPs of a recurrent mixer. For every token, a state of key_width x value_width per head is read and updated: four
/// multiply-adds per entry in the chunked forms. Source: Gated DeltaNet, arXiv 2412.06464, section 3.3; Mamba-2, arXiv
/// 2405.21060, section 6.
inline FormulaFunction recurrent_flops{[](auto tokens, auto heads, auto key_width, auto value_width) {
    return 8 * flop * tokens * heads * key_width * value_width;
}};
/// @param passes 1 forward, 2 backward
/// @param moved bytes of the mixer's projections, read and written
inline FormulaFunction recurrent_seconds{[](auto tokens, auto heads, auto key_width, auto value_width, auto passes,
                                            auto rate, auto moved, auto traffic_factor, auto memory_rate, auto gap) {
    return memory_bound_seconds(moved, traffic_factor, memory_rate, gap)
        + passes * recurrent_flops(tokens, heads, key_width, value_width) / rate;
}};

/// Host time to launch one layer's kernels. Low precision adds casts, tensor parallelism adds collectives, and CUDA
/// graphs remove most of this time. @param low_precision, tensor_split 0 or 1
inline FormulaFunction layer_launch_seconds{
    [](auto launch_seconds, auto low_precision, auto tensor_split, auto graph_share) {
        return launch_seconds * (1 + 0.35 * low_precision) * (1 + 0.1 * tensor_split) * (1 - 0.95 * graph_share);
    }};
/// Additional launch time when inter-node pipeline sends delay tensor-parallel collectives: the members of the group
/// launch one after another.
inline FormulaFunction contended_launch_seconds{
    [](auto members, auto member_seconds) { return when(members > 1, members * member_seconds, 0); }};
/// A smooth maximum of launch time and kernel time: it is slightly above the larger value when both are close, because
/// launches and kernels of a layer are not perfectly aligned. @param wait_seconds device idle time while the host reads
/// a device result
inline FormulaFunction launch_bound_seconds{[](auto kernel_seconds, auto launch_seconds, auto wait_seconds) {
    const auto sixth = [](const auto &x) { return x * x * x * x * x * x; };
    return when(
        launch_seconds > 0, [&] { return pow(sixth(kernel_seconds) + sixth(launch_seconds), 1.0 / 6) + wait_seconds; },
        kernel_seconds + wait_seconds);
}};
/// Number of kernel launches in the backward pass per launch in the forward pass.
inline constexpr double backward_launches = 1.6;
inline FormulaFunction backward_launch_seconds{[](auto launch_seconds) { return backward_launches * launch_seconds; }};

/// Time of a recomputed forward pass. With early stopping, checkpointing skips part of the last GEMM.
inline FormulaFunction recomputed_kernel_seconds{[](auto forward_seconds, auto last_multiply_seconds, auto early_stop) {
    return max(0.0, forward_seconds - early_stop * last_multiply_seconds);
}};

} // namespace meshwright::formula

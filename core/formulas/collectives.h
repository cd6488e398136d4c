// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>
#include <cmath>

/// Bytes and times of collectives. Ranks are at least 1 and bytes at least 0. Bandwidths are in bytes/s per rank and
/// direction, latencies in seconds per hop. Results are in bytes or seconds.
namespace meshwright::formula {

/// Bytes that each rank sends in a ring all-gather or a ring reduce-scatter: (N - 1) / N of the whole tensor.
/// Source: Thakur, Rabenseifner and Gropp 2005.
inline FormulaFunction ring_half_bytes{[](auto ranks, auto bytes) { return (ranks - 1) / ranks * bytes; }};

/// Duration of a ring all-gather or reduce-scatter: N - 1 sequential hops.
inline FormulaFunction ring_half_seconds{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return ring_half_bytes(ranks, bytes) / bandwidth + (ranks - 1) * latency;
}};

/// Bytes that each rank sends in a ring all-reduce: a reduce-scatter, then an all-gather.
/// Source: Patarasuk and Yuan 2009.
inline FormulaFunction ring_all_reduce_bytes{[](auto ranks, auto bytes) { return 2 * (ranks - 1) / ranks * bytes; }};

/// Sequential hops in a ring all-reduce.
inline FormulaFunction ring_all_reduce_steps{[](auto ranks) { return 2 * (ranks - 1); }};

inline FormulaFunction ring_all_reduce_seconds{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return ring_all_reduce_bytes(ranks, bytes) / bandwidth + ring_all_reduce_steps(ranks) * latency;
}};

/// Number of hops up a binary tree and back down.
inline FormulaFunction tree_all_reduce_steps{[](auto ranks) { return 2 * ceil(log2(ranks)); }};

/// Time of an all-reduce over two pipelined binary trees, each with half of the data. In the reduction, and again in
/// the broadcast, every rank sends and receives as many bytes as the tensor has. Source: Sanders, Speck and Traeff
/// 2009.
inline FormulaFunction tree_all_reduce_seconds{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return when(ranks > 1, 2 * bytes / bandwidth + tree_all_reduce_steps(ranks) * latency, 0);
}};

/// Bus bandwidth: the rate at which links carry data. It does not depend on the number of ranks and is comparable with
/// the hardware's one-way bandwidth. Source: NCCL tests, doc/PERFORMANCE.md.
inline FormulaFunction bus_bandwidth{
    [](auto ranks, auto bytes, auto seconds) { return bytes / seconds * (2 * (ranks - 1) / ranks); }};

inline FormulaFunction algorithm_bandwidth{[](auto bytes, auto seconds) { return bytes / seconds; }};

/// Time of the intra-node phases: a reduce-scatter before and an all-gather after the inter-node all-reduce.
inline FormulaFunction hierarchical_fast_seconds{[](auto bytes, auto ranks_per_node, auto fast_bandwidth) {
    return ring_all_reduce_bytes(ranks_per_node, bytes) / fast_bandwidth;
}};

/// Time of the inter-node phase. The links of a node split the tensor between them.
inline FormulaFunction hierarchical_slow_seconds{
    [](auto bytes, auto nodes, auto slow_bandwidth, auto slow_links_per_node) {
        return ring_all_reduce_bytes(nodes, bytes) / (slow_bandwidth * slow_links_per_node);
    }};

inline FormulaFunction hierarchical_seconds{[](auto bytes, auto ranks_per_node, auto nodes, auto fast_bandwidth,
                                               auto slow_bandwidth, auto slow_links_per_node) {
    return hierarchical_fast_seconds(bytes, ranks_per_node, fast_bandwidth)
        + hierarchical_slow_seconds(bytes, nodes, slow_bandwidth, slow_links_per_node);
}};

/// Bytes that a rank sends in an all-to-all. A fraction 1/N of its data stays on the rank.
inline FormulaFunction all_to_all_bytes{[](auto ranks, auto bytes) { return (ranks - 1) / ranks * bytes; }};

inline FormulaFunction all_to_all_seconds{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return all_to_all_bytes(ranks, bytes) / bandwidth + (ranks - 1) * latency;
}};

/// Mean number of distinct nodes to which a token is sent, for `copies` experts drawn at random from `nodes` nodes;
/// each node receives a token once. Source: device-limited routing, DeepSeek-V2, arXiv 2405.04434, section 2.2.2.
inline FormulaFunction distinct_nodes{[](auto nodes, auto copies) { return nodes * (1 - pow(1 - 1 / nodes, copies)); }};

/// Time of one all-reduce of all gradients, divided by the compute time of a step.
inline FormulaFunction gradient_to_compute_ratio{
    [](auto parameters, auto ranks, auto bandwidth, auto flops, auto peak, auto gradient_bytes) {
        return ring_all_reduce_bytes(ranks, parameters * gradient_bytes) / bandwidth / (flops / peak);
    }};

/// Exposed time of gradient reduction. Each layer's reduction overlaps with the backward pass of the next layer, so the
/// last reduction is exposed. If reductions take longer than a layer's backward pass, the excess is exposed too.
inline FormulaFunction overlap_exposed_seconds{
    [](auto layers, auto backward_seconds, auto layer_communication_seconds) {
        return layer_communication_seconds
            + (layers - 1) * max(0.0, layer_communication_seconds - backward_seconds / layers);
    }};

inline FormulaFunction overlapped_fraction{[](auto layers, auto backward_seconds, auto layer_communication_seconds) {
    return 1
        - overlap_exposed_seconds(layers, backward_seconds, layer_communication_seconds)
        / (layers * layer_communication_seconds);
}};

/// MFU after exposed communication is added to the compute time.
inline FormulaFunction mfu_with_exposed{[](auto mfu, auto compute_seconds, auto exposed_seconds) {
    return mfu * compute_seconds / (compute_seconds + exposed_seconds);
}};

} // namespace meshwright::formula

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"

#include <algorithm>
#include <cmath>

/// Bytes and seconds of collectives. Ranks from 1, bytes from 0, bandwidths in bytes/s a rank and direction, latencies
/// in seconds a hop; all results in bytes or seconds.
namespace meshwright::formula {

/// Bytes that each rank sends in a ring all-gather, or in a ring reduce-scatter: (N - 1) / N of the whole tensor.
/// Source: Thakur, Rabenseifner and Gropp 2005.
inline FormulaFunction ring_half_bytes{[](double ranks, double bytes) { return (ranks - 1) / ranks * bytes; }};

/// Seconds of it: N - 1 hops one after another.
inline FormulaFunction ring_half_seconds{[](double ranks, double bytes, double bandwidth, double latency) {
    return ring_half_bytes(ranks, bytes) / bandwidth + (ranks - 1) * latency;
}};

/// Bytes that each rank sends in a ring all-reduce: a reduce-scatter, then an all-gather.
/// Source: Patarasuk and Yuan 2009.
inline FormulaFunction ring_all_reduce_bytes{
    [](double ranks, double bytes) { return 2 * (ranks - 1) / ranks * bytes; }};

/// Hops one after another in a ring all-reduce.
inline FormulaFunction ring_all_reduce_steps{[](double ranks) { return 2 * (ranks - 1); }};

inline FormulaFunction ring_all_reduce_seconds{[](double ranks, double bytes, double bandwidth, double latency) {
    return ring_all_reduce_bytes(ranks, bytes) / bandwidth + ring_all_reduce_steps(ranks) * latency;
}};

/// Hops up a binary tree and down again.
inline FormulaFunction tree_all_reduce_steps{[](double ranks) { return 2 * std::ceil(std::log2(ranks)); }};

/// Two pipelined binary trees, each with half of the data, keep every link busy in both directions: twice the data
/// over the bandwidth. Source: Sanders, Speck and Traeff 2009.
inline FormulaFunction tree_all_reduce_seconds{[](double ranks, double bytes, double bandwidth, double latency) {
    return ranks > 1 ? 2 * bytes / bandwidth + tree_all_reduce_steps(ranks) * latency : 0;
}};

/// What the links carried, whatever the number of ranks: comparable with the hardware's one-way figure.
/// Source: NCCL tests, doc/PERFORMANCE.md.
inline FormulaFunction bus_bandwidth{
    [](double ranks, double bytes, double seconds) { return bytes / seconds * (2 * (ranks - 1) / ranks); }};

inline FormulaFunction algorithm_bandwidth{[](double bytes, double seconds) { return bytes / seconds; }};

/// Reduce-scatter inside the node, all-reduce of the nodes' parts, all-gather inside the node.
inline FormulaFunction hierarchical_fast_seconds{[](double bytes, double ranks_per_node, double fast_bandwidth) {
    return ring_all_reduce_bytes(ranks_per_node, bytes) / fast_bandwidth;
}};

/// The part between nodes. A node's links share the tensor among them.
inline FormulaFunction hierarchical_slow_seconds{
    [](double bytes, double nodes, double slow_bandwidth, double slow_links_per_node) {
        return ring_all_reduce_bytes(nodes, bytes) / (slow_bandwidth * slow_links_per_node);
    }};

inline FormulaFunction hierarchical_seconds{[](double bytes, double ranks_per_node, double nodes, double fast_bandwidth,
                                               double slow_bandwidth, double slow_links_per_node) {
    return hierarchical_fast_seconds(bytes, ranks_per_node, fast_bandwidth)
        + hierarchical_slow_seconds(bytes, nodes, slow_bandwidth, slow_links_per_node);
}};

/// Bytes that a rank sends to the others in an all-to-all, of which 1 / N stays with it.
inline FormulaFunction all_to_all_bytes{[](double ranks, double bytes) { return (ranks - 1) / ranks * bytes; }};

inline FormulaFunction all_to_all_seconds{[](double ranks, double bytes, double bandwidth, double latency) {
    return all_to_all_bytes(ranks, bytes) / bandwidth + (ranks - 1) * latency;
}};

/// Expert dispatch to `copies` experts drawn at random from experts on `nodes` nodes, each node receiving a token once:
/// the distinct nodes of a token. Source: device-limited routing, DeepSeek-V2, arXiv 2405.04434, section 2.2.2.
inline FormulaFunction distinct_nodes{
    [](double nodes, double copies) { return nodes * (1 - std::pow(1 - 1 / nodes, copies)); }};

/// All-reduce of all gradients against the computation of a step.
inline FormulaFunction gradient_to_compute_ratio{
    [](double parameters, double ranks, double bandwidth, double flops, double peak, double gradient_bytes) {
        return ring_all_reduce_bytes(ranks, parameters * gradient_bytes) / bandwidth / (flops / peak);
    }};

/// A layer's reduction runs behind the backward pass of the layer before it; the last one runs alone, and so does what
/// is longer than a layer's backward pass.
inline FormulaFunction overlap_exposed_seconds{
    [](double layers, double backward_seconds, double layer_communication_seconds) {
        return layer_communication_seconds
            + (layers - 1) * std::max(0.0, layer_communication_seconds - backward_seconds / layers);
    }};

inline FormulaFunction overlapped_fraction{
    [](double layers, double backward_seconds, double layer_communication_seconds) {
        return 1
            - overlap_exposed_seconds(layers, backward_seconds, layer_communication_seconds)
            / (layers * layer_communication_seconds);
    }};

/// Utilisation when exposed communication joins the time of computation.
inline FormulaFunction mfu_with_exposed{[](double mfu, double compute_seconds, double exposed_seconds) {
    return mfu * compute_seconds / (compute_seconds + exposed_seconds);
}};

} // namespace meshwright::formula

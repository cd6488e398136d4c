// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/collectives.h"
#include "formulas/function.h"

/// Baseline all-reduces for comparison with rings and pipelined trees, and the tensor sizes at which two algorithms
/// take equal time. Units are those of formulas/collectives.h.
namespace meshwright::formula {

/// Bytes that the root of a naive all-reduce receives: the tensor of every other rank. It then sends the same number of
/// bytes.
inline FormulaFunction naive_root_bytes{[](auto ranks, auto bytes) { return (ranks - 1) * bytes; }};
/// Time of a naive all-reduce: the root's link receives all tensors one after another, and sends the sum to each rank.
inline FormulaFunction naive_all_reduce_seconds{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return 2 * (naive_root_bytes(ranks, bytes) / bandwidth + (ranks - 1) * latency);
}};
inline FormulaFunction naive_to_ring{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return naive_all_reduce_seconds(ranks, bytes, bandwidth, latency)
        / ring_all_reduce_seconds(ranks, bytes, bandwidth, latency);
}};

/// Time of one binary tree without pipelining, in which each hop up and down sends the whole tensor. Source: Thakur,
/// Rabenseifner and Gropp 2005, on binomial trees for reduce and broadcast.
inline FormulaFunction single_tree_seconds{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return tree_all_reduce_steps(ranks) * (bytes / bandwidth + latency);
}};

inline FormulaFunction tree_levels{[](auto ranks) { return ceil(log2(ranks)); }};
/// Size at which a ring takes as long as two pipelined trees: the time of its additional hops equals the time that it
/// saves by sending 1/N less of the tensor.
inline FormulaFunction ring_equals_trees_bytes{[](auto ranks, auto bandwidth, auto latency) {
    return ranks * (ranks - 1 - tree_levels(ranks)) * latency * bandwidth;
}};
/// Size at which a ring takes as long as a single tree.
inline FormulaFunction ring_equals_single_tree_bytes{[](auto ranks, auto bandwidth, auto latency) {
    return (ranks - 1 - tree_levels(ranks)) * latency * bandwidth / (tree_levels(ranks) - (ranks - 1) / ranks);
}};

} // namespace meshwright::formula

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/collectives.h"
#include "formulas/function.h"

/// All-reduces to compare with rings and pipelined trees, and the tensor sizes at which both take equally long. Units
/// are as in formulas/collectives.h.
namespace meshwright::formula {

/// Bytes that the root of a naive all-reduce receives: the tensor of every other rank. It then sends as many.
inline FormulaFunction naive_root_bytes{[](auto ranks, auto bytes) { return (ranks - 1) * bytes; }};
/// Time of a naive all-reduce: the root's link receives all tensors one after another, and sends the sum to each rank.
inline FormulaFunction naive_all_reduce_seconds{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return 2 * (naive_root_bytes(ranks, bytes) / bandwidth + (ranks - 1) * latency);
}};
inline FormulaFunction naive_to_ring{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return naive_all_reduce_seconds(ranks, bytes, bandwidth, latency)
        / ring_all_reduce_seconds(ranks, bytes, bandwidth, latency);
}};

/// One binary tree without pipelining: each hop up and down sends the whole tensor.
/// Source: Thakur, Rabenseifner and Gropp 2005, on binomial trees for reduce and broadcast.
inline FormulaFunction single_tree_seconds{[](auto ranks, auto bytes, auto bandwidth, auto latency) {
    return tree_all_reduce_steps(ranks) * (bytes / bandwidth + latency);
}};

inline FormulaFunction tree_levels{[](auto ranks) { return ceil(log2(ranks)); }};
/// The tensor size where a ring takes as long as two pipelined trees: the ring's additional hops cost as much time as
/// it saves by sending less.
inline FormulaFunction ring_equals_trees_bytes{[](auto ranks, auto bandwidth, auto latency) {
    return ranks * (ranks - 1 - tree_levels(ranks)) * latency * bandwidth;
}};
/// The tensor size where a ring takes as long as a single tree.
inline FormulaFunction ring_equals_single_tree_bytes{[](auto ranks, auto bandwidth, auto latency) {
    return (ranks - 1 - tree_levels(ranks)) * latency * bandwidth / (tree_levels(ranks) - (ranks - 1) / ranks);
}};

} // namespace meshwright::formula

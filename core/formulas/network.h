// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/collectives.h"
#include "formulas/function.h"

#include <algorithm>
#include <cmath>

/// Collectives over the tiers of a site. Bytes count the whole tensor, bandwidths are sustained rates per accelerator
/// and direction, and latencies are per hop. Results are in seconds unless stated otherwise.
/// Source: Thakur, Rabenseifner and Gropp 2005 (ring and recursive-doubling bounds); NCCL's tuning model.
namespace meshwright::formula {

/// Number of a group's members, `stride` ranks apart, in one domain of a tier.
inline FormulaFunction members_inside{
    [](auto accelerators, auto stride, auto members) { return min(max(floor(accelerators / stride), 1.0), members); }};
/// Bandwidth that a tier offers to a group. Members in the same domain of the tier below use their own links
/// simultaneously.
/// @param axes_share fraction of their links along the axes that the group spans, in (0, 1]; below 1 only in a torus
inline FormulaFunction tier_bandwidth{
    [](auto inside, auto bandwidth, auto axes_share) { return inside * bandwidth * axes_share; }};
/// Fraction of a torus's axes that a group spans. A torus of A accelerators with d axes of equal length has A^(1/d)
/// accelerators per axis, so n members span log n / log A^(1/d) axes.
/// @param members number of members on the tier, at least 2
/// @param accelerators number of accelerators that the tier connects, with each domain of the tier below counted once;
/// at least 2 Source: derived; a collective along one axis uses only that axis's links (How to Scale Your Model,
/// chapter on TPUs).
inline FormulaFunction axes_share{
    [](auto members, auto accelerators) { return min(1.0, log(max(members, 2.0)) / log(max(accelerators, 2.0))); }};
/// Latency of the sequential ring edges that cross a tier.
/// @param inside members in one domain of the tier below
/// @param within members in one domain of this tier
inline FormulaFunction ring_tier_seconds{[](auto members, auto inside, auto within, auto latency) {
    return (members / inside - members / within) * latency;
}};
/// Latency of the tree levels in a tier. In the innermost tier the members form a chain instead.
inline FormulaFunction tree_tier_seconds{
    [](auto inside, auto within, auto latency) { return log2(max(1.0, within / inside)) * latency; }};
inline FormulaFunction chain_tier_seconds{
    [](auto inside, auto within, auto latency) { return (within / inside - 1) * latency; }};

/// Extra start-up time of an inter-node collective: each additional node adds a wait between the collective's steps.
/// The wait is 0 if network health is nominal or if the network's bus bandwidth was measured.
inline FormulaFunction between_nodes_seconds{[](auto nodes, auto node_seconds) { return (nodes - 1) * node_seconds; }};

/// Time of an all-gather or reduce-scatter: base latency, ring hops, and the bytes over the slowest tier.
inline FormulaFunction tiers_all_gather_seconds{
    [](auto ranks, auto bytes, auto bandwidth, auto ring_seconds, auto base_seconds) {
        return base_seconds + ring_seconds + ring_half_bytes(ranks, bytes) / bandwidth;
    }};
/// Time of a ring all-reduce: a reduce-scatter and an all-gather.
inline FormulaFunction ring_reduce_seconds{
    [](auto ranks, auto bytes, auto bandwidth, auto ring_seconds, auto base_seconds) {
        return base_seconds + 2 * ring_seconds + ring_all_reduce_bytes(ranks, bytes) / bandwidth;
    }};
/// Time of an all-reduce over two trees, each of which reduces and broadcasts half of the data. It has fewer hops than
/// a ring, but each byte crosses a link twice. Source: Sanders, Speck and Traeff 2009.
inline FormulaFunction trees_reduce_seconds{[](auto bytes, auto bandwidth, auto tree_seconds, auto base_seconds) {
    return base_seconds + 2 * tree_seconds + 2 * bytes / bandwidth;
}};
/// Time of an all-reduce with in-switch reduction: every rank sends its data once, receives the sum of its shard, sends
/// that sum, and receives the other sums. Source: NVLink SHARP, checked against nccl-tests on one H200 node with 5 to 8
/// ranks: within 2%.
inline FormulaFunction switch_reduce_seconds{
    [](auto ranks, auto bytes, auto bandwidth, auto switch_seconds, auto base_seconds) {
        return base_seconds + switch_seconds + (ranks + 1) / ranks * bytes / bandwidth;
    }};

/// Time of in-switch reduction over several nodes: switches sum within each node while two trees sum across nodes.
/// @param passes number of times the data crosses a node's network, from tree_passes()
/// Source: NCCL's NVLSTree, src/device/all_reduce.h; checked against all-reduces of 256 MB on two H100 nodes.
inline FormulaFunction switch_trees_seconds{[](auto inside, auto bytes, auto switch_bandwidth, auto passes,
                                               auto bandwidth, auto tree_seconds, auto switch_seconds,
                                               auto base_seconds) {
    return base_seconds + switch_seconds + 2 * tree_seconds
        + bytes * max((inside + 1) / inside / switch_bandwidth, passes / bandwidth);
}};
/// Number of times the data crosses a node's network: once with two nodes, which exchange halves and their sums; twice
/// with more nodes, because every node sends all data up and down its trees.
inline FormulaFunction tree_passes{[](auto nodes) { return min(2.0, nodes - 1); }};

/// Bus bandwidth between two measurements, interpolated linearly on logarithmic axes.
inline FormulaFunction between_measured_bandwidth{
    [](auto below, auto below_bandwidth, auto above, auto above_bandwidth, auto at) {
        return below_bandwidth * pow(at / below, log(above_bandwidth / below_bandwidth) / log(above / below));
    }};
/// Bandwidth per group when several groups use a node's links simultaneously.
inline FormulaFunction shared_bandwidth{[](auto bandwidth, auto groups) { return bandwidth / groups; }};

/// Fraction of the token copies that are sent to other nodes. A node with several of a token's experts receives the
/// token only once.
inline FormulaFunction once_a_node_share{
    [](auto nodes, auto copies) { return min(1.0, distinct_nodes(nodes, copies) / max(1.0, copies)); }};
inline FormulaFunction dispatch_inside_seconds{
    [](auto inside, auto bytes, auto bandwidth) { return all_to_all_bytes(inside, bytes) / bandwidth; }};
inline FormulaFunction dispatch_between_seconds{
    [](auto nodes, auto bytes, auto copies, auto network_bandwidth, auto efficiency) {
        return bytes * once_a_node_share(nodes, copies) * (nodes - 1) / nodes / (network_bandwidth * efficiency);
    }};
/// Time of the expert dispatch (all-to-all), which uses both tiers in parallel.
/// @param inside members in the same node
/// @param copies experts per token
inline FormulaFunction expert_dispatch_seconds{[](auto inside, auto nodes, auto bytes, auto copies, auto bandwidth,
                                                  auto network_bandwidth, auto efficiency, auto base_seconds) {
    return base_seconds
        + max(dispatch_inside_seconds(inside, bytes, bandwidth),
              dispatch_between_seconds(nodes, bytes, copies, network_bandwidth, efficiency));
}};

/// A tier's contribution to the mean transfer time between neighboring ranks of a group.
inline FormulaFunction send_tier_seconds{[](auto crossing, auto boundaries, auto bytes, auto bandwidth) {
    return crossing / boundaries * bytes / bandwidth;
}};
/// Time of one point-to-point send between neighboring stages.
inline FormulaFunction stage_send_seconds{
    [](auto wire_seconds, auto factor, auto base_seconds) { return factor * (wire_seconds + base_seconds); }};

} // namespace meshwright::formula

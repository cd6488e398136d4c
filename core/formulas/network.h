// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/collectives.h"
#include "formulas/function.h"

#include <algorithm>
#include <cmath>

/// Collectives over the tiers of a site. Bytes are those of the whole tensor, bandwidths are sustained rates per
/// accelerator and direction, and latencies are per hop. Results are in seconds unless stated otherwise.
/// Source: Thakur, Rabenseifner and Gropp 2005 (ring and recursive-doubling bounds); NCCL's tuning model.
namespace meshwright::formula {

/// Number of a group's members, `stride` ranks apart, in one domain of a tier.
inline FormulaFunction members_inside{[](double accelerators, double stride, double members) {
    return std::min(std::max(std::floor(accelerators / stride), 1.0), members);
}};
/// Bandwidth that a tier offers to a group. The members within one domain of the tier below send over their own links
/// simultaneously.
/// @param axes_share fraction of their links that lie along the group, (0, 1]; below 1 only in a torus
inline FormulaFunction tier_bandwidth{
    [](double inside, double bandwidth, double axes_share) { return inside * bandwidth * axes_share; }};
/// Fraction of a torus' axes that a group lies along. A torus of A accelerators on d axes of equal length has A^(1/d)
/// on each, of which n members take log n / log A^(1/d).
/// @param members on the tier, at least 2
/// @param accelerators that the tier joins, with each domain of the tier below counted once; at least 2
/// Source: derived; a collective along one axis uses only that axis' links (How to Scale Your Model, chapter on TPUs).
inline FormulaFunction axes_share{[](double members, double accelerators) {
    return std::min(1.0, std::log(std::max(members, 2.0)) / std::log(std::max(accelerators, 2.0)));
}};
/// Sequential ring edges that cross a tier.
/// @param inside members in one domain of the tier below
/// @param within members in one domain of this tier
inline FormulaFunction ring_tier_seconds{[](double members, double inside, double within, double latency) {
    return (members / inside - members / within) * latency;
}};
/// Tree levels in a tier. In the innermost tier the members form a chain instead.
inline FormulaFunction tree_tier_seconds{
    [](double inside, double within, double latency) { return std::log2(std::max(1.0, within / inside)) * latency; }};
inline FormulaFunction chain_tier_seconds{
    [](double inside, double within, double latency) { return (within / inside - 1) * latency; }};

/// Start-up time that a non-ideal network adds to a collective per additional node, because its steps wait for each
/// other.
inline FormulaFunction between_nodes_seconds{
    [](double nodes, double node_seconds) { return (nodes - 1) * node_seconds; }};

/// All-gather or reduce-scatter: base latency, ring hops, and the bytes over the slowest tier.
inline FormulaFunction tiers_all_gather_seconds{
    [](double ranks, double bytes, double bandwidth, double ring_seconds, double base_seconds) {
        return base_seconds + ring_seconds + ring_half_bytes(ranks, bytes) / bandwidth;
    }};
/// Ring all-reduce: a reduce-scatter and an all-gather.
inline FormulaFunction ring_reduce_seconds{
    [](double ranks, double bytes, double bandwidth, double ring_seconds, double base_seconds) {
        return base_seconds + 2 * ring_seconds + ring_all_reduce_bytes(ranks, bytes) / bandwidth;
    }};
/// All-reduce up and down two trees, each with half of the data: fewer hops than a ring, but each byte crosses a link
/// twice.
/// Source: Sanders, Speck and Traeff 2009.
inline FormulaFunction trees_reduce_seconds{
    [](double bytes, double bandwidth, double tree_seconds, double base_seconds) {
        return base_seconds + 2 * tree_seconds + 2 * bytes / bandwidth;
    }};
/// All-reduce with in-switch reduction: every rank sends its data once, receives the sum of its shard, sends that on
/// and receives the rest.
/// Source: NVLink SHARP, checked against nccl-tests on one H200 node with 5 to 8 ranks: within 2%.
inline FormulaFunction switch_reduce_seconds{
    [](double ranks, double bytes, double bandwidth, double switch_seconds, double base_seconds) {
        return base_seconds + switch_seconds + (ranks + 1) / ranks * bytes / bandwidth;
    }};

/// In-switch reduction over several nodes: switches sum within each node while two trees of rails sum across nodes.
/// @param passes of the data over a node's network, see tree_passes
/// Source: NCCL's NVLSTree, src/device/all_reduce.h; checked against all-reduces of 256 MB on two H100 nodes.
inline FormulaFunction switch_trees_seconds{[](double inside, double bytes, double switch_bandwidth, double passes,
                                               double bandwidth, double tree_seconds, double switch_seconds,
                                               double base_seconds) {
    return base_seconds + switch_seconds + 2 * tree_seconds
        + bytes * std::max((inside + 1) / inside / switch_bandwidth, passes / bandwidth);
}};
/// Two nodes exchange halves of the data and the sums of them. With more nodes, each passes all data up and down.
inline FormulaFunction tree_passes{[](double nodes) { return std::min(2.0, nodes - 1); }};

/// Bus bandwidth between two measurements, interpolated linearly on logarithmic axes.
inline FormulaFunction between_measured_bandwidth{
    [](double below, double below_bandwidth, double above, double above_bandwidth, double at) {
        return below_bandwidth
            * std::pow(at / below, std::log(above_bandwidth / below_bandwidth) / std::log(above / below));
    }};
/// Bandwidth per group when several groups use a node's links simultaneously.
inline FormulaFunction shared_bandwidth{[](double bandwidth, double groups) { return bandwidth / groups; }};

/// Fraction of the copies that cross to other nodes, if a node that holds several of a token's experts receives the
/// token once.
inline FormulaFunction once_a_node_share{
    [](double nodes, double copies) { return std::min(1.0, distinct_nodes(nodes, copies) / std::max(1.0, copies)); }};
inline FormulaFunction dispatch_inside_seconds{
    [](double inside, double bytes, double bandwidth) { return all_to_all_bytes(inside, bytes) / bandwidth; }};
inline FormulaFunction dispatch_between_seconds{
    [](double nodes, double bytes, double copies, double network_bandwidth, double efficiency) {
        return bytes * once_a_node_share(nodes, copies) * (nodes - 1) / nodes / (network_bandwidth * efficiency);
    }};
/// Expert dispatch (all-to-all), with both tiers in parallel.
/// @param inside members in the same node
/// @param copies experts per token
inline FormulaFunction expert_dispatch_seconds{[](double inside, double nodes, double bytes, double copies,
                                                  double bandwidth, double network_bandwidth, double efficiency,
                                                  double base_seconds) {
    return base_seconds
        + std::max(dispatch_inside_seconds(inside, bytes, bandwidth),
                   dispatch_between_seconds(nodes, bytes, copies, network_bandwidth, efficiency));
}};

/// A tier's contribution to the mean transfer time between neighboring members of a line.
inline FormulaFunction send_tier_seconds{[](double crossing, double boundaries, double bytes, double bandwidth) {
    return crossing / boundaries * bytes / bandwidth;
}};
/// One point-to-point send between neighboring stages.
inline FormulaFunction stage_send_seconds{
    [](double wire_seconds, double factor, double base_seconds) { return factor * (wire_seconds + base_seconds); }};

} // namespace meshwright::formula

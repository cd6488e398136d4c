// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/collectives.h"
#include "formulas/function.h"

#include <algorithm>
#include <cmath>

/// Collectives over the tiers of a site. Bytes are those of the whole tensor, bandwidths sustained ones per accelerator
/// and direction, latencies of one hop; results in seconds where nothing else is said.
/// Source: Thakur, Rabenseifner and Gropp 2005 (ring and recursive-doubling bounds); NCCL's tuning model.
namespace meshwright::formula {

/// Members of a group, which stand `stride` apart, that one group of a tier holds.
inline FormulaFunction members_inside{[](double accelerators, double stride, double members) {
    return std::min(std::max(std::floor(accelerators / stride), 1.0), members);
}};
/// What a tier carries for a group: members in one group of the tier inside it send over their own links at once.
/// @param axes_share  of their links that lie along the group, (0, 1]: all but in a torus
inline FormulaFunction tier_bandwidth{
    [](double inside, double bandwidth, double axes_share) { return inside * bandwidth * axes_share; }};
/// Share of the axes of a torus that a group of it lies along: a torus of A accelerators on d axes of equal length has
/// A^(1/d) on each, of which n members take log n / log A^(1/d).
/// @param members  on the tier, from 2
/// @param accelerators  that the tier joins, each of the tier inside counted once, from 2
/// Source: derived; a collective along one axis has that axis' links alone (How to Scale Your Model, chapter on TPUs).
inline FormulaFunction axes_share{[](double members, double accelerators) {
    return std::min(1.0, std::log(std::max(members, 2.0)) / std::log(std::max(accelerators, 2.0)));
}};
/// Ring edges that cross a tier, one after another. @param inside  members that one group of the tier inside joins
/// @param within  members that one group of this tier joins
inline FormulaFunction ring_tier_seconds{[](double members, double inside, double within, double latency) {
    return (members / inside - members / within) * latency;
}};
/// Levels of a tree in a tier; in the innermost one the members stand in a chain.
inline FormulaFunction tree_tier_seconds{
    [](double inside, double within, double latency) { return std::log2(std::max(1.0, within / inside)) * latency; }};
inline FormulaFunction chain_tier_seconds{
    [](double inside, double within, double latency) { return (within / inside - 1) * latency; }};

/// What a network that is not ideal adds to a collective's start for each further node: its steps wait for one another.
inline FormulaFunction between_nodes_seconds{
    [](double nodes, double node_seconds) { return (nodes - 1) * node_seconds; }};

/// All-gather, and reduce-scatter: a base, the ring's hops, the bytes over the slowest tier.
inline FormulaFunction tiers_all_gather_seconds{
    [](double ranks, double bytes, double bandwidth, double ring_seconds, double base_seconds) {
        return base_seconds + ring_seconds + ring_half_bytes(ranks, bytes) / bandwidth;
    }};
/// All-reduce round a ring: there and back.
inline FormulaFunction ring_reduce_seconds{
    [](double ranks, double bytes, double bandwidth, double ring_seconds, double base_seconds) {
        return base_seconds + 2 * ring_seconds + ring_all_reduce_bytes(ranks, bytes) / bandwidth;
    }};
/// All-reduce up two trees, each with half of the data, and down again: fewer hops, each byte twice over the links.
/// Source: Sanders, Speck and Traeff 2009.
inline FormulaFunction trees_reduce_seconds{
    [](double bytes, double bandwidth, double tree_seconds, double base_seconds) {
        return base_seconds + 2 * tree_seconds + 2 * bytes / bandwidth;
    }};
/// All-reduce whose sums are made in the switch: every rank sends its data once and receives the sum of its share,
/// sends that on and receives the rest.
/// Source: NVLink SHARP, checked against nccl-tests on one H200 node, 5 to 8 members: within 2 %.
inline FormulaFunction switch_reduce_seconds{
    [](double ranks, double bytes, double bandwidth, double switch_seconds, double base_seconds) {
        return base_seconds + switch_seconds + (ranks + 1) / ranks * bytes / bandwidth;
    }};

/// The same over several nodes: sums of a node's accelerators in its switch, those of the nodes along two trees of
/// their rails, at once. @param passes  of the data over a node's network, see tree_passes Source: NCCL's NVLSTree,
/// src/device/all_reduce.h; checked against all-reduces of 256 MB on two nodes of H100.
inline FormulaFunction switch_trees_seconds{[](double inside, double bytes, double switch_bandwidth, double passes,
                                               double bandwidth, double tree_seconds, double switch_seconds,
                                               double base_seconds) {
    return base_seconds + switch_seconds + 2 * tree_seconds
        + bytes * std::max((inside + 1) / inside / switch_bandwidth, passes / bandwidth);
}};
/// Two nodes exchange their halves of the data and the sums of them; of more, each passes all data up and down.
inline FormulaFunction tree_passes{[](double nodes) { return std::min(2.0, nodes - 1); }};

/// Bus bandwidth between two measurements: straight between them where both axes are logarithmic.
inline FormulaFunction between_measured_bandwidth{
    [](double below, double below_bandwidth, double above, double above_bandwidth, double at) {
        return below_bandwidth
            * std::pow(at / below, std::log(above_bandwidth / below_bandwidth) / std::log(above / below));
    }};
/// Groups with one member of each place in a node send at once.
inline FormulaFunction shared_bandwidth{[](double bandwidth, double groups) { return bandwidth / groups; }};

/// Part of the copies that cross to other nodes when a token is sent once to a node that holds several of its experts.
inline FormulaFunction once_a_node_share{
    [](double nodes, double copies) { return std::min(1.0, distinct_nodes(nodes, copies) / std::max(1.0, copies)); }};
inline FormulaFunction dispatch_inside_seconds{
    [](double inside, double bytes, double bandwidth) { return all_to_all_bytes(inside, bytes) / bandwidth; }};
inline FormulaFunction dispatch_between_seconds{
    [](double nodes, double bytes, double copies, double network_bandwidth, double efficiency) {
        return bytes * once_a_node_share(nodes, copies) * (nodes - 1) / nodes / (network_bandwidth * efficiency);
    }};
/// Tokens to their experts: both tiers at once. @param inside  members that share a node  @param copies  experts of a
/// token
inline FormulaFunction expert_dispatch_seconds{[](double inside, double nodes, double bytes, double copies,
                                                  double bandwidth, double network_bandwidth, double efficiency,
                                                  double base_seconds) {
    return base_seconds
        + std::max(dispatch_inside_seconds(inside, bytes, bandwidth),
                   dispatch_between_seconds(nodes, bytes, copies, network_bandwidth, efficiency));
}};

/// A tier's part of the mean time on the wire from one member of a line to the next.
inline FormulaFunction send_tier_seconds{[](double crossing, double boundaries, double bytes, double bandwidth) {
    return crossing / boundaries * bytes / bandwidth;
}};
/// One send between neighbouring stages.
inline FormulaFunction stage_send_seconds{
    [](double wire_seconds, double factor, double base_seconds) { return factor * (wire_seconds + base_seconds); }};

} // namespace meshwright::formula

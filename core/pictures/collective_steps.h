// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

/// All-reduces, message by message. Bytes are those of the whole tensor on each rank, bandwidths are in bytes/s per
/// rank and direction, and latencies are in seconds per hop.
namespace meshwright {

/// Bit mask of the ranks whose values a sum contains.
using Contributors = std::uint32_t;
/// [rank][chunk]: the ranks whose values are in this rank's partial sum of the chunk.
using HeldChunks = std::vector<std::vector<Contributors>>;

struct ChunkMessage {
    int from = 0;
    int to = 0;
    int first_chunk = 0;
    int chunks = 1;
};

/// The phase of a step within a collective. In a reduce-scatter or a reduce, receivers add the data; in an all-gather
/// or a broadcast, they store it.
enum class CollectivePart { reduce_scatter, all_gather, reduce, broadcast };
enum class CollectiveScope { all_ranks, within_nodes, between_nodes };

/// Messages sent at the same time.
struct CollectiveStep {
    CollectivePart part = CollectivePart::reduce_scatter;
    CollectiveScope scope = CollectiveScope::all_ranks;
    std::vector<ChunkMessage> messages;
    double bytes = 0; ///< bytes of one message
    double seconds = 0;
    HeldChunks held; ///< partial sums of every rank after the step
};

struct CollectiveSteps {
    int ranks = 0;
    int chunks = 0;
    HeldChunks held; ///< partial sums before the first step: each rank's own values
    std::vector<CollectiveStep> steps;

    double seconds() const;
    const HeldChunks &held_after(int count) const;
};

/// All-reduce around a ring: a reduce-scatter, then an all-gather, in 2 (ranks - 1) steps. Source: Patarasuk and Yuan
/// 2009.
/// @param ranks 2 to 32, as in all functions below
CollectiveSteps ring_all_reduce(int ranks, double bytes, double bandwidth, double latency);

/// All-reduce over a single binary tree: partial sums move up the tree to rank 0, and the total moves back down. Each
/// step sends the whole tensor. Source: Thakur, Rabenseifner and Gropp 2005, binomial tree.
CollectiveSteps tree_all_reduce(int ranks, double bytes, double bandwidth, double latency);

/// Naive all-reduce in 2 (ranks - 1) steps over one link: all ranks send the whole tensor to rank 0, which adds the
/// tensors one at a time and then sends the sum to each rank.
CollectiveSteps naive_all_reduce(int ranks, double bytes, double bandwidth, double latency);

/// Rates of the links within and between nodes. As in the formula hierarchical-all-reduce, there are no latencies.
struct TwoTiers {
    double fast_bandwidth = 0;
    double slow_bandwidth = 0; ///< bandwidth of one link between nodes
    double slow_links_per_node = 1;
};

/// All-reduce over two tiers: reduce-scatter within each node, all-reduce of the shards between nodes, all-gather
/// within each node. Rank r is member r mod n of node r / n, for n ranks per node.
/// @param bytes bytes of the whole tensor
CollectiveSteps hierarchical_all_reduce(int ranks_per_node, int nodes, double bytes, const TwoTiers &tiers);

} // namespace meshwright

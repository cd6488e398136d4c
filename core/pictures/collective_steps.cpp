// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures/collective_steps.h"

#include "formulas/collective_comparison.h"
#include "formulas/collectives.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace meshwright {

namespace {

CollectiveSteps before_steps(int ranks, int chunks) {
    CollectiveSteps all{.ranks = ranks, .chunks = chunks};
    for (int rank = 0; rank < ranks; ++rank)
        all.held.emplace_back(chunks, Contributors{1} << rank);
    return all;
}

bool adds(CollectivePart part) {
    return part == CollectivePart::reduce_scatter || part == CollectivePart::reduce;
}

/// Appends a step, and calculates which chunks each rank has after it. All messages are sent before any arrives.
void add_step(CollectiveSteps &all, CollectiveStep step) {
    const HeldChunks &before = all.held_after(static_cast<int>(all.steps.size()));
    step.held = before;
    for (const ChunkMessage &message : step.messages)
        for (int chunk = message.first_chunk; chunk < message.first_chunk + message.chunks; ++chunk) {
            Contributors &held = step.held[message.to][chunk];
            const Contributors sent = before[message.from][chunk];
            held = adds(step.part) ? held | sent : sent;
        }
    all.steps.push_back(std::move(step));
}

/// Rings that run at the same time, and the shards that travel around each ring.
struct Rings {
    std::vector<std::vector<int>> members;
    int chunks_per_shard = 1; ///< chunks of the tensor per shard; there is one shard per member
    /// Index of the first chunk of a ring's first shard.
    std::function<int(int ring)> first_chunk = [](int) { return 0; };
};

/// One pass around the rings: in each step every member sends a shard to the next member. The number of steps is one
/// less than the number of shards.
/// @param about  the values that all steps have in common: part, scope, bytes and seconds
/// @param ahead  index of the shard that a member sends first, minus the index of the member
void add_pass(CollectiveSteps &all, const Rings &rings, const CollectiveStep &about, int ahead) {
    const int members = static_cast<int>(rings.members.front().size());
    for (int turn = 0; turn + 1 < members; ++turn) {
        CollectiveStep step = about;
        for (int ring = 0; ring < static_cast<int>(rings.members.size()); ++ring)
            for (int member = 0; member < members; ++member) {
                const int shard = (member + ahead - turn + members) % members;
                step.messages.push_back({.from = rings.members[ring][member],
                                         .to = rings.members[ring][(member + 1) % members],
                                         .first_chunk = rings.first_chunk(ring) + shard * rings.chunks_per_shard,
                                         .chunks = rings.chunks_per_shard});
            }
        add_step(all, std::move(step));
    }
}

void add_reduce_scatter(CollectiveSteps &all, const Rings &rings, CollectiveStep about) {
    about.part = CollectivePart::reduce_scatter;
    add_pass(all, rings, about, 0);
}

/// After a reduce-scatter, each member has the sum of the shard whose index is one above its own.
void add_all_gather(CollectiveSteps &all, const Rings &rings, CollectiveStep about) {
    about.part = CollectivePart::all_gather;
    add_pass(all, rings, about, 1);
}

} // namespace

double CollectiveSteps::seconds() const {
    return std::accumulate(steps.begin(), steps.end(), 0.0,
                           [](double sum, const CollectiveStep &step) { return sum + step.seconds; });
}

const HeldChunks &CollectiveSteps::held_after(int count) const {
    return count <= 0 ? held : steps.at(static_cast<std::size_t>(count) - 1).held;
}

CollectiveSteps ring_all_reduce(int ranks, double bytes, double bandwidth, double latency) {
    CollectiveSteps all = before_steps(ranks, ranks);
    Rings rings{.members = {std::vector<int>(ranks)}};
    std::iota(rings.members.front().begin(), rings.members.front().end(), 0);
    const double steps = ranks - 1;
    const CollectiveStep about{.bytes = formula::ring_half_bytes(ranks, bytes) / steps,
                               .seconds = formula::ring_half_seconds(ranks, bytes, bandwidth, latency) / steps};
    add_reduce_scatter(all, rings, about);
    add_all_gather(all, rings, about);
    return all;
}

CollectiveSteps tree_all_reduce(int ranks, double bytes, double bandwidth, double latency) {
    CollectiveSteps all = before_steps(ranks, 1);
    const CollectiveStep about{.bytes = bytes,
                               .seconds = formula::single_tree_seconds(ranks, bytes, bandwidth, latency)
                                   / formula::tree_all_reduce_steps(ranks)};
    std::vector<int> distances;
    for (int distance = 1; distance < ranks; distance *= 2)
        distances.push_back(distance);
    for (const int distance : distances) {
        CollectiveStep step = about;
        step.part = CollectivePart::reduce;
        for (int parent = 0; parent + distance < ranks; parent += 2 * distance)
            step.messages.push_back({.from = parent + distance, .to = parent});
        add_step(all, std::move(step));
    }
    std::reverse(distances.begin(), distances.end());
    for (const int distance : distances) {
        CollectiveStep step = about;
        step.part = CollectivePart::broadcast;
        for (int parent = 0; parent + distance < ranks; parent += 2 * distance)
            step.messages.push_back({.from = parent, .to = parent + distance});
        add_step(all, std::move(step));
    }
    return all;
}

CollectiveSteps naive_all_reduce(int ranks, double bytes, double bandwidth, double latency) {
    CollectiveSteps all = before_steps(ranks, 1);
    const CollectiveStep about{.bytes = bytes,
                               .seconds = formula::naive_all_reduce_seconds(ranks, bytes, bandwidth, latency)
                                   / (2 * (ranks - 1))};
    for (const CollectivePart part : {CollectivePart::reduce, CollectivePart::broadcast})
        for (int rank = 1; rank < ranks; ++rank) {
            CollectiveStep step = about;
            step.part = part;
            step.messages = {part == CollectivePart::reduce ? ChunkMessage{.from = rank, .to = 0}
                                                            : ChunkMessage{.from = 0, .to = rank}};
            add_step(all, std::move(step));
        }
    return all;
}

CollectiveSteps hierarchical_all_reduce(int ranks_per_node, int nodes, double bytes, const TwoTiers &tiers) {
    CollectiveSteps all = before_steps(ranks_per_node * nodes, ranks_per_node * nodes);
    Rings within{.members = std::vector<std::vector<int>>(nodes), .chunks_per_shard = nodes};
    // Each member's ring between nodes reduces the shard that the member holds after the reduce-scatter within its
    // node.
    Rings between{.members = std::vector<std::vector<int>>(ranks_per_node),
                  .first_chunk = [&](int member) { return (member + 1) % ranks_per_node * nodes; }};
    for (int rank = 0; rank < all.ranks; ++rank) {
        within.members[rank / ranks_per_node].push_back(rank);
        between.members[rank % ranks_per_node].push_back(rank);
    }
    // In each tier, the reduce-scatter takes as many steps as the all-gather.
    const double fast_steps = formula::ring_all_reduce_steps(ranks_per_node);
    const double slow_steps = formula::ring_all_reduce_steps(nodes);
    const CollectiveStep fast{.scope = CollectiveScope::within_nodes,
                              .bytes = formula::ring_all_reduce_bytes(ranks_per_node, bytes) / fast_steps,
                              .seconds = formula::hierarchical_fast_seconds(bytes, ranks_per_node, tiers.fast_bandwidth)
                                  / fast_steps};
    const CollectiveStep slow{
        .scope = CollectiveScope::between_nodes,
        .bytes = formula::ring_all_reduce_bytes(nodes, bytes / ranks_per_node) / slow_steps,
        .seconds = formula::hierarchical_slow_seconds(bytes, nodes, tiers.slow_bandwidth, tiers.slow_links_per_node)
            / slow_steps};
    add_reduce_scatter(all, within, fast);
    add_reduce_scatter(all, between, slow);
    add_all_gather(all, between, slow);
    add_all_gather(all, within, fast);
    return all;
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/collective_comparison.h"
#include "formulas/collectives.h"
#include "formulas/memory.h"
#include "formulas/step_timelines.h"
#include "formulas/tensor_parallel.h"
#include "input/diagnostic.h"
#include "pictures/collective_steps.h"
#include "pictures/linear_split.h"
#include "pictures/overlap_lanes.h"
#include "pictures/picture.h"
#include "pictures/zero_shards.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

namespace meshwright {
namespace {

constexpr double tensor = 2e9;
constexpr double bandwidth = 50e9;
constexpr double latency = 5e-6;

void same(double actual, double expected) {
    RC_ASSERT(std::abs(actual - expected) <= 1e-12 * std::max(std::abs(actual), std::abs(expected)));
}

bool adds_up(CollectivePart part) {
    return part == CollectivePart::reduce_scatter || part == CollectivePart::reduce;
}

/// Checks that no value is added twice, that only complete sums are copied, and that every rank ends with every sum.
void sums_everything_once(const CollectiveSteps &all) {
    const Contributors everyone = (Contributors{1} << all.ranks) - 1;
    for (int count = 0; count < static_cast<int>(all.steps.size()); ++count) {
        const CollectiveStep &step = all.steps[count];
        for (const ChunkMessage &message : step.messages)
            for (int chunk = message.first_chunk; chunk < message.first_chunk + message.chunks; ++chunk) {
                const Contributors sent = all.held_after(count)[message.from][chunk];
                const Contributors held = all.held_after(count)[message.to][chunk];
                if (adds_up(step.part))
                    RC_ASSERT((sent & held) == 0U);
                else
                    RC_ASSERT(sent == everyone);
            }
    }
    for (const auto &rank : all.held_after(static_cast<int>(all.steps.size())))
        for (const Contributors held : rank)
            RC_ASSERT(held == everyone);
}

/// Checks that no rank sends or receives two messages at the same time.
void uses_each_link_once(const CollectiveSteps &all) {
    for (const CollectiveStep &step : all.steps) {
        std::set<int> senders;
        std::set<int> receivers;
        for (const ChunkMessage &message : step.messages) {
            RC_ASSERT(senders.insert(message.from).second);
            RC_ASSERT(receivers.insert(message.to).second);
        }
    }
}

double sent_by(const CollectiveSteps &all, int rank) {
    double bytes = 0;
    for (const CollectiveStep &step : all.steps)
        for (const ChunkMessage &message : step.messages)
            bytes += message.from == rank ? step.bytes : 0;
    return bytes;
}

RC_GTEST_PROP(CollectiveSteps, OfARingSumEverythingInTheTimeOfTheFormula, ()) {
    const int ranks = *rc::gen::inRange(2, 17);
    const CollectiveSteps all = ring_all_reduce(ranks, tensor, bandwidth, latency);
    sums_everything_once(all);
    uses_each_link_once(all);
    RC_ASSERT(static_cast<double>(all.steps.size()) == formula::ring_all_reduce_steps(ranks));
    same(all.seconds(), formula::ring_all_reduce_seconds(ranks, tensor, bandwidth, latency));
    for (int rank = 0; rank < ranks; ++rank)
        same(sent_by(all, rank), formula::ring_all_reduce_bytes(ranks, tensor));
    // Halfway through, each rank has the complete sum of a different chunk.
    std::set<int> complete;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::vector<Contributors> &held = all.held_after(ranks - 1)[rank];
        const auto whole = [ranks](Contributors sum) { return std::popcount(sum) == ranks; };
        RC_ASSERT(std::count_if(held.begin(), held.end(), whole) == 1);
        complete.insert(static_cast<int>(std::find_if(held.begin(), held.end(), whole) - held.begin()));
    }
    RC_ASSERT(static_cast<int>(complete.size()) == ranks);
}

RC_GTEST_PROP(CollectiveSteps, OfATreeSendTheWholeTensorOverEachHopOfTheFormula, ()) {
    const int ranks = *rc::gen::inRange(2, 17);
    const CollectiveSteps all = tree_all_reduce(ranks, tensor, bandwidth, latency);
    sums_everything_once(all);
    uses_each_link_once(all);
    const double steps = formula::tree_all_reduce_steps(ranks);
    RC_ASSERT(static_cast<double>(all.steps.size()) == steps);
    same(all.seconds(), formula::single_tree_seconds(ranks, tensor, bandwidth, latency));
}

RC_GTEST_PROP(CollectiveSteps, OfAGatherAndABroadcastLeaveAllTrafficToOneRank, ()) {
    const int ranks = *rc::gen::inRange(2, 17);
    const CollectiveSteps all = naive_all_reduce(ranks, tensor, bandwidth, latency);
    sums_everything_once(all);
    same(sent_by(all, 0), (ranks - 1) * tensor);
    same(sent_by(all, ranks - 1), tensor);
    same(all.seconds(), formula::naive_all_reduce_seconds(ranks, tensor, bandwidth, latency));
    // Takes N times as long as the ring, which divides the same bytes among N ranks.
    same(all.seconds() - 2 * (ranks - 1) * latency,
         ranks * formula::ring_all_reduce_seconds(ranks, tensor, bandwidth, 0));
}

RC_GTEST_PROP(CollectiveSteps, OfTwoTiersSumEverythingInTheTimeOfTheFormula, ()) {
    const int ranks_per_node = *rc::gen::inRange(1, 9);
    const int nodes = *rc::gen::inRange(1, 16 / ranks_per_node + 1);
    RC_PRE(ranks_per_node * nodes >= 2);
    const TwoTiers tiers{.fast_bandwidth = 450e9, .slow_bandwidth = 25e9, .slow_links_per_node = 2};
    const CollectiveSteps all = hierarchical_all_reduce(ranks_per_node, nodes, tensor, tiers);
    sums_everything_once(all);
    uses_each_link_once(all);
    same(all.seconds(),
         formula::hierarchical_seconds(tensor, ranks_per_node, nodes, tiers.fast_bandwidth, tiers.slow_bandwidth,
                                       tiers.slow_links_per_node));
    same(sent_by(all, 0), formula::ring_all_reduce_bytes(ranks_per_node * nodes, tensor));
    for (const CollectiveStep &step : all.steps)
        for (const ChunkMessage &message : step.messages)
            RC_ASSERT((message.from / ranks_per_node == message.to / ranks_per_node)
                      == (step.scope == CollectiveScope::within_nodes));
}

RC_GTEST_PROP(LinearSplit, HasShardsThatMultiply, ()) {
    const int ranks = 1 << *rc::gen::inRange(0, 5);
    const LinearLayer layer{.micro_batch = 2,
                            .sequence = 64.0 * *rc::gen::inRange(1, 100),
                            .rows = 16.0 * *rc::gen::inRange(1, 1000),
                            .columns = 16.0 * *rc::gen::inRange(1, 1000)};
    for (const WeightSplit split : {WeightSplit::columns, WeightSplit::rows}) {
        const LinearSplit all = split_linear(layer, split, ranks, bandwidth);
        RC_ASSERT(all.rank_input.columns == all.rank_weight.rows);
        RC_ASSERT(all.rank_output.columns == all.rank_weight.columns);
        same(all.rank_weight.rows * all.rank_weight.columns, all.rank_parameters);
        same(ranks * all.rank_parameters, layer.rows * layer.columns);
        RC_ASSERT(all.forward.has_value() == (split == WeightSplit::rows));
        RC_ASSERT(all.backward.has_value() == (split == WeightSplit::columns));
    }
}

TEST(LinearSplit, OfTwoLayersSendsTheBytesOfHalfATransformerLayer) {
    // With a column split followed by a row split, the wide activations in between are never sent.
    constexpr int ranks = 8;
    const LinearSplit up =
        split_linear({.sequence = 4096, .rows = 8192, .columns = 32768}, WeightSplit::columns, ranks, bandwidth);
    const LinearSplit down =
        split_linear({.sequence = 4096, .rows = 32768, .columns = 8192}, WeightSplit::rows, ranks, bandwidth);
    EXPECT_EQ(up.rank_output, down.rank_input);
    EXPECT_DOUBLE_EQ(up.backward->bytes_per_rank + down.forward->bytes_per_rank,
                     formula::tensor_layer_bytes(1, 4096, 8192, ranks, 2) / 2);
    EXPECT_DOUBLE_EQ(down.forward->bytes_per_rank, 117440512);
}

RC_GTEST_PROP(ZeroShards, HoldLessWithEachStageAndAddUp, ()) {
    const int ranks = *rc::gen::inRange(1, 17);
    const ModelStates model{.parameters = 7.5e9};
    double before = formula::zero_memory_bytes(model.parameters, ranks, 0, 2, 2, 12);
    for (int stage = 0; stage <= 3; ++stage) {
        const ZeroShards shards = zero_shards(model, ranks, stage);
        same(shards.weights.held + shards.gradients.held + shards.optimizer.held, shards.held);
        RC_ASSERT(shards.held <= before);
        RC_ASSERT(shards.optimizer.is_sharded() == (stage >= 1 && ranks > 1));
        RC_ASSERT(shards.gradients.is_sharded() == (stage >= 2 && ranks > 1));
        RC_ASSERT(shards.weights.is_sharded() == (stage >= 3 && ranks > 1));
        before = shards.held;
    }
    same(ranks * before, formula::zero_memory_bytes(model.parameters, ranks, 0, 2, 2, 12));
    same(zero_shards(model, ranks, 2).sent_bytes, formula::ring_all_reduce_bytes(ranks, model.parameters * 2));
    same(zero_shards(model, ranks, 3).sent_bytes, formula::zero3_bytes(model.parameters, ranks, 2));
}

TEST(ZeroShards, OfFigureOneOfThePaper) {
    const ModelStates model{.parameters = 7.5e9};
    EXPECT_NEAR(zero_shards(model, 64, 0).held, 120e9, 1);
    EXPECT_NEAR(zero_shards(model, 64, 1).held, 31.4e9, 0.05e9);
    EXPECT_NEAR(zero_shards(model, 64, 2).held, 16.6e9, 0.05e9);
    EXPECT_NEAR(zero_shards(model, 64, 3).held, 1.9e9, 0.05e9);
}

RC_GTEST_PROP(OverlapLanes, RunInOrderAndExposeWhatTheFormulaSays, ()) {
    const int layers = *rc::gen::inRange(1, 65);
    const double backward = *rc::gen::inRange(1, 1000) * 1e-3;
    const double communication = *rc::gen::inRange(0, 200) * 1e-3;
    const int bucket_layers = *rc::gen::inRange(1, layers + 1);
    const double bucket_latency = *rc::gen::inRange(0, 20) * 1e-3;
    const OverlapLanes lanes = overlap_lanes(layers, backward, communication, bucket_layers, bucket_latency);
    same(lanes.compute_seconds(), backward);
    int next_layer = layers - 1;
    double queue_free = 0;
    for (const LaneBlock &bucket : lanes.reductions) {
        RC_ASSERT(bucket.last_layer == next_layer);
        RC_ASSERT(bucket.start >= queue_free);
        RC_ASSERT(bucket.start >= lanes.backward[layers - 1 - bucket.first_layer].end);
        next_layer = bucket.first_layer - 1;
        queue_free = bucket.end;
    }
    RC_ASSERT(next_layer == -1);
    RC_ASSERT(lanes.seconds() == queue_free);
    const auto close = [&lanes](double exposed, double expected) {
        RC_ASSERT(std::abs(exposed - expected) <= 1e-12 * lanes.seconds());
    };
    close(lanes.exposed_seconds(),
          formula::bucket_exposed_seconds(layers, backward, bucket_layers, communication, bucket_latency));
    if (layers % bucket_layers == 0)
        close(lanes.exposed_seconds(),
              formula::overlap_exposed_seconds(layers / bucket_layers, backward,
                                               bucket_layers * communication + bucket_latency));
}

std::string problem_of(const Picture &picture) {
    try {
        complete(picture);
    } catch (const InputError &error) {
        return one_line("picture", error.diagnostics());
    }
    return {};
}

TEST(Pictures, HaveDefaultsThatCanBeDrawn) {
    EXPECT_EQ(picture_names().size(), 8U);
    for (const std::string &name : picture_names()) {
        const Picture picture = complete({.name = name});
        EXPECT_EQ(picture.parameters.size(), parameters_of_picture(name).size()) << name;
        EXPECT_EQ(complete(picture), picture) << name;
        for (const PictureParameter &parameter : parameters_of_picture(name)) {
            Picture edge = picture;
            edge.parameters[std::string(parameter.name)] = std::nextafter(parameter.high, 1e300);
            EXPECT_NE(problem_of(edge), "") << name << ' ' << parameter.name;
            edge.parameters[std::string(parameter.name)] = std::nextafter(parameter.low, -1e300);
            EXPECT_NE(problem_of(edge), "") << name << ' ' << parameter.name;
        }
    }
}

TEST(Pictures, AreRejectedInOneLine) {
    EXPECT_EQ(problem_of({.name = "rings"}),
              "picture: /: \"rings\" is not a picture (did you mean \"ring\"?); expected ring, tree, naive, "
              "hierarchical, column-split, row-split, zero or overlap");
    EXPECT_EQ(problem_of({.name = "ring", .parameters = {{"ranks", 17}}}),
              "picture: /ranks: 17 is not an allowed value; expected an integer from 2 to 16");
    EXPECT_EQ(problem_of({.name = "ring", .parameters = {{"rank", 4}}}),
              "picture: /rank: not a parameter of the picture \"ring\"; expected ranks, bytes, bandwidth or latency");
    EXPECT_EQ(problem_of({.name = "hierarchical", .parameters = {{"ranks_per_node", 8}, {"nodes", 4}}}),
              "picture: /nodes: 32 ranks cannot be drawn; expected ranks_per_node x nodes from 2 to 16");
    EXPECT_NE(problem_of({.name = "zero", .parameters = {{"parameters", std::nan("")}}}), "");
}

} // namespace
} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/diagnostic.h"
#include "pipeline/executed_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace meshwright {
namespace {

struct LongPipeline {
    OrderRequest request;
    PipelineWork work;
};

std::int64_t any_chunks(ChunkCount chunks) {
    switch (chunks) {
    case ChunkCount::one:
        return 1;
    case ChunkCount::two:
        return 2;
    case ChunkCount::any:
        break;
    }
    return *rc::gen::inRange<std::int64_t>(2, 5);
}

/// A pipeline with uneven stages, synchronous or asynchronous sends, and enough microbatches to exceed the limit of
/// operations.
LongPipeline any_long_pipeline() {
    LongPipeline made;
    OrderRequest &request = made.request;
    request.schedule = *rc::gen::elementOf(all_schedules());
    const ScheduleDefinition &definition = definition_of(request.schedule);
    request.ranks = 2 * *rc::gen::inRange<std::int64_t>(2, 9);
    request.chunks = any_chunks(definition.chunks);
    request.group = definition.takes_groups ? *rc::gen::inRange(request.ranks, 2 * request.ranks + 1) : 0;
    request.microbatches = std::max(request.group, 2 * request.ranks) * *rc::gen::inRange<std::int64_t>(20, 80);
    const auto seconds = [] { return *rc::gen::inRange(80, 121) * 0.01; };
    const std::int64_t stages = request.ranks * (definition.cuts_sequences ? 1 : request.chunks);
    for (std::int64_t s = 0; s < stages; ++s)
        made.work.stages.push_back({.forward = {.compute = seconds()},
                                    .input_gradient = {.compute = seconds()},
                                    .weight_gradient = {.compute = seconds()}});
    made.work.hop_latency_seconds = *rc::gen::inRange(0, 20) * 0.01;
    made.work.hop_transfer_seconds = *rc::gen::inRange(0, 20) * 0.01;
    made.work.sending = *rc::gen::element(Sending::asynchronous, Sending::blocking);
    request.hop = made.work.hop_latency_seconds + made.work.hop_transfer_seconds;
    return made;
}

/// Whether a search chooses the order, which then depends on the number of microbatches.
bool is_searched_for(Schedule schedule) {
    return schedule == Schedule::zb_1p || schedule == Schedule::zb_2p;
}

/// Returns nothing if the schedule deadlocks: its groups leave a remainder of fewer microbatches than stages.
std::optional<PipelineTimes> times_of(const ExecutedOrder &order, const PipelineWork &work) {
    try {
        return pipeline_times(order, work);
    } catch (const InputError &) {
        return std::nullopt;
    }
}

RC_GTEST_PROP(ExecutedOrder, GoesOnAsBetweenTwoShorterOnes, ()) {
    const LongPipeline any = any_long_pipeline();
    const ExecutedOrder whole{.order = operation_order(any.request), .shorter = {}};
    const std::optional<PipelineTimes> all = times_of(whole, any.work);
    RC_PRE(all.has_value());
    const auto operations = static_cast<std::int64_t>(whole.order.operations.size());
    const ExecutedOrder parts = *executed_order(any.request, operations / 2);
    RC_ASSERT(parts.shorter);
    const PipelineTimes carried_on = pipeline_times(parts, any.work);
    RC_ASSERT(std::abs(carried_on.makespan - all->makespan) < 0.02 * all->makespan);
    RC_ASSERT(std::abs(carried_on.span - all->span) < 0.02 * all->span);
    RC_ASSERT(std::abs(carried_on.ideal - all->ideal) < 1e-9 * all->ideal);
    if (!is_searched_for(any.request.schedule))
        RC_ASSERT(peak_in_flight(parts) == peak_in_flight(whole));
}

TEST(ExecutedOrder, IsTheWholeOneWhereThatIsShort) {
    for (const Schedule schedule : all_schedules()) {
        const OrderRequest request{.schedule = schedule,
                                   .ranks = 8,
                                   .microbatches = 64,
                                   .chunks = definition_of(schedule).chunks == ChunkCount::one ? 1 : 2};
        const std::optional<ExecutedOrder> executed = executed_order(request);
        ASSERT_TRUE(executed) << name_of(schedule);
        EXPECT_FALSE(executed->shorter) << name_of(schedule);
        EXPECT_EQ(executed->order.operations, operation_order(request).operations) << name_of(schedule);
    }
}

/// Of the longest pipelines, only a few rounds are executed, with more operations than shorter pipelines have in total.
/// executed_order() returns nothing if the order would exceed an evaluation's time limit.
TEST(ExecutedOrder, TakesAFewRoundsOfTheLongestPipelines) {
    const OrderRequest request{.schedule = Schedule::one_f_one_b, .ranks = 256, .microbatches = 4096};
    const std::optional<ExecutedOrder> executed = executed_order(request);
    ASSERT_TRUE(executed && executed->shorter);
    EXPECT_GT(executed->order.operations.size(), std::size_t{max_executed_operations} / 2);
    const ExecutedOrder whole{.order = operation_order(request), .shorter = {}};
    PipelineWork work = uniform_work(whole.order, 1, 1, 1, 0.1);
    work.stages[100].forward.compute = 1.25; // makes this stage the slowest
    const double makespan = pipeline_times(whole, work).makespan;
    EXPECT_NEAR(pipeline_times(*executed, work).makespan, makespan, 1e-9 * makespan);
    EXPECT_EQ(peak_in_flight(*executed), peak_in_flight(whole));
    EXPECT_FALSE(executed_order({.ranks = 2000, .microbatches = 100'000}));
    EXPECT_FALSE(executed_order(
        {.schedule = Schedule::interleaved, .ranks = 16, .microbatches = 800'000, .chunks = 4, .group = 400'000}));
    EXPECT_FALSE(executed_order({.ranks = 512, .microbatches = 10'240}));
    // ZB-2p generates eight orders to choose one, which would take too long.
    EXPECT_FALSE(executed_order({.schedule = Schedule::zb_2p, .ranks = 256, .microbatches = 10'240}));
    EXPECT_TRUE(executed_order({.ranks = 256, .microbatches = 10'240}));
}

} // namespace
} // namespace meshwright

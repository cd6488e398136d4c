// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/diagnostic.h"
#include "pipeline/closed_forms.h"
#include "pipeline/idle_shares.h"
#include "pipeline/simulation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {
namespace {

OperationOrder order_of(Schedule schedule, std::int64_t ranks, std::int64_t microbatches, std::int64_t chunks = 1,
                        std::int64_t group = 0) {
    return operation_order(
        {.schedule = schedule, .ranks = ranks, .microbatches = microbatches, .chunks = chunks, .group = group});
}

Timeline unit_times(const OperationOrder &order) {
    return simulate(order, uniform_work(order, 1, 1, 1));
}

struct UnitCase {
    const char *name;
    OperationOrder order;
    double makespan;
    double span; ///< 0 if not stated
    std::vector<int> in_flight;
};

TEST(PipelineSimulation, UnitTimesGiveTheKnownMakespansSpansAndPeaks) {
    const std::vector<UnitCase> cases{
        {"GPipe", order_of(Schedule::gpipe, 4, 8), 33, 33, {8, 8, 8, 8}},
        {"1F1B", order_of(Schedule::one_f_one_b, 4, 8), 33, 33, {4, 3, 2, 1}},
        {"ZB-H1", order_of(Schedule::zb_h1, 4, 8), 27, 27, {4, 4, 4, 4}},
        {"ZB-H2", order_of(Schedule::zb_h2, 4, 8), 27, 24, {7, 7, 7, 7}},
        {"interleaved", order_of(Schedule::interleaved, 4, 8, 2), 57, 57, {11, 9, 7, 5}},
        {"interleaved, short last group", order_of(Schedule::interleaved, 4, 10, 2, 4), 60 + 19, 0, {11, 9, 7, 5}},
        {"interleaved zero bubble", order_of(Schedule::interleaved_zb, 4, 8, 2), 51, 0, {8, 8, 8, 8}},
        {"ZB-V", order_of(Schedule::zb_v, 4, 8, 2), 51, 48, {8, 8, 8, 8}},
        {"DualPipeV", order_of(Schedule::dualpipe_v, 4, 10, 2), 66, 0, {9, 9, 9, 9}},
        {"DualPipe as drawn", order_of(Schedule::dualpipe, 8, 20), 66, 0, {9, 9, 9, 9, 9, 9, 9, 9}},
        {"Chimera", order_of(Schedule::chimera, 4, 4), 16, 0, {3, 4, 4, 3}},
        {"Seq1F1B", order_of(Schedule::seq1f1b, 4, 4, 4), 57, 0, {7, 6, 5, 4}},
    };
    for (const UnitCase &one : cases) {
        const Timeline timeline = unit_times(one.order);
        EXPECT_DOUBLE_EQ(timeline.makespan, one.makespan) << one.name;
        if (one.span > 0) {
            EXPECT_DOUBLE_EQ(timeline.span, one.span) << one.name;
        }
        EXPECT_EQ(std::vector<int>(timeline.peak_in_flight.begin(), timeline.peak_in_flight.end()), one.in_flight)
            << one.name;
    }
}

TEST(PipelineSimulation, ChimeraInUnitsOfStages) {
    const OperationOrder small = order_of(Schedule::chimera, 4, 4);
    EXPECT_DOUBLE_EQ(pipeline_times(small, uniform_work(small, 1, 0.5, 0.5)).makespan, 10);
    // Makespan of two consecutive units with F = 1 and B = 2: 30 on 4 stages, 66 on 8 (arXiv 2107.06925, direct
    // concatenation).
    EXPECT_DOUBLE_EQ(unit_times(order_of(Schedule::chimera, 4, 8)).makespan, 30);
    EXPECT_DOUBLE_EQ(unit_times(order_of(Schedule::chimera, 8, 16)).makespan, 66);
}

TEST(PipelineSimulation, AFasterBlockShortensDualPipeV) {
    const OperationOrder order = order_of(Schedule::dualpipe_v, 4, 10, 2);
    PipelineWork work = uniform_work(order, 1, 1, 1);
    work.block_seconds = 2.5;
    EXPECT_DOUBLE_EQ(pipeline_times(order, work).makespan, 59);
    work.block_seconds = 2;
    EXPECT_DOUBLE_EQ(pipeline_times(order, work).makespan, 52);
}

TEST(PipelineSimulation, VHalfAndVMinIdleAsTheirAuthorsFound) {
    const auto bubble = [](Schedule schedule, std::int64_t p) {
        const OperationOrder order = order_of(schedule, p, 64, 2);
        return unit_times(order).makespan - 6 * 64;
    };
    const auto peak = [](Schedule schedule, std::int64_t p) {
        const std::vector<std::int64_t> peaks = peak_in_flight(order_of(schedule, p, 64, 2));
        return *std::max_element(peaks.begin(), peaks.end());
    };
    for (const std::int64_t p : {4, 6, 8, 10, 12, 16}) {
        EXPECT_DOUBLE_EQ(bubble(Schedule::v_half, p), 3.0 * static_cast<double>(p) - 7) << p;
        EXPECT_EQ(peak(Schedule::v_half, p), p + 2);
    }
    for (const std::int64_t p : {3, 5, 7, 9}) {
        EXPECT_DOUBLE_EQ(bubble(Schedule::v_half, p), 3.0 * static_cast<double>(p) - 4) << p;
        EXPECT_EQ(peak(Schedule::v_half, p), p + 1);
    }
    constexpr std::array<std::array<std::int64_t, 3>, 7> v_min{
        {{2, 3, 4}, {4, 11, 4}, {6, 17, 6}, {8, 27, 8}, {10, 35, 8}, {12, 41, 10}, {16, 59, 12}}};
    for (const auto &[p, units, held] : v_min) {
        EXPECT_DOUBLE_EQ(bubble(Schedule::v_min, p), static_cast<double>(units)) << p;
        EXPECT_EQ(peak(Schedule::v_min, p), held) << p;
    }
}

/// Table 5 of arXiv 2401.10241, for the times of its table 9: idle fraction of the longest span, in units of 1/10,000.
struct ZeroBubbleCase {
    std::int64_t microbatches;
    double forward, input_gradient, weight_gradient, hop; ///< milliseconds
    std::array<int, 5> published; ///< 1F1B, ZB-H1, ZB-H2, ZB-1p, ZB-2p
};

TEST(PipelineSimulation, GivesTheZeroBubblePapersTableToFourDecimals) {
    constexpr std::array<ZeroBubbleCase, 6> cases{{
        {24, 18.522, 18.086, 9.337, .601, {2431, 1585, 1083, 1585, 433}},
        {32, 18.513, 18.086, 9.331, .626, {1985, 1242, 837, 1242, 39}},
        {64, 18.546, 18.097, 9.321, .762, {1240, 674, 444, 674, 26}},
        {24, 29.718, 29.444, 19.927, .527, {2347, 1323, 698, 1323, 29}},
        {32, 29.802, 29.428, 19.530, .577, {1898, 1045, 559, 1045, 22}},
        {64, 29.935, 29.621, 19.388, .535, {1091, 554, 294, 554, 10}},
    }};
    constexpr std::array schedules{Schedule::one_f_one_b, Schedule::zb_h1, Schedule::zb_h2, Schedule::zb_1p,
                                   Schedule::zb_2p};
    for (const ZeroBubbleCase &one : cases)
        for (std::size_t i = 0; i < schedules.size(); ++i) {
            const OperationOrder order = operation_order({.schedule = schedules.at(i),
                                                          .ranks = 8,
                                                          .microbatches = one.microbatches,
                                                          .forward = one.forward,
                                                          .input_gradient = one.input_gradient,
                                                          .weight_gradient = one.weight_gradient,
                                                          .hop = one.hop});
            const PipelineTimes times = pipeline_times(
                order, uniform_work(order, one.forward, one.input_gradient, one.weight_gradient, one.hop));
            EXPECT_EQ(std::lround(1e4 * (times.span - times.ideal) / times.span), one.published.at(i))
                << name_of(schedules.at(i)) << " " << one.microbatches;
        }
}

/// Compares the closed forms of makespan and span with executed orders, under the conditions stated for the forms.
RC_GTEST_PROP(PipelineSimulation, AgreesWithTheClosedFormsWhereTheyHold, ()) {
    const Schedule schedule = *rc::gen::element(Schedule::gpipe, Schedule::one_f_one_b, Schedule::zb_h1,
                                                Schedule::zb_h2, Schedule::interleaved);
    const std::int64_t p = *rc::gen::inRange(2, 9);
    const std::int64_t v = schedule == Schedule::interleaved ? *rc::gen::inRange(2, 4) : 1;
    const std::int64_t m = p * *rc::gen::inRange(2, 6);
    const double forward = *rc::gen::inRange(8, 24);
    const double input = *rc::gen::inRange(8, 24);
    const double weight = *rc::gen::inRange(4, static_cast<int>(std::min(forward, input)) + 1);
    const PipelineShape shape{.schedule = schedule,
                              .stages = p,
                              .microbatches = m,
                              .chunks = v,
                              .group = p,
                              .forward = forward * static_cast<double>(v),
                              .input_gradient = input * static_cast<double>(v),
                              .weight_gradient = weight * static_cast<double>(v)};
    const OperationOrder order = order_of(schedule, p, m, v);
    const PipelineTimes times = pipeline_times(order, uniform_work(order, forward, input, weight));
    RC_ASSERT(std::abs(times.makespan - times.ideal - bubble_seconds(shape)) <= 1e-9 * times.makespan);
    RC_ASSERT(std::abs(times.span - times.ideal - span_bubble_seconds(shape)) <= 1e-9 * times.makespan);
}

RC_GTEST_PROP(PipelineSimulation, ZeroBubble2pComesNearTheSkewOfItsStarts, ()) {
    const std::int64_t p = *rc::gen::inRange(2, 9);
    const std::int64_t m = p * *rc::gen::inRange(4, 8);
    const double forward = *rc::gen::inRange(8, 24);
    const double input = *rc::gen::inRange(8, 24);
    const double weight = *rc::gen::inRange(4, static_cast<int>(std::min(forward, input)) + 1);
    const PipelineShape shape{.schedule = Schedule::zb_2p,
                              .stages = p,
                              .microbatches = m,
                              .forward = forward,
                              .input_gradient = input,
                              .weight_gradient = weight};
    const OperationOrder order = operation_order({.schedule = Schedule::zb_2p,
                                                  .ranks = p,
                                                  .microbatches = m,
                                                  .forward = forward,
                                                  .input_gradient = input,
                                                  .weight_gradient = weight});
    const PipelineTimes times = pipeline_times(order, uniform_work(order, forward, input, weight));
    const double idle = times.makespan - times.ideal;
    RC_ASSERT(idle >= bubble_seconds(shape) - 1e-9); // no order can start the last rank earlier
    RC_ASSERT(idle <= bubble_seconds(shape) + forward + input + weight);
}

TEST(PipelineSimulation, PlainOneFOneBCannotHideItsSends) {
    const auto extra = [](std::int64_t p, std::int64_t m) {
        const OperationOrder order = order_of(Schedule::one_f_one_b, p, m);
        return (pipeline_times(order, uniform_work(order, 1, 1, 1, 0.01)).makespan
                - pipeline_times(order, uniform_work(order, 1, 1, 1)).makespan)
            / 0.01;
    };
    EXPECT_NEAR(extra(4, 8), 16, 1e-6);
    EXPECT_NEAR(extra(8, 24), 54, 1e-6);
    EXPECT_NEAR(extra(16, 64), 148, 1e-6);
}

/// Random work in which all stages differ.
PipelineWork random_work(const OperationOrder &order) {
    PipelineWork work;
    const auto some = [](int most) { return *rc::gen::inRange(0, most) / 8.0; };
    for (std::int64_t stage = 0; stage < order.stages; ++stage)
        work.stages.push_back(
            {.forward = {.compute = 0.125 + some(40), .tensor = some(8), .expert = some(8)},
             .input_gradient = {.compute = 0.125 + some(40), .recompute = some(16), .expert = some(8)},
             .weight_gradient = {.compute = some(40), .context = some(4)},
             .activation_bytes = 1 + some(8),
             .weight_gradient_bytes = some(8)});
    for (std::int64_t rank = 0; rank < order.ranks; ++rank)
        work.collectives.push_back({.gather_seconds = 2,
                                    .gather_exposed_seconds = some(10),
                                    .reduce_seconds = 2,
                                    .reduce_exposed_seconds = some(10)});
    work.hop_latency_seconds = some(10);
    work.hop_transfer_seconds = some(4);
    work.sending = *rc::gen::element(Sending::asynchronous, Sending::blocking);
    work.hidden_expert_share = *rc::gen::inRange(0, 9) / 8.0;
    return work;
}

OperationOrder random_order() {
    const std::int64_t p = *rc::gen::inRange(1, 9);
    const std::int64_t m = *rc::gen::inRange(1, 20);
    switch (*rc::gen::inRange(0, 7)) {
    case 0:
        return order_of(Schedule::gpipe, p, m);
    case 1:
        return order_of(Schedule::interleaved, p, p * m, 3);
    case 2:
        return order_of(Schedule::zb_h1, p, m);
    case 3:
        return order_of(Schedule::v_half, p, m, 2);
    case 4:
        return order_of(Schedule::dualpipe_v, p, 2 * p + m, 2);
    case 5:
        return order_of(Schedule::chimera, 2 * p, 2 * m);
    default:
        return order_of(Schedule::seq1f1b, p, m, 3);
    }
}

RC_GTEST_PROP(PipelineSimulation, TheTimelineAndTheTimesAgreeToTheBit, ()) {
    const OperationOrder order = random_order();
    const PipelineWork work = random_work(order);
    const Timeline timeline = simulate(order, work);
    const PipelineTimes times = pipeline_times(order, work);
    RC_ASSERT(timeline.makespan == times.makespan);
    RC_ASSERT(timeline.span == times.span);
    RC_ASSERT(timeline.ideal == times.ideal);
    RC_ASSERT(timeline.step_seconds == times.step_seconds);
    const std::vector<std::int64_t> peaks = peak_in_flight(order);
    for (std::size_t rank = 0; rank < peaks.size(); ++rank)
        RC_ASSERT(timeline.peak_in_flight[rank] == peaks[rank]);
}

RC_GTEST_PROP(PipelineSimulation, NothingStartsBeforeWhatItNeeds, ()) {
    const OperationOrder order = random_order();
    const Timeline timeline = simulate(order, random_work(order));
    for (std::size_t i = 0; i < order.operations.size(); ++i) {
        RC_ASSERT(timeline.end[i] >= timeline.start[i]);
        const std::uint32_t producer = timeline.producer[i];
        if (producer == no_operation)
            continue;
        RC_ASSERT(timeline.start[i] >= timeline.end[producer]);
        if (!std::isnan(timeline.arrival[producer]) && timeline.receiver[producer] == i)
            RC_ASSERT(timeline.start[i] >= timeline.arrival[producer]);
    }
}

RC_GTEST_PROP(PipelineSimulation, BusyAndIdleTimesFillEveryRank, ()) {
    const OperationOrder order = random_order();
    const Timeline timeline = simulate(order, random_work(order));
    for (std::int64_t rank = 0; rank < order.ranks; ++rank) {
        double idle = 0;
        double last = 0;
        for (const IdleInterval &interval : idle_intervals(order, timeline, rank)) {
            RC_ASSERT(interval.start >= last);
            RC_ASSERT(interval.end > interval.start);
            last = interval.end;
            idle += interval.end - interval.start;
        }
        const double busy = timeline.busy_seconds[static_cast<std::size_t>(rank)];
        RC_ASSERT(std::abs(idle + busy - timeline.makespan) <= 1e-9 * timeline.makespan);
    }
}

/// With four equal stages of 1F1B, eight microbatches, F = 1 and B = 2, each rank is busy for 24 of 33. The rest is
/// warm-up and drain, except for the time that middle ranks wait for each other.
TEST(PipelineSimulation, IdleTimeOfAllRanksIsWhatTheirBusyTimeLeaves) {
    const OperationOrder order = operation_order({.schedule = Schedule::one_f_one_b, .ranks = 4, .microbatches = 8});
    const IdleShares even = idle_shares(order, simulate(order, uniform_work(order, 1, 1, 1)));
    EXPECT_NEAR(even.of_all_ranks(), 9.0 / 33, 1e-12);
    EXPECT_EQ(even.sends, 0);
    // With one stage three times as slow, the other ranks wait for it, which counts as imbalance and not as bubble.
    PipelineWork uneven = uniform_work(order, 1, 1, 1);
    uneven.stages[3].forward.compute = uneven.stages[3].input_gradient.compute =
        uneven.stages[3].weight_gradient.compute = 3;
    const Timeline timeline = simulate(order, uneven);
    const IdleShares slow = idle_shares(order, timeline);
    EXPECT_NEAR(slow.of_all_ranks(), 1 - (3 * 24 + 72) / (4 * timeline.makespan), 1e-12);
    EXPECT_NEAR(slow.imbalance, 2.0 / 9, 1e-12);
    EXPECT_LT(timeline.bubble_of_total(), 0.15);
}

RC_GTEST_PROP(PipelineSimulation, TheCriticalPathReachesFromTheStartToTheEnd, ()) {
    const OperationOrder order = random_order();
    PipelineWork work = random_work(order);
    work.sending = Sending::asynchronous;
    work.hop_transfer_seconds = 0;
    const Timeline timeline = simulate(order, work);
    double covered = 0;
    for (const std::uint32_t i : timeline.critical_path) {
        RC_ASSERT(timeline.start[i] >= covered);
        RC_ASSERT(timeline.start[i] <= covered + work.hop_latency_seconds);
        covered = timeline.end[i];
    }
    RC_ASSERT(timeline.start[timeline.critical_path.front()] == 0.0);
    RC_ASSERT(covered == timeline.makespan);
}

TEST(PipelineSimulation, ExposedCausesAreWhatTheStepLosesWithoutThem) {
    const OperationOrder order = order_of(Schedule::one_f_one_b, 4, 8);
    PipelineWork work = uniform_work(order, 1, 1, 1, 0.25);
    for (StageWork &stage : work.stages)
        stage.forward.tensor = 0.5;
    work.collectives.assign(4, {.reduce_seconds = 3, .reduce_exposed_seconds = 2});
    const ExposedCauses causes = exposed_by_cause(order, work);
    EXPECT_DOUBLE_EQ(causes.sends, 16 * 0.25);
    EXPECT_DOUBLE_EQ(causes.tensor, 11 * 0.5); // once per microbatch and once per stage of the fill
    EXPECT_DOUBLE_EQ(causes.data, 2); // the first rank ends last
    EXPECT_DOUBLE_EQ(causes.expert, 0);
}

TEST(PipelineSimulation, BlockingSendsCostMoreThanAsynchronousOnes) {
    const OperationOrder order = order_of(Schedule::interleaved, 4, 8, 2);
    PipelineWork work = uniform_work(order, 1, 1, 1, 0.25);
    const double asynchronous = pipeline_times(order, work).makespan;
    work.sending = Sending::blocking;
    EXPECT_GT(pipeline_times(order, work).makespan, asynchronous);
}

TEST(PipelineSimulation, AStageThatIsSlowerHoldsAllUp) {
    const OperationOrder order = order_of(Schedule::one_f_one_b, 4, 16);
    PipelineWork work = uniform_work(order, 1, 1, 1);
    work.stages[2].forward.compute = 2;
    const Timeline timeline = simulate(order, work);
    EXPECT_DOUBLE_EQ(timeline.ideal, 16 * 4);
    const std::vector<IdleInterval> idle = idle_intervals(order, timeline, 0);
    EXPECT_TRUE(std::any_of(idle.begin(), idle.end(),
                            [](const IdleInterval &interval) { return interval.cause == IdleCause::imbalance; }));
}

TEST(PipelineSimulation, RefusesTimesThatAreNone) {
    const OperationOrder order = order_of(Schedule::gpipe, 2, 2);
    PipelineWork work = uniform_work(order, -1, 1, 1);
    EXPECT_THROW(pipeline_times(order, work), InputError);
    work = uniform_work(order, std::nan(""), 1, 1);
    EXPECT_THROW(simulate(order, work), InputError);
    work = uniform_work(order, 1, 1, 1);
    work.stages.pop_back();
    EXPECT_THROW(pipeline_times(order, work), InputError);
}

} // namespace
} // namespace meshwright

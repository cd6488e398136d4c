// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/closed_forms.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace meshwright {
namespace {

constexpr double exactly = 1e-9;

double ideal(const PipelineShape &shape) {
    return static_cast<double>(shape.microbatches) * (shape.forward + shape.input_gradient + shape.weight_gradient);
}

double makespan(const PipelineShape &shape, bool overlapped = true) {
    return ideal(shape) + bubble_seconds(shape) + send_seconds(shape, overlapped);
}

/// F = I = W = 1 for each chunk.
PipelineShape unit_shape(Schedule schedule, std::int64_t stages, std::int64_t microbatches, std::int64_t chunks = 1) {
    const auto rank = static_cast<double>(chunks);
    return {.schedule = schedule,
            .stages = stages,
            .microbatches = microbatches,
            .chunks = chunks,
            .group = stages,
            .forward = rank,
            .input_gradient = rank,
            .weight_gradient = rank};
}

struct UnitCase {
    const char *name;
    PipelineShape shape;
    double makespan;
    double span;
    std::vector<std::int64_t> in_flight;
};

/// Values from the schedules' original schedulers; one chunk or slice takes one unit. The units of seq1f1b are slices.
TEST(UnitTimes, GiveTheMakespansAndPeaksOfTheOriginalSchedulers) {
    using enum Schedule;
    const std::vector<UnitCase> cases{
        {"GPipe", unit_shape(gpipe, 4, 8), 33, 33, {8, 8, 8, 8}},
        {"1F1B", unit_shape(one_f_one_b, 4, 8), 33, 33, {4, 3, 2, 1}},
        {"ZB-H1", unit_shape(zb_h1, 4, 8), 27, 27, {4, 4, 4, 4}},
        {"ZB-H2", unit_shape(zb_h2, 4, 8), 27, 24, {7, 7, 7, 7}},
        {"interleaved", unit_shape(interleaved, 4, 8, 2), 57, 57, {11, 9, 7, 5}},
        {"interleaved zero bubble", unit_shape(interleaved_zb, 4, 8, 2), 51, 51, {8, 8, 8, 8}},
        {"ZB-V", unit_shape(zb_v, 4, 8, 2), 51, 48, {8, 8, 8, 8}},
        {"DualPipeV", unit_shape(dualpipe_v, 4, 10, 2), 66, 66, {9, 9, 9, 9}},
        {"Seq1F1B", unit_shape(seq1f1b, 4, 4, 4), 57, 57, {7, 6, 5, 4}},
    };
    for (const UnitCase &test : cases) {
        EXPECT_NEAR(makespan(test.shape), test.makespan, exactly) << test.name;
        EXPECT_NEAR(ideal(test.shape) + span_bubble_seconds(test.shape), test.span, exactly) << test.name;
        EXPECT_EQ(in_flight(test.shape), test.in_flight) << test.name;
    }
}

PipelineShape chimera(std::int64_t stages, std::int64_t microbatches, double forward, double backward) {
    return {.schedule = Schedule::chimera,
            .stages = stages,
            .microbatches = microbatches,
            .forward = forward,
            .input_gradient = backward / 2,
            .weight_gradient = backward / 2};
}

TEST(Chimera, WithEqualPassesTakesTwoNPlusDMinusTwo) {
    EXPECT_NEAR(makespan(chimera(4, 4, 1, 1)), 10, exactly);
    EXPECT_NEAR(makespan(chimera(8, 16, 1, 1)), 2 * 16 + 8 - 2, exactly);
    EXPECT_EQ(in_flight(chimera(4, 4, 1, 1)), (std::vector<std::int64_t>{3, 4, 4, 3}));
}

TEST(Chimera, WithATwiceAsLongBackwardPassLosesMoreForEachFurtherUnit) {
    EXPECT_NEAR(makespan(chimera(4, 4, 1, 2)), 16, exactly);
    EXPECT_NEAR(bubble_seconds(chimera(8, 8, 1, 2)) / makespan(chimera(8, 8, 1, 2)), 6.0 / (1.5 * 8 + 6), exactly);
    EXPECT_NEAR(makespan(chimera(4, 8, 1, 2)), 30, exactly);
    EXPECT_NEAR(makespan(chimera(8, 16, 1, 2)), 66, exactly);
}

TEST(DualPipe, OfEightRanksAndTwentyMicrobatchesTakes66WithSixIdle) {
    const PipelineShape shape = unit_shape(Schedule::dualpipe, 8, 20);
    EXPECT_NEAR(makespan(shape), 66, exactly);
    EXPECT_NEAR(bubble_seconds(shape), 6, exactly);
    EXPECT_EQ(in_flight(shape), std::vector<std::int64_t>(8, 9));
}

TEST(VHalf, IdlesThreePMinusSevenChunksWhereStagesAreEven) {
    for (const std::int64_t p : {4, 6, 8, 16})
        EXPECT_NEAR(bubble_seconds(unit_shape(Schedule::v_half, p, 32, 2)), 3.0 * static_cast<double>(p) - 7, exactly);
    for (const std::int64_t p : {3, 5, 7})
        EXPECT_NEAR(bubble_seconds(unit_shape(Schedule::v_half, p, 32, 2)), 3.0 * static_cast<double>(p) - 4, exactly);
    EXPECT_EQ(in_flight(unit_shape(Schedule::v_half, 8, 32, 2)), std::vector<std::int64_t>(8, 10));
    EXPECT_EQ(in_flight(unit_shape(Schedule::v_half, 7, 32, 2)), std::vector<std::int64_t>(7, 8));
}

TEST(VMin, IdlesAsTheOriginalGeneratorDoes) {
    const std::vector<std::tuple<std::int64_t, double, std::int64_t>> rows{
        {2, 3, 4}, {4, 11, 4}, {6, 17, 6}, {8, 27, 8}, {10, 35, 8}, {12, 41, 10}, {16, 59, 12}};
    for (const auto &[p, idle, held] : rows) {
        EXPECT_NEAR(bubble_seconds(unit_shape(Schedule::v_min, p, 64, 2)), idle, exactly) << p;
        EXPECT_EQ(in_flight(unit_shape(Schedule::v_min, p, 64, 2)).front(), held) << p;
    }
}

TEST(Sends, OfPlain1F1BCostTwoHopsForEachStageAndMicrobatch) {
    const auto hops = [](std::int64_t p, std::int64_t m) {
        PipelineShape shape = unit_shape(Schedule::one_f_one_b, p, m);
        shape.hop = 1;
        return send_seconds(shape, true);
    };
    EXPECT_NEAR(hops(4, 8), 16, exactly);
    EXPECT_NEAR(hops(8, 24), 54, exactly);
    EXPECT_NEAR(hops(16, 64), 148, exactly);
}

TEST(Bubble, OfSplitBackwardPassesWithFewMicrobatches) {
    // With at most one microbatch per stage, 1F1B takes (m + p - 1)(F + I + W).
    PipelineShape shape = unit_shape(Schedule::one_f_one_b, 8, 4);
    shape.input_gradient = 1.3;
    EXPECT_NEAR(makespan(shape), (4 + 8 - 1) * (1 + 1.3 + 1), exactly);
}

struct PaperRow {
    std::int64_t stages, chunks, microbatches;
    double forward, input_gradient, weight_gradient, hop; ///< ms
    double one_f_one_b, interleaved, h1, h2, one_p, two_p; ///< published idle fraction of the span
};

/// Zero Bubble, arXiv 2401.10241, inputs of table 9 and results of table 5.
const std::vector<PaperRow> &zero_bubble_table() {
    static const std::vector<PaperRow> rows{
        {8, 3, 24, 18.522, 18.086, 9.337, .601, .2431, .1055, .1585, .1083, .1585, .0433},
        {8, 3, 32, 18.513, 18.086, 9.331, .626, .1985, .0818, .1242, .0837, .1242, .0039},
        {8, 3, 64, 18.546, 18.097, 9.321, .762, .1240, .0443, .0674, .0444, .0674, .0026},
        {8, 4, 24, 29.718, 29.444, 19.927, .527, .2347, .0808, .1323, .0698, .1323, .0029},
        {8, 4, 32, 29.802, 29.428, 19.530, .577, .1898, .0628, .1045, .0559, .1045, .0022},
        {8, 4, 64, 29.935, 29.621, 19.388, .535, .1091, .0320, .0554, .0294, .0554, .0010}};
    return rows;
}

double span_share(const PaperRow &row, Schedule schedule, std::int64_t chunks) {
    const PipelineShape shape{.schedule = schedule,
                              .stages = row.stages,
                              .microbatches = row.microbatches,
                              .chunks = chunks,
                              .group = row.stages,
                              .forward = row.forward,
                              .input_gradient = row.input_gradient,
                              .weight_gradient = row.weight_gradient,
                              .hop = row.hop};
    const double idle = span_bubble_seconds(shape) + send_seconds(shape, true);
    return idle / (ideal(shape) + idle);
}

TEST(ZeroBubblePaper, PrintsTheIdleShareOf1F1BAndOfTheHandcraftedSchedules) {
    for (const PaperRow &row : zero_bubble_table()) {
        EXPECT_NEAR(span_share(row, Schedule::one_f_one_b, 1), row.one_f_one_b, 5.1e-5) << row.microbatches;
        EXPECT_NEAR(span_share(row, Schedule::zb_h1, 1), row.h1, 5.1e-5) << row.microbatches;
        EXPECT_NEAR(span_share(row, Schedule::zb_h2, 1), row.h2, 5.1e-5) << row.microbatches;
        EXPECT_NEAR(span_share(row, Schedule::zb_1p, 1), row.one_p, 5.1e-5) << row.microbatches;
    }
}

/// The paper counts (2pv - p - 2) hops of the interleaved schedule, a simulation of its dependencies 2(pv - 1), which
/// is used here. The idle fraction of the span is therefore 0.0007 to 0.0037 higher.
TEST(ZeroBubblePaper, PrintsLessForInterleavingThanItsDependenciesAllow) {
    for (const PaperRow &row : zero_bubble_table()) {
        const double more = span_share(row, Schedule::interleaved, row.chunks) - row.interleaved;
        EXPECT_GT(more, 0.0007) << row.microbatches;
        EXPECT_LT(more, 0.0037) << row.microbatches;
    }
}

/// ZB-2p searches for an order within twice the memory. The closed form is for ZB-H2, its starting point, and
/// overstates the idle fraction: by 0.065 if W is half of F, and by at most 0.067.
TEST(ZeroBubblePaper, FindsBetterOrdersThanZbH2ByAtMostSevenPercentOfTheSpan) {
    for (const PaperRow &row : zero_bubble_table()) {
        const double more = span_share(row, Schedule::zb_2p, 1) - row.two_p;
        EXPECT_GT(more, 0) << row.microbatches;
        EXPECT_LT(more, 0.0801) << row.microbatches;
    }
}

rc::Gen<PipelineShape> shapes() {
    return rc::gen::exec([] {
        const auto schedule = static_cast<Schedule>(*rc::gen::inRange(0, 16));
        const bool folded = schedule == Schedule::zb_v || schedule == Schedule::v_half || schedule == Schedule::v_min
            || schedule == Schedule::dualpipe_v;
        const bool chunked = schedule == Schedule::interleaved || schedule == Schedule::looped_bfs
            || schedule == Schedule::interleaved_zb || schedule == Schedule::seq1f1b;
        const std::int64_t stages = 2 * *rc::gen::inRange<std::int64_t>(1, 17);
        const auto time = [] { return 0.01 * static_cast<double>(*rc::gen::inRange(1, 500)); };
        return PipelineShape{.schedule = schedule,
                             .stages = stages,
                             .microbatches = stages * *rc::gen::inRange<std::int64_t>(2, 9),
                             .chunks = folded ? 2
                                 : chunked    ? *rc::gen::inRange<std::int64_t>(1, 5)
                                              : 1,
                             .group = stages,
                             .forward = time(),
                             .input_gradient = time(),
                             .weight_gradient = time(),
                             .hop = 0.01 * static_cast<double>(*rc::gen::inRange(0, 50))};
    });
}

RC_GTEST_PROP(AnySchedule, IdlesForAFiniteTimeThatIsNotNegative, ()) {
    const PipelineShape shape = *shapes();
    RC_ASSERT(bubble_seconds(shape) >= 0);
    RC_ASSERT(span_bubble_seconds(shape) >= 0);
    RC_ASSERT(span_bubble_seconds(shape) <= bubble_seconds(shape));
    RC_ASSERT(send_seconds(shape, true) >= 0);
    RC_ASSERT(send_seconds(shape, true) <= send_seconds(shape, false));
}

RC_GTEST_PROP(AnySchedule, IdlesForASmallerShareWithMoreMicrobatches, ()) {
    PipelineShape shape = *shapes();
    const double few = (bubble_seconds(shape) + send_seconds(shape, true)) / ideal(shape);
    shape.microbatches *= 2;
    const double many = (bubble_seconds(shape) + send_seconds(shape, true)) / ideal(shape);
    RC_ASSERT(many <= few * (1 + 1e-12));
}

RC_GTEST_PROP(AnySchedule, HoldsFromOneChunkToAllThatThereAre, ()) {
    const PipelineShape shape = *shapes();
    for (const std::int64_t held : in_flight(shape)) {
        RC_ASSERT(held >= 1);
        RC_ASSERT(held <= shape.microbatches * shape.chunks);
    }
}

RC_GTEST_PROP(AnySchedule, HasEveryVirtualStageOnOneRankOrOnTwo, ()) {
    const PipelineShape shape = *shapes();
    const bool both_ways = shape.schedule == Schedule::dualpipe || shape.schedule == Schedule::chimera;
    const std::int64_t chunks = shape.schedule == Schedule::seq1f1b ? 1 : shape.chunks;
    std::vector<std::int64_t> held;
    for (std::int64_t rank = 0; rank < shape.stages; ++rank)
        for (const std::int64_t stage : stages_of_rank(shape.schedule, shape.stages, chunks, rank))
            held.push_back(stage);
    std::sort(held.begin(), held.end());
    const std::int64_t copies = both_ways ? 2 : 1;
    std::vector<std::int64_t> expected(static_cast<std::size_t>(shape.stages * chunks * copies));
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = static_cast<std::int64_t>(i) / copies;
    RC_ASSERT(held == expected);
}

RC_GTEST_PROP(AnySchedule, HasNoBubbleOnOneStage, ()) {
    PipelineShape shape = *shapes();
    shape.stages = 1;
    RC_ASSERT(bubble_seconds(shape) == 0);
    RC_ASSERT(send_seconds(shape, true) == 0);
}

TEST(Interleaving, HoldsMoreThan1F1BByPMinusOneOverPV) {
    for (const std::int64_t v : {2, 4, 8}) {
        const auto held = static_cast<double>(in_flight(unit_shape(Schedule::interleaved, 8, 64, v)).front());
        const double microbatches = held / static_cast<double>(v);
        EXPECT_NEAR(microbatches / 8, 1 + 7.0 / (8 * static_cast<double>(v)), exactly);
    }
}

} // namespace
} // namespace meshwright

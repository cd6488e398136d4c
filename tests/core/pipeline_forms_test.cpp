// SPDX-License-Identifier: GPL-3.0-or-later
// Compares closed forms of schedules with their executed orders, each under the conditions stated for it.
#include "formulas/pipeline.h"
#include "input/diagnostic.h"
#include "pipeline/closed_forms.h"
#include "pipeline/order_text.h"
#include "pipeline/simulation.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshwright {
namespace {

/// Times per operation of one chunk; integers keep sums exact.
struct Times {
    double forward = 1;
    double input = 1;
    double weight = 1;
    double hop = 0;
    double all() const { return forward + input + weight; }
};

struct Executed {
    OperationOrder order;
    PipelineTimes times;
    double idle() const { return times.makespan - times.ideal; }
};

Executed executed(const OrderRequest &request, const Times &times, double block = -1) {
    OrderRequest timed = request;
    timed.forward = times.forward;
    timed.input_gradient = times.input;
    timed.weight_gradient = times.weight;
    timed.hop = times.hop;
    Executed run{.order = operation_order(timed), .times = {}};
    PipelineWork work = uniform_work(run.order, times.forward, times.input, times.weight, times.hop);
    work.block_seconds = block;
    run.times = pipeline_times(run.order, work);
    return run;
}

double of(std::int64_t number) {
    return static_cast<double>(number);
}

/// Random times in which the weight gradient takes no longer than the forward pass or the input gradient.
Times some_times() {
    const double forward = *rc::gen::inRange(8, 24);
    const double input = *rc::gen::inRange(8, 24);
    return {.forward = forward,
            .input = input,
            .weight = static_cast<double>(*rc::gen::inRange(4, static_cast<int>(std::min(forward, input)) + 1)),
            .hop = static_cast<double>(*rc::gen::inRange(0, 2))}; // short enough to be hidden by a weight gradient
}

bool is_near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

RC_GTEST_PROP(PipelineForms, HoldWithSendsThatTakeTime, ()) {
    const Schedule schedule = *rc::gen::element(Schedule::gpipe, Schedule::one_f_one_b, Schedule::zb_h1,
                                                Schedule::zb_h2, Schedule::interleaved);
    const std::int64_t p = *rc::gen::inRange(2, 9);
    const std::int64_t v = schedule == Schedule::interleaved ? *rc::gen::inRange(2, 4) : 1;
    const std::int64_t m = p * *rc::gen::inRange(2, 6);
    const Times times = some_times();
    const Executed run = executed({.schedule = schedule, .ranks = p, .microbatches = m, .chunks = v}, times);
    const PipelineShape shape{.schedule = schedule,
                              .stages = p,
                              .microbatches = m,
                              .chunks = v,
                              .group = p,
                              .forward = times.forward * of(v),
                              .input_gradient = times.input * of(v),
                              .weight_gradient = times.weight * of(v),
                              .hop = times.hop};
    const double sends = send_seconds(shape, true);
    if (schedule == Schedule::zb_h1 || schedule == Schedule::zb_h2)
        RC_ASSERT(is_near(run.times.span - run.times.ideal, span_bubble_seconds(shape) + sends));
    else
        RC_ASSERT(is_near(run.idle(), bubble_seconds(shape) + sends));
}

RC_GTEST_PROP(PipelineForms, GroupsOfTwiceTheStagesHideTheWayRound, ()) {
    const std::int64_t p = *rc::gen::inRange(2, 7);
    const std::int64_t v = *rc::gen::inRange(2, 4);
    Times times = some_times();
    times.hop = *rc::gen::inRange(0, 2);
    const Executed run = executed(
        {.schedule = Schedule::interleaved, .ranks = p, .microbatches = 4 * p, .chunks = v, .group = 2 * p}, times);
    RC_ASSERT(is_near(run.idle(), of(p - 1) * times.all() + 2 * of(p - 1) * times.hop));
    RC_ASSERT(peak_in_flight(run.order).front() == 2 * (p - 1) + (v - 1) * 2 * p + 1);
}

/// Tests any number of microbatches that is at least the number of stages, in groups of a size that a plan may have.
RC_GTEST_PROP(PipelineForms, InterleavingIdlesAsLongWithEveryGroupThatItRunsWith, ()) {
    const std::int64_t p = *rc::gen::inRange(2, 9);
    const std::int64_t v = *rc::gen::inRange(2, 4);
    const std::int64_t m = p + *rc::gen::inRange(0, 40);
    std::int64_t group = p;
    while (m % group != 0 && m % group < p)
        ++group;
    Times times = some_times();
    times.hop = 0;
    const OrderRequest request{
        .schedule = Schedule::interleaved, .ranks = p, .microbatches = m, .chunks = v, .group = group};
    RC_ASSERT(is_near(executed(request, times).idle(), of(p - 1) * times.all()));
}

RC_GTEST_PROP(PipelineForms, BreadthFirstIdlesAsInterleavingDoesAndHoldsAll, ()) {
    const std::int64_t p = *rc::gen::inRange(2, 9);
    const std::int64_t v = *rc::gen::inRange(1, 4);
    const std::int64_t m = p + *rc::gen::inRange(0, 20);
    Times times = some_times();
    times.hop = 0;
    const Executed run =
        executed({.schedule = Schedule::looped_bfs, .ranks = p, .microbatches = m, .chunks = v}, times);
    RC_ASSERT(is_near(run.idle(), of(p - 1) * times.all()));
    for (const std::int64_t held : peak_in_flight(run.order))
        RC_ASSERT(held == m * v);
}

RC_GTEST_PROP(PipelineForms, InterleavedZeroBubbleIdlesForItsStartsAlone, ()) {
    const std::int64_t p = *rc::gen::inRange(2, 9);
    const std::int64_t v = *rc::gen::inRange(1, 4);
    const std::int64_t m = p * *rc::gen::inRange(1, 6);
    const Executed run =
        executed({.schedule = Schedule::interleaved_zb, .ranks = p, .microbatches = m, .chunks = v}, {});
    RC_ASSERT(is_near(run.idle(), of(p - 1)));
    for (const std::int64_t held : peak_in_flight(run.order))
        RC_ASSERT(held == p * v);
}

RC_GTEST_PROP(PipelineForms, ZeroBubbleVIdlesForItsStartsWithAnyNumberOfMicrobatches, ()) {
    const std::int64_t p = *rc::gen::inRange(2, 9);
    const std::int64_t m = *rc::gen::inRange(2, 40);
    const Executed run = executed({.schedule = Schedule::zb_v, .ranks = p, .microbatches = m, .chunks = 2}, {});
    const std::vector<std::int64_t> held = peak_in_flight(run.order);
    RC_ASSERT(*std::max_element(held.begin(), held.end()) <= 2 * p);
    if (m < 2 * p - 1) // fewer microbatches leave gaps
        return;
    RC_ASSERT(is_near(run.times.span, run.times.ideal));
    RC_ASSERT(is_near(run.idle(), of(p - 1)));
}

RC_GTEST_PROP(PipelineForms, DualPipeOfEqualFAndIHoldsForAnyWAndBlock, ()) {
    const std::int64_t p = 2 * *rc::gen::inRange<std::int64_t>(1, 6);
    const std::int64_t m = 2 * (p + *rc::gen::inRange(0, 10));
    const double F = *rc::gen::inRange(4, 12);
    const double W = *rc::gen::inRange(1, static_cast<int>(F) + 1);
    const double B = F + W;
    const double X = F + B - *rc::gen::inRange(0, static_cast<int>(F));
    const Executed run = executed({.schedule = Schedule::dualpipe, .ranks = p, .microbatches = m},
                                  {.forward = F, .input = F, .weight = W}, X);
    RC_ASSERT(
        is_near(run.times.makespan, of(m) * (F + B) - of(m - p - 1) * (F + B - X) + (of(p) / 2 - 1) * (X + B - 3 * W)));
}

RC_GTEST_PROP(PipelineForms, DualPipeVOfEqualFAndIHoldsForAnyWAndBlock, ()) {
    const std::int64_t p = *rc::gen::inRange(2, 8);
    const std::int64_t m = 2 * p + *rc::gen::inRange(0, 12);
    const double F = *rc::gen::inRange(4, 12);
    const double W = *rc::gen::inRange(1, static_cast<int>(F) + 1);
    const double B = F + W;
    const double X = F + B - *rc::gen::inRange(0, static_cast<int>(F));
    const Executed run = executed({.schedule = Schedule::dualpipe_v, .ranks = p, .microbatches = m, .chunks = 2},
                                  {.forward = F, .input = F, .weight = W}, X);
    RC_ASSERT(is_near(run.times.makespan,
                      2 * of(m) * (F + B) - of(2 * m - 2 * p - 1) * (F + B - X) + of(p - 1) * (X + B - 3 * W)));
}

RC_GTEST_PROP(PipelineForms, ChimeraOfOneUnitIdlesForDMinusTwoBackwardPasses, ()) {
    const std::int64_t D = 2 * *rc::gen::inRange<std::int64_t>(1, 9);
    const double F = 2;
    const double B = *rc::gen::element(2.0, 4.0);
    const Executed run = executed({.schedule = Schedule::chimera, .ranks = D, .microbatches = D},
                                  {.forward = F, .input = B / 2, .weight = B / 2});
    RC_ASSERT(is_near(run.idle(), of(D - 2) * B));
    const std::vector<std::int64_t> held = peak_in_flight(run.order);
    RC_ASSERT(*std::min_element(held.begin(), held.end()) == D / 2 + 1);
    RC_ASSERT(*std::max_element(held.begin(), held.end()) == D);
}

RC_GTEST_PROP(PipelineForms, SlicesOfASequenceIdleForPMinusOneOfThem, ()) {
    const std::int64_t p = *rc::gen::inRange(1, 9);
    const std::int64_t s = *rc::gen::inRange(1, 6);
    const std::int64_t m = p + *rc::gen::inRange(0, 12);
    Times times = some_times();
    times.hop = 0;
    const Executed run = executed({.schedule = Schedule::seq1f1b, .ranks = p, .microbatches = m, .chunks = s}, times);
    RC_ASSERT(is_near(run.times.makespan, (of(m) * of(s) + of(p) - 1) * times.all()));
    const std::vector<std::int64_t> held = peak_in_flight(run.order);
    for (std::int64_t rank = 0; rank < p; ++rank)
        RC_ASSERT(held[static_cast<std::size_t>(rank)] == std::min(m * s, p - 1 - rank + s));
}

/// Weight gradients fill the idle time of the drain. ZB-H2 has no bubble if two weight gradients fill it.
RC_GTEST_PROP(PipelineForms, HandcraftedZeroBubbleHoldsForWeightGradientsOfAnyLength, ()) {
    const Schedule schedule = *rc::gen::element(Schedule::zb_h1, Schedule::zb_h2);
    const std::int64_t p = *rc::gen::inRange(2, 9);
    const std::int64_t m = p * *rc::gen::inRange(2, 6);
    const Times times{.forward = static_cast<double>(*rc::gen::inRange(4, 24)),
                      .input = static_cast<double>(*rc::gen::inRange(4, 24)),
                      .weight = static_cast<double>(*rc::gen::inRange(1, 40))};
    const Executed run = executed({.schedule = schedule, .ranks = p, .microbatches = m}, times);
    const PipelineShape shape{.schedule = schedule,
                              .stages = p,
                              .microbatches = m,
                              .forward = times.forward,
                              .input_gradient = times.input,
                              .weight_gradient = times.weight};
    RC_ASSERT(is_near(run.idle(), bubble_seconds(shape)));
    RC_ASSERT(is_near(run.times.span - run.times.ideal, span_bubble_seconds(shape)));
}

TEST(PipelineForms, HandcraftedZeroBubbleAtItsLimits) {
    const auto span_idle = [](Schedule schedule, const Times &times) {
        const Executed run = executed({.schedule = schedule, .ranks = 6, .microbatches = 24}, times);
        return run.times.span - run.times.ideal;
    };
    EXPECT_DOUBLE_EQ(span_idle(Schedule::zb_h1, {.forward = 8, .input = 4, .weight = 8}), 5 * 4);
    EXPECT_DOUBLE_EQ(span_idle(Schedule::zb_h1, {.forward = 8, .input = 4, .weight = 9}), 5 * 4);
    EXPECT_DOUBLE_EQ(span_idle(Schedule::zb_h1, {.forward = 4, .input = 8, .weight = 8}), 5 * 8);
    EXPECT_DOUBLE_EQ(span_idle(Schedule::zb_h2, {.forward = 8, .input = 4, .weight = 7}), 0);
    EXPECT_DOUBLE_EQ(span_idle(Schedule::zb_h2, {.forward = 8, .input = 8, .weight = 6}), 5 * (16 - 12));
}

/// Peak memory of ZB-H1 is (p - r) M_B + r M_W, and peak memory of ZB-H2 is (2 (p - r) - 1) M_B + 2 r M_W.
TEST(PipelineForms, HandcraftedZeroBubbleHoldsWhatThePaperSays) {
    constexpr double M_B = 1;
    constexpr double M_W = 0.375;
    constexpr std::int64_t p = 6;
    const auto peaks = [](Schedule schedule) {
        const OperationOrder order = operation_order({.schedule = schedule, .ranks = p, .microbatches = 4 * p});
        PipelineWork work = uniform_work(order, 1, 1, 1);
        for (StageWork &stage : work.stages)
            stage.weight_gradient_bytes = M_W;
        return simulate(order, work).peak_bytes;
    };
    const std::vector<double> h1 = peaks(Schedule::zb_h1);
    const std::vector<double> h2 = peaks(Schedule::zb_h2);
    for (std::int64_t r = 0; r < p; ++r) {
        EXPECT_DOUBLE_EQ(h1[static_cast<std::size_t>(r)], of(p - r) * M_B + of(r) * M_W) << r;
        EXPECT_DOUBLE_EQ(h2[static_cast<std::size_t>(r)], of(2 * (p - r) - 1) * M_B + of(2 * r) * M_W) << r;
    }
}

/// With at most one microbatch per stage, 1F1B waits for whole backward passes, and zero-bubble schedules wait only for
/// input gradients.
RC_GTEST_PROP(PipelineForms, OfFewMicrobatches, ()) {
    const std::int64_t p = *rc::gen::inRange(1, 10);
    const std::int64_t m = *rc::gen::inRange<std::int64_t>(1, p + 1);
    Times times = some_times();
    times.hop = 0;
    const auto makespan = [&](Schedule schedule) {
        return executed({.schedule = schedule, .ranks = p, .microbatches = m}, times).times.makespan;
    };
    RC_ASSERT(is_near(makespan(Schedule::one_f_one_b), of(m + p - 1) * times.all()));
    RC_ASSERT(is_near(makespan(Schedule::zb_h1), of(m + p - 1) * (times.forward + times.input) + times.weight));
}

/// The zero-bubble paper's table for interleaving uses (2pv - p - 2) sends, which reproduces the printed fractions. The
/// dependencies require 2(pv - 1), as executed here.
TEST(PipelineForms, InterleavingInTheZeroBubblePapersTable) {
    struct Row {
        std::int64_t chunks, microbatches;
        double forward, input, weight, hop, published;
    };
    constexpr std::array<Row, 6> rows{{{3, 24, 18.522, 18.086, 9.337, .601, .1055},
                                       {3, 32, 18.513, 18.086, 9.331, .626, .0818},
                                       {3, 64, 18.546, 18.097, 9.321, .762, .0443},
                                       {4, 24, 29.718, 29.444, 19.927, .527, .0808},
                                       {4, 32, 29.802, 29.428, 19.530, .577, .0628},
                                       {4, 64, 29.935, 29.621, 19.388, .535, .0320}}};
    constexpr double p = 8;
    for (const Row &row : rows) {
        const double v = of(row.chunks);
        const Executed run = executed(
            {.schedule = Schedule::interleaved, .ranks = 8, .microbatches = row.microbatches, .chunks = row.chunks},
            {.forward = row.forward / v, .input = row.input / v, .weight = row.weight / v, .hop = row.hop});
        const double fill = (p - 1) * (row.forward + row.input + row.weight) / v;
        EXPECT_NEAR(run.idle(), fill + 2 * (p * v - 1) * row.hop, 1e-9 * run.times.makespan);
        const double printed = fill + (2 * p * v - p - 2) * row.hop;
        EXPECT_NEAR(printed / (run.times.ideal + printed), row.published, 5.1e-5) << row.microbatches;
    }
}

std::vector<std::string> rows_of(const OrderRequest &request) {
    const OperationOrder order = operation_order(request);
    std::vector<std::string> rows;
    for (std::int64_t rank = 0; rank < order.ranks; ++rank)
        rows.push_back(order_row(order, rank));
    return rows;
}

/// (p - 1) / (m v) holds where the microbatches are a multiple of the stages (Narayanan et al., section 2.2); otherwise
/// the calculator executes the schedule.
TEST(BubbleOfInterleaving, OutsideItsClosedFormIsExecuted) {
    const auto over_ideal = [](double stages, double microbatches, double chunks) {
        return formula::bubble_over_ideal(stages, microbatches, chunks);
    };
    constexpr std::array<std::pair<double, double>, 6> known{
        {{2, 7.25}, {4, 3.375}, {8, 1.4375}, {15, 48.0 / 90}, {16, 15.0 / 32}, {17, 96.0 / 102}}};
    for (const auto &[microbatches, bubble] : known)
        EXPECT_NEAR(over_ideal(16, microbatches, 2), bubble, 1e-12) << microbatches;
    for (const std::int64_t stages : {2, 3, 8})
        for (const std::int64_t chunks : {2, 3, 5})
            for (std::int64_t microbatches = 1; microbatches <= 2 * stages; ++microbatches) {
                if (microbatches > stages && microbatches % stages != 0)
                    continue;
                const OperationOrder order = operation_order({.schedule = Schedule::interleaved,
                                                              .ranks = stages,
                                                              .microbatches = microbatches,
                                                              .chunks = chunks});
                EXPECT_NEAR(over_ideal(double(stages), double(microbatches), double(chunks)),
                            simulate(order, uniform_work(order, 1, 1, 1)).bubble_of_ideal(), 1e-9)
                    << stages << " stages, " << microbatches << " microbatches, " << chunks << " chunks";
            }
}

TEST(MicrobatchesForABubble, AreTheFewestMultipleOfTheStagesThatExecutesBelowIt) {
    for (const std::int64_t stages : {4, 8})
        for (const std::int64_t chunks : {2, 4})
            for (const double wanted : {0.2, 0.05}) {
                const double answer = formula::microbatches_below_bubble(double(stages), double(chunks), wanted);
                const auto executed = [&](double microbatches) {
                    const OperationOrder order = operation_order({.schedule = Schedule::interleaved,
                                                                  .ranks = stages,
                                                                  .microbatches = std::int64_t(microbatches),
                                                                  .chunks = chunks});
                    return simulate(order, uniform_work(order, 1, 1, 1)).bubble_of_ideal();
                };
                EXPECT_EQ(std::fmod(answer, double(stages)), 0);
                EXPECT_LT(executed(answer), wanted);
                if (answer > double(stages)) {
                    EXPECT_GE(executed(answer - double(stages)), wanted - 1e-12);
                }
            }
}

/// With equal times, ZB-1p is identical to ZB-H1; ZB-2p has another order than ZB-H2 and the same span.
TEST(PipelineForms, SearchedZeroBubbleAtEqualTimes) {
    for (const std::int64_t p : {4, 8}) {
        const std::int64_t m = 3 * p;
        EXPECT_EQ(rows_of({.schedule = Schedule::zb_1p, .ranks = p, .microbatches = m}),
                  rows_of({.schedule = Schedule::zb_h1, .ranks = p, .microbatches = m}));
        const auto span = [&](Schedule schedule) {
            return executed({.schedule = schedule, .ranks = p, .microbatches = m}, {}).times.span;
        };
        EXPECT_DOUBLE_EQ(span(Schedule::zb_2p), span(Schedule::zb_h2));
    }
}

} // namespace
} // namespace meshwright

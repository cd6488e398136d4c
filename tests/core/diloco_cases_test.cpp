// SPDX-License-Identifier: GPL-3.0-or-later
// Published and derived figures of runs between sites that no other test holds, each from the formulas or the
// simulation that the planner uses.
#include "formulas/collectives.h"
#include "formulas/outer_loop.h"
#include "formulas/threshold.h"
#include "formulas/wan.h"
#include "outer/definition.h"
#include "outer/simulation.h"
#include "random_plans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr double weights = 144e9;

/// 72 sites, 144e9 weights, 128 steps of 25 s a round, 100 Mb/s each way, one bit a parameter each way.
Plan many_fragments() {
    Plan plan = preset_plan("ten-to-25");
    plan.outer.fragments = 563; // 512 MB of FP16 weights each
    plan.outer.overlap_steps = 1;
    plan.outer.up = plan.outer.down = {.bits = 4, .density = 0.25, .index = IndexEncoding::none};
    return plan;
}

TEST(WallClock, OfDilocoIsTheSumOfItsPartsInTheScalingLawsPaper) {
    // arXiv 2503.09799, appendix A: 2.4e9 weights, 48e9 tokens on 256 accelerators of 300 TFLOP/s, batches of 2^20
    // tokens, four replicas, H = 30, 400 Gb/s within and 10 Gb/s between them.
    constexpr double N = 2.4e9, D = 48e9, R = 256, Q = 3e14, B = 1048576, M = 4, H = 30, bits = 16;
    const double compute = formula::wall_clock_compute(N, D, R, Q, 6);
    const double inner = formula::wall_clock_inner(N, D, R, B, M, bits, 400e9, 1e-4);
    const double outer = formula::wall_clock_outer(N, D, R, B, H, bits, 10e9, 1e-2);
    EXPECT_NEAR(compute, 9000, 0.5);
    EXPECT_NEAR(inner, 8656, 0.5);
    EXPECT_NEAR(outer, 11'688, 0.5);
    EXPECT_NEAR(compute + inner + outer, 29'345, 1);
    // Data parallelism over the slow links synchronises in every step.
    EXPECT_NEAR(compute + formula::wall_clock_outer(N, D, R, B, 1, bits, 10e9, 1e-2), 359'647, 1);
}

TEST(LossLaws, PredictWhatTheScalingLawsPaperPrints) {
    // Observed: 2.326 with data parallelism, 2.351 with eight replicas.
    EXPECT_NEAR(formula::data_parallel_loss(2.4e9), 2.3144, 5e-5);
    EXPECT_NEAR(21.051 * std::pow(2.4e9, -0.1018), 2.3354, 5e-5); // the law of eight replicas alone
    EXPECT_NEAR(formula::diloco_loss(2.4e9, 2), 2.3090, 5e-5);
    EXPECT_NEAR(formula::diloco_loss(2.4e9, 8), 2.351, 0.01); // the joint law against what was observed
}

TEST(TopK, Of64In4096TakesLessThanAQuarterBit) {
    EXPECT_NEAR(formula::top_k_index_bound(4096, 64), 7.364, 5e-4);
    EXPECT_NEAR(formula::top_k_bits(4096, 64, 2, 12), 0.21875, 1e-12);
    EXPECT_NEAR(formula::top_k_compression(4096, 64, 2, 12), 146.29, 5e-3);
}

TEST(Ring, MeetsWhatFourMachinesMeasuredWithinTwoPercent) {
    // 30.8e6 FP32 weights between four machines at 992.7 Mb/s: 1.507 s measured.
    const double seconds = formula::wan_ring_seconds(4, 30.8e6 * 4, 992.7e6, 0);
    EXPECT_NEAR(seconds, 1.489, 5e-4);
    EXPECT_NEAR(seconds / 1.507, 1, 0.02);
}

TEST(Rounds, Of563FragmentsAreAtMost62PercentOfAStepLate) {
    const Plan plan = many_fragments();
    OuterTimeline timeline;
    const OuterRun run =
        simulate_outer(plan, weights, 25, 1, {.settling_rounds = 2, .rounds = 2, .watched_rounds = 2}, &timeline);
    EXPECT_NEAR(run.utilisation, 1, 1e-9);
    EXPECT_NEAR(run.uplink_load, 0.45, 1e-9);
    double latest = 0;
    for (const Journey &journey : timeline.journeys)
        latest = std::max(latest, journey.received - journey.released);
    EXPECT_NEAR(latest / 25, 0.618, 5e-4);
}

TEST(Rounds, OfTheDraftAre9934InAYear) {
    // 12e12 tokens by 72 sites of 32 sequences of 4096: 25 s a step take 367.93 days, 23 s 338.50.
    const double tokens_of_a_step = 32.0 * 4096;
    const double steps = 12e12 / (72 * tokens_of_a_step);
    EXPECT_NEAR(steps, 1'271'566, 0.5);
    EXPECT_NEAR(formula::outer_rounds(12e12, tokens_of_a_step, 72, 128), 9'934, 0.5);
    EXPECT_NEAR(steps * 25 / 86'400, 367.93, 5e-3);
    EXPECT_NEAR(steps * 23 / 86'400, 338.50, 5e-3);
}

TEST(Threshold, CountsWhatTheDefinitionCounts) {
    constexpr double h100 = 990e12;
    EXPECT_NEAR(formula::h100_equivalents(48, 312e12, h100), 15.127, 5e-4);
    EXPECT_NEAR(formula::h100_equivalents(16, 989.5e12, h100), 15.992, 5e-4);
    EXPECT_NEAR(formula::h100_equivalents(16, h100, h100), 16, 1e-12); // neither "more than" nor "less than" 16
    EXPECT_NEAR(formula::h100_equivalents(16, 2500e12, h100), 40.404, 5e-4);
    EXPECT_NEAR(formula::h100_equivalents(72.0 * 16, 989.5e12, h100), 1151.4, 0.05);
}

TEST(Definition, SaysOfItsPartsWhatTheyJoin) {
    const Plan plan = preset_plan("ten-to-25");
    const std::vector<DefinitionPart> parts = definition_parts(plan, 15.992, 1151.4, 16);
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_FALSE(parts[0].above); // a site alone
    EXPECT_FALSE(parts[1].joins); // 7.2 Gb/s of links are fewer than 25
    EXPECT_TRUE(parts[2].joins && parts[2].above); // but they train one model
    Plan faster = plan;
    faster.cluster.wan->uplink_bits_per_second = 1e9;
    EXPECT_TRUE(definition_parts(faster, 15.992, 1151.4, 16)[1].above);
    Plan alone = plan;
    alone.cluster.sites = 1;
    EXPECT_EQ(definition_parts(alone, 16.001, 16.001, 16).size(), 1U);
    EXPECT_TRUE(definition_parts(alone, 16.001, 16.001, 16)[0].above);
    EXPECT_FALSE(definition_parts(alone, 16, 16, 16)[0].above);
}

TEST(Timeline, SaysWhenRoundsBeginAndHowOldEachFragmentsAverageIs) {
    Plan plan = many_fragments();
    plan.outer.fragments = 36;
    plan.outer.overlap_steps = 4;
    plan.outer.up.index = plan.outer.down.index = IndexEncoding::bitmap;
    OuterTimeline timeline;
    const OuterRun run =
        simulate_outer(plan, weights, 25, 1, {.settling_rounds = 4, .rounds = 6, .watched_rounds = 3}, &timeline);
    const std::vector<double> starts = round_starts(timeline);
    ASSERT_EQ(starts.size(), 3U);
    EXPECT_NEAR(starts[2] - starts[1], run.round_seconds, 1e-6);
    const std::vector<double> staleness = staleness_by_fragment(timeline, 36);
    ASSERT_EQ(staleness.size(), 36U);
    for (const double steps : staleness)
        EXPECT_TRUE(steps > 0 && steps <= 4);
    for (const SiteSpan &span : timeline.spans) {
        if (span.activity == SiteActivity::compute) {
            EXPECT_NEAR(span.step_seconds, 25, 1e-12);
        }
    }
}

} // namespace
} // namespace meshwright

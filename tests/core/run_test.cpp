// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_model.h"

#include "evaluate/evaluate.h"
#include "formulas/threshold.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

TEST(Checkpoint, Holds14BytesAParameter) {
    Plan plan;
    EXPECT_EQ(checkpoint_bytes(plan, 1.0), 2 + 4 + 8);
    plan.precision.weights = DataType::fp32;
    plan.precision.master = DataType::none;
    EXPECT_EQ(checkpoint_bytes(plan, 1.0), 4 + 8);
}

/// 70e9 parameters on 100 accelerators that write 980 GB in 98 s and together fail once a day.
Plan daily_failure() {
    Plan plan;
    plan.cluster.tiers = {{"links", 100, 1e9, 0}};
    plan.faults = {.accelerator_mtbf_seconds = 86400.0 * 100,
                   .recovery_seconds = 98,
                   .checkpoint_bandwidth_bytes_per_second = 1e8};
    return plan;
}

TEST(CheckpointInterval, IsTheRootOfTwiceWriteTimesMtbf) {
    const Goodput good = goodput(daily_failure(), 70e9);
    EXPECT_NEAR(good.checkpoint_bytes, 980e9, 1);
    EXPECT_NEAR(good.mtbf_seconds, 86400, 1e-9);
    EXPECT_NEAR(good.checkpoint_interval_seconds, 4115.142767875739, 1e-9); // Young 1974: 68.5 minutes
    // Without recovery, the first-order waste at that interval is the square root of 2 x write / MTBF, 4.76%.
    const double waste = 1 / good.share - 1;
    EXPECT_NEAR(waste - 98.0 / 86400, 0.04762896722078402, 1e-12);
}

TEST(CheckpointInterval, ThatAPlanGivesIsTaken) {
    Plan plan = daily_failure();
    plan.faults.checkpoint_interval_seconds = 4110;
    EXPECT_EQ(goodput(plan, 70e9).checkpoint_interval_seconds, 4110);
}

TEST(CheckpointInterval, IsNeverShorterThanOneWrite) {
    Plan plan = daily_failure();
    for (const double blocking : {0.0, 1e-4, 0.1, 1.0}) {
        plan.faults.checkpoint_blocking_share = blocking;
        const Goodput good = goodput(plan, 70e9);
        EXPECT_NEAR(good.write_seconds, 98 * blocking, 1e-9);
        // Young's interval is 4,115 s times the square root of the fraction of a write that blocks.
        EXPECT_NEAR(good.checkpoint_interval_seconds, std::max(98.0, 4115.142767875739 * std::sqrt(blocking)), 1e-9);
    }
    plan.faults.checkpoint_interval_seconds = 10;
    EXPECT_NEAR(goodput(plan, 70e9).checkpoint_interval_seconds, 98, 1e-9);
}

TEST(CheckpointInterval, IsBoundedByWhatTheStoreTakes) {
    Plan plan = daily_failure();
    plan.faults.checkpoint_blocking_share = 0;
    plan.faults.checkpoint_store_bytes_per_second = 1e9; // 980 GB through 1 GB/s in total, not through 100 x 100 MB/s
    EXPECT_NEAR(goodput(plan, 70e9).checkpoint_interval_seconds, 980, 1e-9);
    plan.faults.checkpoint_store_bytes_per_second = 1e12;
    EXPECT_NEAR(goodput(plan, 70e9).checkpoint_interval_seconds, 98, 1e-9);
}

TEST(Failures, OfOneSiteStopThatSiteOnlyWhereAnOuterLoopJoinsThem) {
    Plan plan = daily_failure();
    plan.cluster.sites = 4;
    plan.outer.method = OuterMethod::data_parallel;
    EXPECT_NEAR(goodput(plan, 70e9).mtbf_seconds, 86400.0 / 4, 1e-9);
    plan.outer.method = OuterMethod::diloco;
    EXPECT_NEAR(goodput(plan, 70e9).mtbf_seconds, 86400, 1e-9);
}

TEST(H100Equivalents, AreTheDenseRateOver990) {
    EXPECT_NEAR(formula::h100_equivalents(48, 312e12, 990e12), 15.127272727272727, 1e-12);
    // The definition counts co-located accelerators: a site of 48, not a server of 8.
    const ClusterEstimate cluster = evaluate(preset_plan("ten-to-25-a100"), Depth::numbers).cluster;
    EXPECT_NEAR(cluster.site_share_of_threshold, 15.127272727272727 / 16, 1e-12);
    EXPECT_NEAR(cluster.node_share_of_threshold, 15.127272727272727 / 6 / 16, 1e-12);
    EXPECT_NEAR(formula::h100_equivalents(16, 989.5e12, 990e12), 15.991919191919193, 1e-12);
    EXPECT_NEAR(formula::h100_equivalents(16, 2500e12, 990e12), 40.404, 5e-4);
    EXPECT_NEAR(formula::h100_equivalents(72 * 16, 989.5e12, 990e12), 1151.4, 0.05);
}

TEST(Cluster, OfTheSeedRunIsOneOf1151EquivalentsThoughEachSiteStaysUnder16) {
    const ClusterEstimate cluster = evaluate(preset_plan("ten-to-25"), Depth::numbers).cluster;
    EXPECT_NEAR(cluster.site_h100_equivalents, 15.992, 5e-4);
    EXPECT_NEAR(cluster.total_h100_equivalents, 1151.4, 0.05);
    EXPECT_EQ(cluster.threshold_h100_equivalents, 16);
    EXPECT_NEAR(evaluate(preset_plan("ten-to-25-a100"), Depth::numbers).cluster.site_h100_equivalents, 15.127, 5e-4);
}

/// The preset ten-to-25 if an update has a quarter of the values, four bits each, without indices.
Result seed_run(double step_seconds) {
    Plan plan = preset_plan("ten-to-25");
    plan.outer.step_seconds = step_seconds;
    plan.outer.up = plan.outer.down = {.bits = 4, .density = 0.25};
    plan.outer.overlap_steps = 4; // a fragment of 0.5 GB takes 80 s for upload and download
    return evaluate(plan, Depth::numbers);
}

TEST(SeedRun, Takes1271566StepsIn9934RoundsAnd338Or368Days) {
    const Result fast = seed_run(23);
    EXPECT_EQ(fast.run.steps, 1271566);
    EXPECT_EQ(std::ceil(fast.outer->rounds), 9935); // 9,934.1 rounds, the last of which is short
    EXPECT_EQ(std::floor(fast.outer->rounds), 9934);
    EXPECT_NEAR(fast.outer->utilisation, 1, 1e-9);
    EXPECT_NEAR(fast.run.days * fast.run.goodput, 338.50, 0.005);
    EXPECT_NEAR(seed_run(25).run.days * fast.run.goodput, 367.93, 0.005);
}

TEST(SeedRun, Takes1e25Operations) {
    const Result result = seed_run(25);
    const double tokens = result.run.tokens;
    EXPECT_NEAR(6 * 144e9 * tokens, 1.0368e25, 1e19);
    // Without the embedding and with causal attention, the model's FLOPs are 3% higher.
    EXPECT_NEAR(result.flops.per_token * tokens / 1.0368e25, 1.03, 0.01);
}

TEST(Run, PricesItsHoursAndItsEnergy) {
    Plan plan = preset_plan("llama3-405b-16k");
    plan.run.rental_dollars_per_accelerator_hour = 2;
    plan.run.energy_dollars_per_kilowatt_hour = 0.05;
    plan.run.power_usage_effectiveness = 1.4;
    plan.run.power_share = 1;
    const RunEstimate run = evaluate(plan, Depth::numbers).run;
    EXPECT_NEAR(run.accelerator_hours, 16384 * 24 * run.days, 1e-6 * run.accelerator_hours);
    EXPECT_NEAR(run.rental_dollars, 2 * run.accelerator_hours, 1e-6 * run.rental_dollars);
    // 16,384 x 700 W over 77 days at 5 cents per kWh cost $1.06M, or $1.48M with cooling.
    EXPECT_NEAR(run.energy_dollars / run.days * 77, 1483603.97, 1);
}

TEST(Llama3, MeetsAsManyInterruptionsAsItsReport) {
    // 419 unexpected interruptions in 54 days on 16,384 GPUs (arXiv 2407.21783, section 3.3.4).
    const RunEstimate run = evaluate(preset_plan("llama3-405b-16k"), Depth::numbers).run;
    EXPECT_NEAR(run.expected_failures / run.days * 54, 419, 0.5);
}

RC_GTEST_PROP(Goodput, IsAShareThatFallsWithFailures, ()) {
    Plan plan = daily_failure();
    plan.faults.accelerator_mtbf_seconds = std::pow(10.0, *rc::gen::inRange(1, 12));
    plan.faults.checkpoint_bandwidth_bytes_per_second = std::pow(10.0, *rc::gen::inRange(3, 11));
    plan.faults.checkpoint_blocking_share = *rc::gen::element(0.0, 0.1, 1.0);
    const double often = goodput(plan, 70e9).share;
    RC_ASSERT(often > 0 && often < 1);
    plan.faults.accelerator_mtbf_seconds *= 2;
    RC_ASSERT(goodput(plan, 70e9).share > often);
}

} // namespace
} // namespace meshwright

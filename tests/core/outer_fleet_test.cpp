// SPDX-License-Identifier: GPL-3.0-or-later
// Fleets of many sites: random draws, samples of sites, sharing between threads, cached runs.
#include "draft_run.h"
#include "outer/monte_carlo.h"
#include "outer/randomness.h"
#include "outer/sample.h"
#include "threads/for_each_index.h"

#include <gtest/gtest.h>

#include <cmath>

namespace meshwright {
namespace {

/// Draws use chords of the quantile function, and their moments must equal those of the distribution.
TEST(Draws, HaveTheMeanAndTheDeviationOfWhatTheyAreDrawnFrom) {
    constexpr int count = 1'000'000;
    const Draws draws = Randomness(5).draws(Randomness::Use::step, 3);
    const LogNormalDraws factor(LogNormal(0.5));
    double sum = 0, squares = 0, exponential = 0, factors = 0, factor_squares = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const double normal = draws.normal(i);
        EXPECT_NEAR(normal, normal_quantile(draws.uniform(i)), 2e-4);
        sum += normal;
        squares += normal * normal;
        exponential += draws.exponential(i, 3);
        const double drawn = factor.of(draws, i);
        factors += drawn;
        factor_squares += (drawn - 1) * (drawn - 1);
    }
    // Five standard deviations of the mean.
    EXPECT_NEAR(sum / count, 0, 5e-3);
    EXPECT_NEAR(squares / count, 1, 7e-3);
    EXPECT_NEAR(exponential / count, 3, 0.015);
    EXPECT_NEAR(factors / count, 1, 2.5e-3);
    EXPECT_NEAR(std::sqrt(factor_squares / count), 0.5, 6e-3);
}

TEST(ManySites, InASampleDoWhatAllOfThemDo) {
    Plan plan = seed_plan();
    plan.cluster.sites = 2000;
    plan.outer.quorum = 1800;
    plan.outer.fragments = 9;
    plan.outer.overlap_steps = 2;
    plan.outer.up.index = plan.outer.down.index = IndexEncoding::bitmap;
    plan.cluster.wan->rate_variation = 0.1;
    plan.faults.step_variation = 0.05;
    plan.aggregation.ingress_bits_per_second = 2000 * 80e6;
    WanGroup slower{.sites = 500, .uplink_bits_per_second = 90e6, .downlink_bits_per_second = 90e6};
    plan.cluster.wan->groups = {slower};
    const Plan sample = sample_of_sites(plan, 200);
    EXPECT_EQ(sample.cluster.sites, 200);
    EXPECT_EQ(sample.outer.quorum, 180);
    ASSERT_EQ(sample.cluster.wan->groups.size(), 1U);
    EXPECT_EQ(sample.cluster.wan->groups[0].sites, 50);
    EXPECT_NEAR(*sample.aggregation.ingress_bits_per_second, 200 * 80e6, 1);
    EXPECT_EQ(check_plan(sample).size(), 0U);
    const SimulationSize size{.settling_rounds = 3, .rounds = 6};
    EXPECT_NEAR(simulated(sample, size).utilisation, simulated(plan, size).utilisation, 0.01);
    EXPECT_EQ(sample_of_sites(plan, 5000), plan);
}

/// Several threads process many sites.
TEST(ManySites, AreOneRunOnAnyNumberOfThreads) {
    Plan plan = seed_plan();
    plan.cluster.sites = 3000;
    plan.outer.quorum = 2500;
    plan.outer.fragments = 5;
    plan.cluster.wan->rate_variation = 0.2;
    plan.cluster.wan->jitter_seconds = 1;
    plan.faults.step_variation = 0.1;
    plan.faults.site_mtbf_seconds = 1e5;
    plan.aggregation.egress_bits_per_second = 3000 * 50e6;
    const SimulationSize size{.settling_rounds = 2, .rounds = 4};
    const OuterRun many = simulated(plan, size);
    const OuterRun one = on_threads(1, Urgency::now, [&] { return simulated(plan, size); });
    EXPECT_TRUE(same(many, one));
    EXPECT_EQ(many.updates.sent, many.updates.accounted());
}

/// A recent simulation is taken from the cache and equals a new one.
TEST(Runs, AreRememberedAsTheyWere) {
    Plan plan = seed_plan();
    plan.faults.step_variation = 0.1;
    const OuterRuns first = simulate_runs(plan, draft_weights, 25, 3, 2);
    Plan other = plan;
    other.outer.overlap_steps = 0;
    EXPECT_FALSE(same(simulate_runs(other, draft_weights, 25, 3, 2).runs[0], first.runs[0]));
    const OuterRuns again = simulate_runs(plan, draft_weights, 25, 3, 2);
    for (std::size_t run = 0; run < 2; ++run) {
        EXPECT_TRUE(same(again.runs[run], first.runs[run]));
        EXPECT_TRUE(same(again.runs[run], simulate_outer(plan, draft_weights, 25, 3 + run)));
    }
}

} // namespace
} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"
#include "input/stop_scope.h"
#include "outer/monte_carlo.h"
#include "pipeline/order.h"
#include "random_plans.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

namespace meshwright {
namespace {

std::stop_token stopped() {
    std::stop_source source;
    source.request_stop();
    return source.get_token();
}

/// A million updates per round of differing sites, which take about a second.
Plan slow_outer_loop() {
    Plan plan = preset_plan("ten-to-25");
    plan.cluster.sites = 1000;
    plan.outer.fragments = 1000;
    plan.outer.inner_steps = 1000;
    plan.outer.quorum = 1000;
    plan.faults.step_variation = 0.1;
    return plan;
}

TEST(StopScope, EndsNothingUnlessItIsToldTo) {
    EXPECT_NO_THROW(end_if_stopped());
    std::stop_source source;
    const StopScope scope(source.get_token());
    EXPECT_NO_THROW(end_if_stopped());
    source.request_stop();
    EXPECT_THROW(end_if_stopped(), Stopped);
    {
        const StopScope inner{std::stop_token()};
        EXPECT_NO_THROW(end_if_stopped());
    }
    EXPECT_THROW(end_if_stopped(), Stopped);
    std::thread([] { EXPECT_NO_THROW(end_if_stopped()); }).join(); // the scope belongs to the other thread only
}

TEST(StopScope, EndsAnEvaluation) {
    const Plan plan = preset_plan("pretrain-8b");
    EXPECT_NO_THROW(evaluate(plan, Depth::numbers));
    const StopScope scope(stopped());
    EXPECT_THROW(evaluate(plan, Depth::numbers), Stopped);
}

TEST(StopScope, EndsASimulationBetweenItsFragments) {
    const Plan plan = slow_outer_loop();
    std::stop_source source;
    const std::jthread stopper([&source] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        source.request_stop();
    });
    const StopScope scope(source.get_token());
    EXPECT_THROW(simulate_outer(plan, 1e9, 1, usual_seed), Stopped);
}

TEST(StopScope, EndsTheRunsOfOtherThreadsToo) {
    const Plan plan = slow_outer_loop();
    const StopScope scope(stopped());
    EXPECT_THROW(simulate_runs(plan, 1e9, 1, usual_seed, 4), Stopped);
}

TEST(StopScope, EndsTheDraftsOfAnAutomaticSchedule) {
    const OrderRequest request{.schedule = Schedule::zb_2p, .ranks = 8, .microbatches = 64};
    EXPECT_NO_THROW(operation_order(request));
    const StopScope scope(stopped());
    EXPECT_THROW(operation_order(request), Stopped);
}

} // namespace
} // namespace meshwright

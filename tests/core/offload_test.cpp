// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/advice.h"
#include "evaluate/evaluate.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

Result by_closed_forms(const Plan &plan) {
    return evaluate(plan, Depth::closed_forms);
}

Result offloading(Plan plan, double share, double host_bandwidth) {
    plan.offload.activations = share;
    plan.cluster.accelerator.host_bandwidth_bytes_per_second = host_bandwidth;
    return by_closed_forms(plan);
}

/// Only passes are compared, because longer passes also hide more of the gathering and reducing.
RC_GTEST_PROP(OffloadedActivations, TakeMemoryForTimeUnlessTheLinkKeepsUp, ()) {
    PlanChoices choices;
    choices.schedules = {"gpipe", "1f1b", "interleaved"};
    choices.offloaded_optimizers = {0}; // offloaded optimizer states use the link too
    const std::optional<Plan> plan = valid_plan(*plan_documents(choices));
    RC_PRE(plan.has_value());
    const Result none = offloading(*plan, 0, 1e10);
    const Result half = offloading(*plan, 0.5, 1e10);
    const Result all = offloading(*plan, 1, 1e10);
    RC_ASSERT(half.pipeline.makespan_seconds >= none.pipeline.makespan_seconds * (1 - 1e-12));
    RC_ASSERT(all.pipeline.makespan_seconds >= half.pipeline.makespan_seconds * (1 - 1e-12));
    RC_ASSERT(all.memory.peak_bytes <= half.memory.peak_bytes * (1 + 1e-12));
    RC_ASSERT(half.memory.peak_bytes <= none.memory.peak_bytes * (1 + 1e-12));
    const Result hidden = offloading(*plan, 1, 1e18);
    RC_ASSERT(std::abs(hidden.step.seconds / none.step.seconds - 1) <= 1e-12);
    RC_ASSERT(hidden.memory.peak_bytes == all.memory.peak_bytes);
}

/// On one GPU that saves all layers, slow copies determine the length of both passes.
TEST(OffloadedActivations, SetThePaceOnASlowLink) {
    Plan plan = preset_plan("llama-1b-profile");
    plan.offload.activations = 1;
    plan.cluster.accelerator.host_bandwidth_bytes_per_second = 1e9;
    const Result slow = by_closed_forms(plan);
    plan.offload.activations = 0;
    const Result whole = by_closed_forms(plan);
    // The activations of the only microbatch go to the host and back. The step does not wait for copies at its
    // beginning and end.
    const double copied = slow.memory.host_bytes;
    const double longest = 2 * copied / (0.85 * 1e9);
    EXPECT_LT(slow.step.seconds, longest * 1.02 + whole.step.seconds);
    EXPECT_GT(slow.step.seconds, longest * 0.9);
    EXPECT_NEAR(slow.step.copies_seconds, slow.step.seconds - whole.step.seconds, 1e-9 * slow.step.seconds);
    const std::vector<Diagnostic> advice = advise(slow, {});
    EXPECT_TRUE(
        std::any_of(advice.begin(), advice.end(), [](const Diagnostic &one) { return one.code == "host-copies"; }));
    EXPECT_EQ(whole.step.copies_seconds, 0);
}

TEST(OffloadedOptimizer, IsUpdatedAtThePaceOfTheHost) {
    Plan plan = preset_plan("smollm3-3b");
    const double on_device = by_closed_forms(plan).step.term(StepTerm::optimizer);
    const auto term = [&](double share) {
        plan.offload.optimizer = share;
        return by_closed_forms(plan).step.term(StepTerm::optimizer);
    };
    const double whole = term(1);
    EXPECT_GT(whole, 10 * on_device); // HBM is sixty times as fast as one accelerator's host memory
    // Numerator and denominator differ by one gap between kernels.
    EXPECT_NEAR(term(0.5) / ((on_device + whole) / 2), 1, 1e-3);
    plan.cluster.accelerator.host_bandwidth_bytes_per_second *= 2;
    EXPECT_LT(term(1), whole);
}

} // namespace
} // namespace meshwright

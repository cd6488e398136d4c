// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/first_plan.h"

#include "catalog/accelerator.h"
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "plan/runnable.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace meshwright {
namespace {

const Library &built_in_presets() {
    return Library::standard();
}

FirstPlan found(const PlanRequest &request) {
    return find_first_plan(request, built_in_presets());
}

/// A plan request that is searched in well under a second.
PlanRequest small() {
    return {.accelerators = 16, .model = "llama-3.2-1b", .sequence_length = 2048};
}

TEST(PlanRequest, NamesThePlanAsPeopleDo) {
    EXPECT_EQ(name_of({.accelerators = 512, .model = "llama-3-70b"}, built_in_presets()), "Llama 3 70B on 512 H100");
    EXPECT_EQ(name_of({.accelerator = "rtx-4090", .accelerators = 8, .model = "llama-3-70b"}, built_in_presets()),
              "Llama 3 70B on 8 RTX 4090");
    EXPECT_EQ(name_of({.accelerators = 8, .sites = 4, .model = "llama-3-70b"}, built_in_presets()),
              "Llama 3 70B on 4 sites of 8 H100");
}

TEST(PlanRequest, FillsNodesAndRacks) {
    const auto h100 = built_in_presets().accelerator("h100-sxm-80gb"); // 8 GPUs per node
    EXPECT_EQ(whole_nodes(*h100, 5), 5);
    EXPECT_EQ(whole_nodes(*h100, 8), 8);
    EXPECT_EQ(whole_nodes(*h100, 9), 16);
    const auto gb200 = built_in_presets().accelerator("gb200"); // 4 GPUs per node, 72 per rack
    EXPECT_EQ(whole_nodes(*gb200, 70), 72);
    EXPECT_EQ(whole_nodes(*gb200, 73), 144);
}

TEST(PlanRequest, TakesABatchThatDataParallelismDivides) {
    // 0.2920 x (6e23)^0.3271 = 17.6 million tokens, or 2,148 sequences of 8,192, rounded down to a power of two.
    EXPECT_EQ(usual_sequences(6e23, 8192, 512), 2048);
    EXPECT_EQ(usual_sequences(6e23, 8192, 24), 1536); // 3 x 512, divisible by 24
}

RC_GTEST_PROP(PlanRequest, EveryAcceleratorAndNumberMakesAValidCluster, ()) {
    std::vector<std::string> ids;
    for (const PresetEntry &entry : built_in_presets().entries())
        if (entry.kind == PresetKind::accelerator)
            ids.push_back(entry.id);
    const PlanRequest request{.accelerator = *rc::gen::elementOf(ids),
                              .accelerators = *rc::gen::inRange<std::int64_t>(1, 20'000),
                              .sites = *rc::gen::inRange<std::int64_t>(1, 5),
                              .model = "llama-3.2-1b"};
    const PlanReading reading = read_plan(document_of(request, built_in_presets()), built_in_presets());
    for (const Diagnostic &problem : reading.diagnostics)
        RC_ASSERT(!(problem.severity == Severity::error && problem.fields.front().starts_with("/cluster")));
    RC_ASSERT(reading.plan.site_accelerators() >= request.accelerators);
}

TEST(FirstPlan, FitsWithFivePercentFree) {
    const FirstPlan plan = found(small());
    ASSERT_TRUE(plan.result) << plan.problem;
    EXPECT_TRUE(plan.complete);
    EXPECT_TRUE(plan.result->verdict.fits);
    EXPECT_GE(plan.result->verdict.headroom_bytes, 0.05 * plan.result->memory.capacity_bytes);
    EXPECT_GT(plan.considered, 100);
}

TEST(FirstPlan, CanBeRunByItsSoftware) {
    for (const char *stack : {"megatron-core-2025", "torchtitan-2024"}) {
        PlanRequest request = small();
        request.stack = stack;
        const FirstPlan plan = found(request);
        ASSERT_TRUE(plan.result) << plan.problem;
        EXPECT_TRUE(runnability_of(plan.result->plan).is_runnable()) << stack;
    }
}

TEST(FirstPlan, IsNotSlowerThanWhatItNamesNext) {
    const FirstPlan plan = found(small());
    ASSERT_TRUE(plan.result && plan.next);
    EXPECT_LE(plan.result->step.seconds, plan.next->step_seconds);
    EXPECT_NE(plan.next->plan.parallelism, plan.result->plan.parallelism);
}

TEST(FirstPlan, OpensAsTheSamePlan) {
    const FirstPlan plan = found(small());
    ASSERT_TRUE(plan.result);
    const Plan opened = plan_from_json(*plan.document, built_in_presets());
    EXPECT_EQ(opened.parallelism, plan.result->plan.parallelism);
    EXPECT_EQ(evaluate(opened, Depth::numbers).step.seconds, plan.result->step.seconds);
}

TEST(FirstPlan, TrainsTwentyTokensPerParameterUnlessAsked) {
    const FirstPlan plan = found(small());
    ASSERT_TRUE(plan.result);
    EXPECT_NEAR(plan.result->run.tokens / plan.result->parameters.active, 20, 1e-6);
    PlanRequest asked = small();
    asked.tokens = 3e9;
    EXPECT_EQ(found(asked).result->run.tokens, 3e9);
}

TEST(FirstPlan, TrainsForTheDaysThatAreAsked) {
    PlanRequest request = small();
    request.days = 10;
    const FirstPlan plan = found(request);
    ASSERT_TRUE(plan.result);
    EXPECT_NEAR(plan.result->run.days, 10, 0.01);
    EXPECT_GT(plan.result->run.tokens, 1e9);
}

TEST(FirstPlan, ShortensTheDaysToTheBudget) {
    PlanRequest request = small();
    request.days = 10;
    request.budget_dollars = 500;
    const FirstPlan plan = found(request);
    ASSERT_TRUE(plan.result);
    EXPECT_NEAR(plan.result->run.rental_dollars, 500, 1);
    EXPECT_LT(plan.result->run.days, 10);
}

TEST(FirstPlan, SaysHowManyTokensABudgetPaysFor) {
    PlanRequest request = small();
    request.budget_dollars = 50;
    const FirstPlan plan = found(request);
    ASSERT_TRUE(plan.result && plan.affordable_tokens);
    EXPECT_NEAR(*plan.affordable_tokens / plan.result->run.tokens, 50 / plan.result->run.rental_dollars, 1e-9);
    request.budget_dollars = 1e9;
    EXPECT_FALSE(found(request).affordable_tokens);
}

TEST(FirstPlan, SaysOnHowManySomethingFits) {
    const FirstPlan plan = found({.accelerators = 8, .model = "llama-3.1-70b", .sequence_length = 4096});
    EXPECT_FALSE(plan.result);
    EXPECT_TRUE(plan.problem.empty()) << plan.problem;
    ASSERT_TRUE(plan.fits_on);
    EXPECT_EQ(*plan.fits_on % 8, 0);
    PlanRequest more = plan.request;
    more.accelerators = *plan.fits_on;
    EXPECT_TRUE(found(more).result);
}

TEST(FirstPlan, SpansSites) {
    PlanRequest request = small();
    request.sites = 4;
    const FirstPlan plan = found(request);
    ASSERT_TRUE(plan.result) << plan.problem;
    ASSERT_TRUE(plan.result->outer);
    EXPECT_EQ(plan.result->plan.cluster.accelerators(), 64);
}

TEST(FirstPlan, RefusesNonsenseInOneLine) {
    PlanRequest request = small();
    for (const auto &spoil : std::vector<std::function<void(PlanRequest &)>>{
             [](PlanRequest &r) { r.model = "no-such-model"; }, [](PlanRequest &r) { r.accelerator = "../../etc"; },
             [](PlanRequest &r) { r.accelerators = 0; }, [](PlanRequest &r) { r.accelerators = -8; },
             [](PlanRequest &r) { r.sequence_length = 0; }, [](PlanRequest &r) { r.tokens = std::nan(""); },
             [](PlanRequest &r) { r.days = -1; }, [](PlanRequest &r) { r.budget_dollars = 0; },
             [](PlanRequest &r) { r.stack = "no-such-stack"; }, [](PlanRequest &r) { r.sites = 0; }}) {
        PlanRequest spoiled = request;
        spoil(spoiled);
        const FirstPlan plan = found(spoiled);
        EXPECT_FALSE(plan.result);
        EXPECT_FALSE(plan.problem.empty());
        EXPECT_EQ(plan.problem.find('\n'), std::string::npos);
    }
}

TEST(FirstPlan, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(find_first_plan({}, built_in_presets(), stop.get_token()).complete);
}

} // namespace
} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/plan_pipeline.h"

#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace meshwright {
namespace {

Plan preset(const std::string &id) {
    return plan_from_json(shipped_presets().json(PresetKind::plan, id), shipped_presets());
}

class PlanPipelineOf : public testing::TestWithParam<std::string> { };

/// The step model takes the mean stage, a bubble in closed form and the longest of its ranks; the simulation each stage
/// as it is. Where stages are alike they are one; uneven ends of a pipeline part them by some percent.
TEST_P(PlanPipelineOf, TakesWhatTheStepModelSays) {
    const Plan plan = preset(GetParam());
    const PlanPipeline pipeline = simulate_pipeline(plan);
    const Result result = evaluate(plan, Depth::numbers);
    // Seen: up to 3.2 %, on DeepSeek-V3, whose expert traffic the closed form hides on the mean stage.
    EXPECT_NEAR(pipeline.timeline.makespan / result.pipeline.makespan_seconds, 1, 0.035);
    ASSERT_EQ(pipeline.timeline.peak_in_flight.size(), result.pipeline.in_flight.size());
    for (std::size_t rank = 0; rank < result.pipeline.in_flight.size(); ++rank)
        EXPECT_EQ(pipeline.timeline.peak_in_flight[rank], result.pipeline.in_flight[rank]) << "rank " << rank;
}

INSTANTIATE_TEST_SUITE_P(Presets, PlanPipelineOf, testing::ValuesIn(evaluable_plans()),
                         [](const auto &named) { return test_name(named.param); });

TEST(PlanPipeline, OneRankNeverWaits) {
    const PlanPipeline pipeline = simulate_pipeline(preset("pretrain-8b"));
    EXPECT_EQ(pipeline.order.ranks, 1);
    EXPECT_DOUBLE_EQ(pipeline.timeline.makespan, pipeline.timeline.busy_seconds[0]);
    EXPECT_TRUE(idle_intervals(pipeline.order, pipeline.timeline, 0).empty());
}

/// GPT-3 of 96 layers on 8 stages of 6 chunks: but for the ends all chunks are alike, so that the peak over time is the
/// memory model's.
TEST(PlanPipeline, MemoryOverTimePeaksWhereTheMemoryModelSays) {
    const Plan plan = preset("megascale-175b-12k");
    const PlanPipeline pipeline = simulate_pipeline(plan);
    const Result result = evaluate(plan, Depth::numbers);
    for (std::size_t rank = 1; rank + 1 < result.memory.stages.size(); ++rank)
        EXPECT_NEAR(pipeline.timeline.peak_bytes[rank], result.memory.stages[rank].total_bytes, 1) << rank;
}

TEST(PlanPipeline, RunsEveryScheduleThatThePlanAllows) {
    Plan plan = preset("deepseek-v3");
    for (const Schedule schedule : {Schedule::gpipe, Schedule::one_f_one_b, Schedule::zb_h1, Schedule::zb_h2,
                                    Schedule::dualpipe, Schedule::chimera}) {
        plan.parallelism.schedule = schedule;
        const Timeline timeline = simulate_pipeline(plan).timeline;
        EXPECT_GT(timeline.makespan, 0) << name_of(schedule);
        EXPECT_GE(timeline.makespan, timeline.ideal) << name_of(schedule);
    }
}

} // namespace
} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/plan_pipeline.h"

#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "preset_plans.h"
#include "step/executed_pipeline.h"
#include "step/step_memory.h"
#include "step/step_model.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

Plan preset(const std::string &id) {
    return plan_from_json(shipped_presets().json(PresetKind::plan, id), shipped_presets());
}

class PlanPipelineOf : public ::testing::TestWithParam<std::string> { };

/// The step's figures equal those of the executed pipeline.
TEST_P(PlanPipelineOf, IsWhatTheStepHolds) {
    const Plan plan = preset(GetParam());
    const PlanPipeline drawn = simulate_pipeline(plan);
    const Timeline &timeline = drawn.timeline;
    const Result result = evaluate(plan, Depth::numbers);
    const Pipeline &pipeline = result.pipeline;
    EXPECT_NEAR(pipeline.makespan_seconds, timeline.makespan, 1e-9 * timeline.makespan);
    EXPECT_NEAR(pipeline.bubble_of_total, timeline.bubble_of_total(), 1e-9);
    EXPECT_NEAR(pipeline.bubble_of_ideal, timeline.bubble_of_ideal(), 1e-9);
    EXPECT_NEAR(pipeline.bubble_of_span, timeline.bubble_of_span(), 1e-9);
    // The drawn idle time equals the reported one.
    EXPECT_NEAR(pipeline.idle_warm_up_and_drain, drawn.idle.warm_up_and_drain, 1e-9);
    EXPECT_NEAR(pipeline.idle_imbalance, drawn.idle.imbalance, 1e-9);
    EXPECT_NEAR(pipeline.idle_waiting_for_sends, drawn.idle.sends, 1e-9);
    EXPECT_NEAR(pipeline.idle_of_all_ranks,
                pipeline.idle_warm_up_and_drain + pipeline.idle_imbalance + pipeline.idle_waiting_for_sends, 1e-12);
    double terms = 0;
    for (const double term : result.step.terms) {
        EXPECT_GE(term, 0);
        terms += term;
    }
    EXPECT_NEAR(terms, result.step.seconds, 1e-9 * terms);
    EXPECT_EQ(pipeline.closed_form_makespan_seconds.has_value(),
              plan.parallelism.pipeline > 1); // given only where it differs from the simulation, here by the sends
    const Result compared = evaluate(plan, Depth::closed_forms);
    EXPECT_FALSE(compared.pipeline.closed_form_makespan_seconds);
    EXPECT_EQ(pipeline.closed_form_makespan_seconds.value_or(pipeline.makespan_seconds),
              compared.pipeline.makespan_seconds);
    ASSERT_EQ(timeline.peak_in_flight.size(), pipeline.in_flight.size());
    for (std::size_t rank = 0; rank < pipeline.in_flight.size(); ++rank)
        EXPECT_EQ(timeline.peak_in_flight[rank], pipeline.in_flight[rank]) << "rank " << rank;
}

INSTANTIATE_TEST_SUITE_P(Presets, PlanPipelineOf, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &named) { return test_name(named.param); });

/// A search compares closed forms, which use the mean stage and the schedule's bubble formula.
TEST(PlanPipeline, ClosedFormsStayNearToWhatRealPlansTake) {
    std::vector<double> missed;
    for (const std::string &id : evaluable_plans()) {
        const Pipeline pipeline = evaluate(preset(id), Depth::numbers).pipeline;
        if (pipeline.closed_form_makespan_seconds)
            missed.push_back(std::abs(pipeline.makespan_seconds / *pipeline.closed_form_makespan_seconds - 1));
    }
    ASSERT_GT(missed.size(), 10U);
    std::sort(missed.begin(), missed.end());
    EXPECT_LT(missed[missed.size() / 2], 0.005);
}

TEST(PlanPipeline, OneRankNeverWaits) {
    const PlanPipeline pipeline = simulate_pipeline(preset("pretrain-8b"));
    EXPECT_EQ(pipeline.order.ranks, 1);
    EXPECT_DOUBLE_EQ(pipeline.timeline.makespan, pipeline.timeline.busy_seconds[0]);
    EXPECT_TRUE(idle_intervals(pipeline.order, pipeline.timeline, 0).empty());
}

/// The result, the executed pipeline and the view of a rank's step agree on peak memory, except for the optimizer step,
/// which is not part of the pipeline.
TEST_P(PlanPipelineOf, PeaksInMemoryWhereTheResultSays) {
    const Plan plan = preset(GetParam());
    const PlanPipeline pipeline = simulate_pipeline(plan);
    const Result result = evaluate(plan, Depth::numbers);
    ASSERT_TRUE(result.memory.executed);
    const auto ranks = static_cast<std::int64_t>(result.memory.stages.size());
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        const StageMemory &stage = result.memory.stages[at];
        const double executed = pipeline.timeline.peak_bytes[at];
        if (stage.peak_operation == "optimizer step") {
            EXPECT_LE(executed, stage.total_bytes * (1 + 1e-9)) << rank;
        } else {
            EXPECT_NEAR(executed, stage.total_bytes, 1e-9 * executed) << rank;
        }
        if (rank != 0 && rank != ranks / 2 && rank != ranks - 1)
            continue;
        const StepMemory memory = step_memory(plan, pipeline, rank);
        EXPECT_NEAR(memory.points[memory.peak].total(), stage.total_bytes, 1e-9 * executed)
            << rank << " " << memory.operation(memory.peak) << " / " << stage.peak_operation;
    }
}

/// If all chunks of a rank are alike, the closed form and the executed order have the same number of chunks in flight.
/// In GPT-3 with 96 layers on 8 stages of 6 chunks, the chunks of every rank but the first and the last are alike.
TEST(PlanPipeline, ClosedFormsHoldWhatAnOrderOfLikeChunksHolds) {
    const Plan plan = preset("megascale-175b-12k");
    const Result executed = evaluate(plan, Depth::numbers);
    const Result closed = evaluate(plan, Depth::closed_forms);
    for (std::size_t rank = 1; rank + 1 < executed.memory.stages.size(); ++rank) {
        const double bytes = closed.memory.stages[rank].total_bytes;
        EXPECT_NEAR(executed.memory.stages[rank].total_bytes, bytes, 1e-9 * bytes) << rank;
    }
}

/// After the simulated pipeline, weights and gradients are communicated for as long as in the step.
TEST_P(PlanPipelineOf, CarriesTheDataTermOfTheStep) {
    const Plan plan = preset(GetParam());
    const PlanPipeline pipeline = simulate_pipeline(plan);
    const Assumptions assumed(plan.assumptions);
    const LayerCosts layers(plan, assumed);
    const PipelineCosts costs = pipeline_costs(plan, layers);
    const StepSeconds step = step_seconds(plan, layers, costs, assumed);
    const RankCollectives &collectives = pipeline.work.collectives[step.rank];
    EXPECT_NEAR(collectives.exposed_seconds(), step.data, 1e-9 * step.data);
    const double rank_end = pipeline.timeline.rank_end[step.rank];
    EXPECT_NEAR(pipeline.timeline.data_end[step.rank], rank_end + step.data, 1e-9 * rank_end);
    double last = 0;
    for (const StreamInterval &busy : stream_intervals(pipeline.order, pipeline.work, pipeline.timeline,
                                                       static_cast<std::int64_t>(step.rank), Stream::data)) {
        EXPECT_GE(busy.start, last);
        EXPECT_GT(busy.end, busy.start);
        last = busy.end;
    }
    if (collectives.passes_exposed_seconds == 0 && step.data > 0) {
        EXPECT_NEAR(last, pipeline.timeline.data_end[step.rank], 1e-9 * last);
    }
}

/// A pipeline with more operations than a result executes is extrapolated from two shorter ones. Executed in full, it
/// takes as long and needs as much memory. Closed forms use the mean stage and miss the cost of uneven stages.
TEST(PlanPipeline, LongPipelinesGoOnAsShorterOnesDo) {
    for (const Schedule schedule :
         {Schedule::gpipe, Schedule::one_f_one_b, Schedule::interleaved, Schedule::zb_h1, Schedule::dualpipe,
          Schedule::chimera, Schedule::looped_bfs, Schedule::zb_v, Schedule::seq1f1b}) {
        Plan plan = preset("deepseek-v3");
        plan.parallelism.schedule = schedule;
        plan.parallelism.chunks = definition_of(plan.parallelism.schedule).chunks == ChunkCount::one ? 1 : 2;
        if (plan.parallelism.chunks > 1)
            plan.parallelism.layout.clear();
        plan.batch.global_sequences = std::int64_t{128} * 16 * 1600;
        const Assumptions assumed(plan.assumptions);
        const LayerCosts layers(plan, assumed);
        const PipelineCosts costs = pipeline_costs(plan, layers);
        const ExecutedOrder whole{.order = operation_order(order_request(plan, layers, costs)), .shorter = {}};
        const ExecutedOrder parts = *executed_order(plan, layers, costs);
        ASSERT_TRUE(parts.shorter) << name_of(schedule);
        const StepSeconds executed = executed_step_seconds(plan, layers, costs, assumed, &whole);
        const StepSeconds continued = executed_step_seconds(plan, layers, costs, assumed, &parts);
        EXPECT_NEAR(continued.makespan, executed.makespan, 1e-3 * executed.makespan) << name_of(schedule);
        EXPECT_NEAR(continued.bubble, executed.bubble, 1e-3 * executed.makespan) << name_of(schedule);
        EXPECT_TRUE(continued.closed_form_makespan) << name_of(schedule);
        EXPECT_EQ(peak_in_flight(parts), peak_in_flight(whole)) << name_of(schedule);
        const std::vector<RankMemory> all = memory_of_ranks(plan, layers, costs, assumed, &whole);
        const std::vector<RankMemory> carried_on = memory_of_ranks(plan, layers, costs, assumed, &parts);
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
            EXPECT_NEAR(carried_on[rank].total_bytes(), all[rank].total_bytes(), 1e-9 * all[rank].total_bytes())
                << name_of(schedule) << " " << rank;
            EXPECT_EQ(carried_on[rank].peak_operation, all[rank].peak_operation) << name_of(schedule) << " " << rank;
        }
    }
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

// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule that is not built in: its definition must be all that the planner needs.
#include "advise/complete_result.h"
#include "evaluate/evaluate.h"
#include "input/diagnostic.h"
#include "pipeline/order_text.h"
#include "pipeline/orders/builder.h"
#include "pipeline/simulation.h"
#include "plan/plan_json.h"
#include "plan/valid_values.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace meshwright {
namespace {

/// A schedule that runs pairs of microbatches forward and then backward, only for this test.
OperationOrder in_pairs(const OrderRequest &request) {
    OrderBuilder builder(request, 2);
    for (std::int64_t rank = 0; rank < builder.ranks(); ++rank) {
        builder.begin_rank();
        for (std::int64_t first = 0; first < builder.microbatches(); first += 2) {
            const std::int64_t behind = std::min(first + 2, builder.microbatches());
            for (std::int64_t k = first; k < behind; ++k)
                builder.forward(rank, k);
            for (std::int64_t k = first; k < behind; ++k)
                builder.backward(rank, k);
        }
    }
    return builder.take();
}

Schedule pairs() {
    static const Schedule registered =
        register_schedule({.name = "pairs",
                           .title = "Pairs",
                           .source = "this test",
                           .min_microbatches = [](std::int64_t stages) { return 2 * stages; },
                           .generate = in_pairs});
    return registered;
}

Plan shipped_plan(const std::string &id) {
    return plan_from_json(shipped_presets().json(PresetKind::plan, id), shipped_presets());
}

Plan plan_in_pairs() {
    Plan plan = shipped_plan("gpt3-175b-1k");
    plan.parallelism.chunks = 1;
    plan.parallelism.layout.clear();
    plan.parallelism.layout_text.clear();
    plan.parallelism.schedule = pairs();
    return plan;
}

TEST(NewSchedule, IsListedByItsName) {
    EXPECT_EQ(schedule_names().at(static_cast<std::size_t>(pairs())), "pairs");
    EXPECT_EQ(name_of(pairs()), "pairs");
    EXPECT_THROW(register_schedule({.name = "pairs", .generate = in_pairs}), std::invalid_argument);
    EXPECT_THROW(register_schedule({.name = "nothing"}), std::invalid_argument);
}

TEST(NewSchedule, ConstantsStandAtTheirPlaces) {
    EXPECT_EQ(name_of(Schedule::one_f_one_b), "1f1b");
    EXPECT_EQ(name_of(Schedule::zb_v), "zb-v");
    EXPECT_EQ(name_of(Schedule::seq1f1b), "seq1f1b");
    EXPECT_EQ(listed_schedules().size(), static_cast<std::size_t>(Schedule::seq1f1b) + 1);
}

TEST(NewSchedule, RunsInTheSimulator) {
    const OperationOrder order = operation_order({.schedule = pairs(), .ranks = 2, .microbatches = 4});
    EXPECT_EQ(order_fault(order), "");
    EXPECT_EQ(order_row(order, 1), "1F0,1F1,1B0,1B1,1F2,1F3,1B2,1B3");
    // Two rounds of two stages and two microbatches: each takes 3 (F + B).
    EXPECT_DOUBLE_EQ(simulate(order, uniform_work(order, 1, 1, 1)).makespan, 2 * 3 * 3);
}

TEST(NewSchedule, IsReadFromAPlanAndWrittenBack) {
    const nlohmann::ordered_json written = to_json(plan_in_pairs());
    EXPECT_EQ(written["parallelism"]["schedule"], "pairs");
    EXPECT_EQ(plan_from_json(written, shipped_presets()).parallelism.schedule, pairs());
}

TEST(NewSchedule, ItsConstraintIsADiagnosticWithFixes) {
    Plan plan = plan_in_pairs();
    plan.batch.global_sequences = plan.parallelism.data * plan.batch.micro_sequences * plan.parallelism.pipeline;
    const std::vector<ScheduleProblem> problems = schedule_problems(plan);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems.front().code, "schedule-microbatches");
    EXPECT_EQ(problems.front().fixes.size(), 2U);
}

/// The schedule has no closed forms, so executing the order gives its step time.
TEST(NewSchedule, IsEvaluatedByExecutingIt) {
    const Plan plan = plan_in_pairs();
    ASSERT_TRUE(schedule_problems(plan).empty());
    Plan plain = plan;
    plain.parallelism.schedule = Schedule::one_f_one_b;
    const Result result = complete_result(plan);
    EXPECT_EQ(result.pipeline.schedule, pairs());
    EXPECT_GT(result.step.seconds, 1.5 * complete_result(plain).step.seconds);
    EXPECT_EQ(std::count_if(result.diagnostics.begin(), result.diagnostics.end(),
                            [](const Diagnostic &each) { return each.severity == Severity::error; }),
              0);
}

} // namespace
} // namespace meshwright

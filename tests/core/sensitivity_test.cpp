// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "preset_plans.h"
#include "random_plans.h"
#include "sensitivity/sensitivity.h"
#include "step/plan_pipeline.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <stop_token>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

const Influence *of(const std::vector<Influence> &influences, std::string_view pointer) {
    for (const Influence &influence : influences)
        if (influence.variation.pointer == pointer)
            return &influence;
    return nullptr;
}

class VariedPlan : public ::testing::TestWithParam<std::string> { };

} // namespace

TEST_P(VariedPlan, ChangesAsAWholeEvaluationDoes) {
    const Plan plan = preset_plan(GetParam().c_str());
    const Result result = evaluate(plan, Depth::numbers);
    const double before = result.step.seconds;
    const std::vector<Influence> found = sensitivity(result, "step.seconds");
    std::size_t at = 0;
    std::size_t matched = 0;
    for_each_variation(plan, [&](const Variation &variation, const Plan &varied) {
        const double after = evaluate(varied, Depth::numbers).step.seconds;
        ++at;
        for (const Influence &influence : found)
            if (influence.variation.pointer == variation.pointer && influence.variation.to == variation.to
                && influence.after == after) {
                EXPECT_EQ(influence.before, before);
                EXPECT_DOUBLE_EQ(influence.change, (after - before) / before);
                ++matched;
            }
    });
    EXPECT_GT(at, 30u);
    EXPECT_GE(matched, found.size());
    EXPECT_GT(found.size(), 5u);
}

TEST_P(VariedPlan, NamesTheLargestChangeFirst) {
    const Plan plan = preset_plan(GetParam().c_str());
    const std::vector<Influence> found = sensitivity(evaluate(plan, Depth::numbers), "run.days");
    for (std::size_t i = 1; i < found.size(); ++i)
        EXPECT_GE(std::abs(found[i - 1].change), std::abs(found[i].change));
    for (const Influence &influence : found) {
        EXPECT_NE(influence.variation.from, influence.variation.to) << influence.variation.pointer;
        EXPECT_FALSE(influence.variation.what.empty());
    }
}

TEST_P(VariedPlan, MovesEachWayThatItMust) {
    const Plan plan = preset_plan(GetParam().c_str());
    const std::vector<std::string_view> figures{"step.seconds", "memory.peak_bytes", "run.days",
                                                "verdict.headroom_bytes"};
    const std::vector<std::vector<Influence>> found = sensitivities(evaluate(plan, Depth::numbers), figures);
    const Influence *peak = of(found[0], "/cluster/accelerator/peak_flops_per_second");
    ASSERT_NE(peak, nullptr);
    EXPECT_LT(peak->change, 0);
    EXPECT_GT(peak->change, -0.1 / 1.1 - 1e-9); // the change if the whole step were compute
    const Influence *software = of(found[0], "/stack");
    Plan ideal = plan;
    ideal.stack = *shipped_presets().stack("ideal");
    ideal.stack_id = "ideal";
    ASSERT_EQ(software != nullptr, check_plan(ideal).empty());
    if (software != nullptr) {
        EXPECT_LT(software->change, 0) << "ideal software must shorten the step";
        EXPECT_EQ(software->variation.to, "Ideal software");
    }
    const Influence *tokens = of(found[2], "/run/tokens");
    ASSERT_NE(tokens, nullptr);
    EXPECT_NEAR(tokens->change, 0.1, 0.01); // the number of steps is an integer
    const Influence *memory = of(found[3], "/cluster/accelerator/memory_bytes");
    ASSERT_NE(memory, nullptr);
    EXPECT_GT(memory->change, 0);
    EXPECT_EQ(of(found[1], "/run/tokens"), nullptr) << "the tokens of a run must not affect memory";
}

INSTANTIATE_TEST_SUITE_P(Presets, VariedPlan, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &parameter) { return test_name(parameter.param); });

TEST(Sensitivity, VariesOnlyIntoValidPlans) {
    for (const char *id : {"deepseek-v3", "smollm-135m", "ten-to-25"})
        for_each_variation(preset_plan(id), [](const Variation &variation, const Plan &varied) {
            EXPECT_TRUE(check_plan(varied).empty()) << variation.pointer << " to " << variation.to;
            // The varied plan must also be valid as a document: for example, its batch must leave no rank without a
            // sequence.
            EXPECT_TRUE(read_plan(to_json(varied), Library::standard()).valid())
                << variation.pointer << " to " << variation.to;
        });
}

TEST(Sensitivity, StepsOneStopUpAndDown) {
    Plan plan = preset_plan("pretrain-70b-1k-design"); // a plan with tensor 4 and pipeline 4
    std::vector<std::string> tensor;
    for_each_variation(plan, [&](const Variation &variation, const Plan &varied) {
        if (variation.pointer != "/parallelism/tensor")
            return;
        tensor.push_back(variation.to);
        EXPECT_EQ(varied.parallelism.tensor * varied.parallelism.data, 4 * 64);
    });
    EXPECT_EQ(tensor, (std::vector<std::string>{"8", "2"}));
}

TEST(Sensitivity, OfAFigureThatIsNotThereIsEmpty) {
    const Result result = evaluate(preset_plan("pretrain-8b"), Depth::numbers);
    EXPECT_TRUE(sensitivity(result, "outer.utilisation").empty());
    EXPECT_TRUE(sensitivity(result, "no.such.figure").empty());
    EXPECT_TRUE(sensitivity(result, "").empty());
}

TEST(Sensitivity, StopsWhenItIsAskedTo) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(
        sensitivity(evaluate(preset_plan("pretrain-8b"), Depth::numbers), "step.seconds", stop.get_token()).empty());
}

namespace {

Plan with_random_loop() {
    Plan plan = preset_plan("ten-to-25-36");
    plan.cluster.wan->jitter_seconds = 0.05;
    plan.faults.site_speed_variation = 0.1;
    return plan;
}

} // namespace

TEST(Sensitivity, OfARandomLoopComparesRunsOfTheSameNumbers) {
    const Result result = evaluate(with_random_loop(), Depth::numbers);
    const std::vector<std::string_view> figures{"outer.utilisation", "run.days", "step.seconds"};
    const std::vector<std::vector<Influence>> found = sensitivities(result, figures);
    const Influence *uplink = of(found[0], "/cluster/wan/uplink_bits_per_second");
    ASSERT_NE(uplink, nullptr);
    EXPECT_EQ(uplink->before, result.outer->utilisation);
    EXPECT_GE(uplink->change, 0) << "a faster link must not lengthen stalls";
    EXPECT_EQ(of(found[0], "/run/tokens"), nullptr) << "unrelated inputs must not have an influence";
    EXPECT_EQ(of(found[0], "/run/rental_dollars_per_accelerator_hour"), nullptr);
    EXPECT_NEAR(of(found[1], "/run/tokens")->change, 0.1, 0.01);
    EXPECT_EQ(of(found[2], "/cluster/wan/uplink_bits_per_second"), nullptr);
}

TEST(Sensitivity, OfARandomLoopIsTheSameEveryTime) {
    const Result result = evaluate(with_random_loop(), Depth::numbers);
    const std::vector<Influence> once = sensitivity(result, "outer.utilisation");
    const std::vector<Influence> again = sensitivity(result, "outer.utilisation");
    ASSERT_EQ(once.size(), again.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
        EXPECT_EQ(once[i].variation.pointer, again[i].variation.pointer);
        EXPECT_EQ(once[i].after, again[i].after);
    }
}

/// Figures that exist only in explanations, and figures of the executed pipeline, are also varied by complete
/// evaluations.
TEST(Sensitivity, VariesWhatOnlyTheExplanationHas) {
    const Result result = evaluate(preset_plan("ten-to-25"), Depth::numbers);
    const std::vector<Influence> young = sensitivity(result, "curves_waste_young");
    const Influence *mtbf = of(young, "/faults/accelerator_mtbf_seconds");
    ASSERT_NE(mtbf, nullptr);
    // The loss at the optimum is proportional to the square root of the failure rate.
    EXPECT_NEAR(mtbf->change, 1 / std::sqrt(1.1) - 1, 0.02);
    const Result staged = evaluate(preset_plan("pretrain-70b-1k-design"), Depth::numbers);
    const PlanPipeline pipeline = simulate_pipeline(staged.plan);
    const std::vector<Influence> makespan = sensitivity(staged, "schedule.makespan_seconds");
    ASSERT_GT(makespan.size(), 5u);
    for (const Influence &influence : makespan)
        EXPECT_NEAR(influence.before, pipeline.timeline.makespan, 1e-9 * influence.before);
    EXPECT_TRUE(sensitivity(result, "no_such_figure").empty());
}

TEST(Sensitivity, OfAChangeVariesBothPlans) {
    const auto before = std::make_shared<const Result>(evaluate(preset_plan("pretrain-70b-1k-design"), Depth::numbers));
    Plan changed = before->plan;
    changed.recompute = {.mode = RecomputeMode::full, .layers = 0, .modules = {}};
    const auto after = std::make_shared<const Result>(evaluate(changed, Depth::numbers));
    const std::vector<Influence> found = influences({after, before, "step.seconds"});
    ASSERT_GT(found.size(), 5u);
    const double gain = after->step.seconds - before->step.seconds;
    for (const Influence &influence : found)
        EXPECT_EQ(influence.before, gain);
    // An input that both plans have in common is varied in both.
    const Influence *const accelerator = of(found, "/cluster/accelerator/memory_bandwidth_bytes_per_second");
    ASSERT_NE(accelerator, nullptr);
    Plan faster[] = {before->plan, changed};
    for (Plan &plan : faster)
        plan.cluster.accelerator.memory_bandwidth_bytes_per_second *= 1.1;
    EXPECT_NEAR(accelerator->after,
                evaluate(faster[1], Depth::numbers).step.seconds - evaluate(faster[0], Depth::numbers).step.seconds,
                1e-9 * after->step.seconds);
    const std::vector<Influence> shares = influences({after, before, "step.seconds", true});
    ASSERT_FALSE(shares.empty());
    EXPECT_NEAR(shares.front().before, after->step.seconds / before->step.seconds - 1, 1e-12);
    EXPECT_TRUE(influences({}).empty());
}

TEST(Sensitivity, ReadsFiguresByPathAndByName) {
    const Result result = evaluate(preset_plan("llama3-405b-16k"), Depth::numbers);
    EXPECT_EQ(figure_value(result, "step.seconds"), result.step.seconds);
    EXPECT_EQ(figure_value(result, "step_seconds"), result.step.seconds);
    EXPECT_EQ(figure_value(result, "memory.stages.10.weights_bytes"), result.memory.stages[10].weights_bytes);
    EXPECT_EQ(figure_value(result, "memory_stages_1_weights_bytes"), result.memory.stages[1].weights_bytes);
    EXPECT_EQ(figure_value(result, "verdict.summary"), std::nullopt);
}

} // namespace meshwright

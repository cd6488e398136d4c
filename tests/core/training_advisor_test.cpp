// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "random_plans.h"
#include "search/slider_steps.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

TrainingAdvice advice_on(const Plan &plan) {
    return training_advice(plan, shipped_presets());
}

Plan patched(const Plan &plan, const std::string &patch) {
    nlohmann::ordered_json document = to_json(plan);
    document.merge_patch(nlohmann::ordered_json::parse(patch));
    return plan_from_json(document, shipped_presets());
}

/// The plan on a cluster with fewer nodes.
Plan on_nodes(const char *id, std::int64_t nodes) {
    Plan plan = preset_plan(id);
    plan.cluster.tiers.back().accelerators = 8 * nodes;
    plan.parallelism = {};
    plan.parallelism.tensor = 8;
    plan.parallelism.data = nodes;
    plan.batch = {.sequence_length = 4096, .global_sequences = 256, .micro_sequences = 1};
    return plan;
}

TEST(TrainingAdvisor, TellsModelsAndMachinesByTheirSize) {
    const Regime small = advice_on(on_nodes("pretrain-8b", 8)).regime;
    EXPECT_EQ(small.scale, ModelScale::small);
    EXPECT_FALSE(small.poor);
    const Regime medium = advice_on(on_nodes("pretrain-70b-1k-design", 16)).regime;
    EXPECT_EQ(medium.scale, ModelScale::medium);
    const Regime poor = advice_on(on_nodes("pretrain-70b-1k-design", 2)).regime;
    EXPECT_TRUE(poor.poor) << "70B on 16 accelerators";
    EXPECT_EQ(advice_on(preset_plan("llama3-405b-16k")).regime.scale, ModelScale::large);
}

TEST(TrainingAdvisor, NamesTheWaysOfTheRegime) {
    const auto ways = [](const Plan &plan) {
        std::vector<std::string> names;
        const TrainingAdvice advice = advice_on(plan);
        for (const AdvisorOption &way : advice.steps.front().ways)
            names.push_back(way.name);
        return names;
    };
    EXPECT_EQ(ways(on_nodes("pretrain-8b", 8)),
              (std::vector<std::string>{"data only", "tensor within a node, data for the rest"}));
    EXPECT_EQ(
        ways(on_nodes("pretrain-70b-1k-design", 16)),
        (std::vector<std::string>{"tensor and pipeline", "tensor within a node, data for the rest", "ZeRO-3 only"}));
    EXPECT_EQ(ways(preset_plan("llama3-405b-16k")).front(),
              "tensor over the whole node, pipeline, and data with ZeRO up to stage 2");
    EXPECT_EQ(ways(on_nodes("pretrain-70b-1k-design", 64)).size(), 4U);
}

TEST(TrainingAdvisor, SearchesEveryWayAndKeepsToIt) {
    const TrainingAdvice advice = advice_on(on_nodes("pretrain-70b-1k-design", 16));
    ASSERT_TRUE(advice.best);
    for (const AdvisorOption &way : advice.steps.front().ways) {
        if (!way.best)
            continue;
        const Parallelism &p = way.best->plan.parallelism;
        EXPECT_GE(way.best->step_seconds, advice.best->step_seconds * (1 - 1e-12)) << way.name;
        EXPECT_EQ(evaluate(way.best->plan, Depth::numbers).step.seconds, way.best->step_seconds);
        if (way.name == "ZeRO-3 only") {
            EXPECT_EQ(p.tensor * p.pipeline, 1);
            EXPECT_EQ(p.zero_stage, 3);
        } else if (way.name == "tensor and pipeline") {
            EXPECT_GT(p.tensor, 1);
            EXPECT_GT(p.pipeline, 1);
        } else {
            EXPECT_EQ(p.pipeline, 1);
            EXPECT_LE(p.tensor, 8);
        }
    }
    EXPECT_FALSE(advice.comparison.empty());
}

void expect_evaluated(const Attempt &attempt, const Plan &plan) {
    const Result result = evaluate(patched(plan, attempt.patch), Depth::numbers);
    EXPECT_NEAR(result.step.seconds, attempt.step_seconds, 1e-9 * attempt.step_seconds) << attempt.title;
    EXPECT_EQ(result.verdict.fits, attempt.fits) << attempt.title;
    EXPECT_NEAR(attempt.gain, 1 - result.step.seconds / evaluate(plan, Depth::numbers).step.seconds, 1e-9);
}

TEST(TrainingAdvisor, EvaluatesEverySuggestionAndEverySlider) {
    for (const char *id : {"pretrain-8b", "pretrain-70b-1k-design", "llama3-405b-16k", "deepseek-v3"}) {
        const Plan plan = preset_plan(id);
        const TrainingAdvice advice = advice_on(plan);
        EXPECT_EQ(advice.steps.size(), 3U) << id;
        EXPECT_TRUE(advice.complete);
        for (const AdvisorStep &step : advice.steps)
            for (const Attempt &attempt : step.attempts)
                expect_evaluated(attempt, plan);
        EXPECT_FALSE(advice.sliders.empty()) << id;
        for (const SliderStep &slider : advice.sliders) {
            EXPECT_NE(slider.from, slider.to);
            expect_evaluated(slider.attempt, plan);
        }
    }
}

TEST(TrainingAdvisor, OffersWhatMakesAPlanFit) {
    Plan plan = on_nodes("pretrain-70b-1k-design", 16);
    plan.parallelism.tensor = 1;
    plan.parallelism.data = 128;
    plan.parallelism.zero_stage = 0;
    const TrainingAdvice advice = advice_on(plan);
    EXPECT_FALSE(advice.fits);
    const AdvisorStep &fit = advice.steps.front();
    EXPECT_NE(fit.finding.text.find("more memory than is available"), std::string::npos);
    ASSERT_FALSE(fit.attempts.empty());
    EXPECT_TRUE(advice.best);
}

TEST(TrainingAdvisor, StopsWhenAskedTo) {
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(training_advice(preset_plan("llama3-405b-16k"), shipped_presets(), source.get_token()).complete);
}

TEST(TrainingAdvisor, TakesEveryPreset) {
    for (const std::string &id : evaluable_plans()) {
        const TrainingAdvice advice = advice_on(preset_plan(id.c_str()));
        EXPECT_TRUE(advice.complete) << id;
        EXPECT_EQ(to_json(advice).at("steps").size(), 3U) << id;
    }
}

} // namespace
} // namespace meshwright

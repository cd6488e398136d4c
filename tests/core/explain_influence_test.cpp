// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"
#include "explain/explain.h"
#include "explained_plans.h"
#include "preset_plans.h"
#include "random_plans.h"
#include "recomputed.h"
#include "sensitivity/explain_influence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace meshwright {

namespace {

using ResultPointer = std::shared_ptr<const Result>;

constexpr std::size_t max_followed = 3;

ResultPointer evaluated(const Plan &plan) {
    return std::make_shared<const Result>(evaluate(plan, Depth::numbers));
}

void expect_derivation(const InfluenceQuestion &question, const Influence &influence) {
    const std::optional<ExplainedInfluence> made = explain_influence(question, influence.variation);
    const std::string where = question.figure + " with " + influence.variation.pointer;
    ASSERT_TRUE(made) << where;
    const Derivation *const change = find_figure(made->tree, influence_name(question, influence.before));
    ASSERT_NE(change, nullptr) << where;
    EXPECT_NEAR(change->value, influence.change, 1e-9 * std::max(std::abs(influence.change), 1e-3)) << where;
    EXPECT_NEAR(testing::recomputed(*change), change->value, 1e-9 * std::abs(change->value)) << where;
    EXPECT_NE(change->title.find(influence.variation.what), std::string::npos) << change->title;
    const auto both = {change->find("before"), change->find("after")};
    for (const Derivation *const side : both) {
        ASSERT_NE(side, nullptr) << where;
        EXPECT_TRUE(!side->inputs.empty() || !side->figure.empty() || !side->field.empty()) << where;
        EXPECT_TRUE(side->figure.empty() || find_figure(made->tree, side->figure) != nullptr) << side->figure;
    }
}

void expect_derivations(const InfluenceQuestion &question, bool some = true) {
    const std::vector<Influence> found = influences(question);
    EXPECT_TRUE(!some || !found.empty()) << question.figure;
    for (std::size_t i = 0; i < std::min(max_followed, found.size()); ++i)
        expect_derivation(question, found[i]);
}

class ExplainedInfluences : public ::testing::TestWithParam<std::string> { };

} // namespace

TEST_P(ExplainedInfluences, SayTheChangeThatWasFound) {
    const ResultPointer result = evaluated(preset_plan(GetParam().c_str()));
    for (const std::string_view figure : headline_figures(*result))
        expect_derivations({result, nullptr, std::string(figure)});
    // This figure exists only in the explanation.
    expect_derivations({result, nullptr, "schedule_makespan_seconds"}, false);
}

INSTANTIATE_TEST_SUITE_P(Presets, ExplainedInfluences,
                         ::testing::Values("smollm-135m", "llama3-405b-16k", "deepseek-v3", "ten-to-25"),
                         [](const auto &parameter) { return test_name(parameter.param); });

TEST(ExplainedInfluence, KeepsTheSignOfAFigureBelowZero) {
    Plan plan = preset_plan("pretrain-70b-1k-design");
    plan.cluster.accelerator.memory_bytes /= 4;
    const ResultPointer result = evaluated(plan);
    ASSERT_LT(result->verdict.headroom_bytes, 0);
    const InfluenceQuestion question{result, nullptr, "verdict.headroom_bytes"};
    const std::vector<Influence> found = influences(question);
    const auto memory = std::find_if(found.begin(), found.end(), [](const Influence &each) {
        return each.variation.pointer == "/cluster/accelerator/memory_bytes";
    });
    ASSERT_NE(memory, found.end());
    EXPECT_GT(memory->change, 0) << "more memory must increase the headroom";
    expect_derivation(question, *memory);
}

TEST(ExplainedInfluence, SaysHowAChangeChanges) {
    const Plan plan = preset_plan("pretrain-70b-1k-design");
    Plan changed = plan;
    changed.recompute = {.mode = RecomputeMode::full, .layers = 0, .modules = {}};
    for (const bool as_share : {false, true})
        for (const char *figure : {"step.seconds", "memory.peak_bytes"})
            expect_derivations({evaluated(changed), evaluated(plan), figure, as_share});
}

/// Compares two plans, each also with a varied input; a node refers to figures of its own plan.
TEST(ExplainedInfluence, KeepsTheFiguresOfFourPlansApart) {
    const Plan plan = preset_plan("pretrain-70b-1k-design");
    Plan changed = plan;
    changed.recompute = {.mode = RecomputeMode::full, .layers = 0, .modules = {}};
    const InfluenceQuestion question{evaluated(changed), evaluated(plan), "step.seconds", true};
    const std::optional<ExplainedInfluence> made = explain_influence(question, influences(question).front().variation);
    ASSERT_TRUE(made);
    std::map<std::string, double> figures;
    for (const Derivation &figure : made->tree.inputs)
        EXPECT_TRUE(figures.try_emplace(figure.name, figure.value).second) << figure.name << " occurs twice";
    int references = 0;
    testing::for_each_node(made->tree, [&](const Derivation &node) {
        if (node.figure.empty() || !node.inputs.empty())
            return;
        ++references;
        const auto found = figures.find(node.figure);
        if (found != figures.end()) {
            EXPECT_NEAR(found->second, node.value, 1e-9 * std::abs(node.value)) << node.name << " as " << node.figure;
        }
    });
    EXPECT_GT(references, 400);
    for (const auto &[name, result] :
         {std::pair{"step_seconds", made->plans.before}, std::pair{"changed_step_seconds", made->plans.after},
          std::pair{"varied_step_seconds", made->varied.before},
          std::pair{"varied_changed_step_seconds", made->varied.after}})
        EXPECT_DOUBLE_EQ(figures.at(name), result->step.seconds) << name;
}

TEST(ExplainedInfluence, OfSitesThatDifferComparesBriefRuns) {
    Plan plan = preset_plan("ten-to-25-36"); // with 563 fragments and unequal sites, the influences take too long
    plan.cluster.wan->jitter_seconds = 0.05;
    plan.faults.site_speed_variation = 0.1;
    const ResultPointer result = evaluated(plan);
    for (const char *figure : {"outer.utilisation", "run.days", "outer_utilisation_p10"})
        expect_derivations({result, nullptr, figure});
}

TEST(ExplainedInfluence, OfAnInputThatIsNotVariedIsNothing) {
    const ResultPointer result = evaluated(preset_plan("pretrain-8b"));
    EXPECT_FALSE(explain_influence({result, nullptr, "step.seconds"}, {.pointer = "/name", .from = "a", .to = "b"}));
    EXPECT_FALSE(explain_influence({nullptr, nullptr, "step.seconds"}, {.pointer = "/run/tokens"}));
}

} // namespace meshwright

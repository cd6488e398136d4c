// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "pipeline/layout_solver.h"
#include "plan/plan_json.h"
#include "preset_plans.h"
#include "step/plan_layout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace meshwright {
namespace {

Plan preset_plan(const std::string &id) {
    return plan_from_json(shipped_presets().json(PresetKind::plan, id), shipped_presets());
}

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Time of the slowest stage in the best pipeline layout, found by trying all layouts.
double by_trying(const LayoutProblem &problem) {
    double best = unlimited;
    const std::size_t stages = problem.budget_bytes.size();
    const std::function<void(std::size_t, std::size_t, double)> cut = [&](std::size_t stage, std::size_t from,
                                                                          double slowest) {
        if (stage == stages) {
            if (from == problem.layers.size())
                best = std::min(best, slowest);
            return;
        }
        LayerLoad load;
        const auto add = [&load](const LayerLoad &more) {
            load.seconds += more.seconds;
            load.bytes += more.bytes;
        };
        if (stage == 0)
            add(problem.first);
        if (stage + 1 == stages)
            add(problem.last);
        for (std::size_t to = from; to <= problem.layers.size(); ++to) {
            if (to > from)
                add(problem.layers[to - 1]);
            if (load.bytes <= problem.budget_bytes[stage])
                cut(stage + 1, to, std::max(slowest, load.seconds));
        }
    };
    cut(0, 0, 0);
    return best;
}

RC_GTEST_PROP(LayoutSolver, FindsNoWorseCutThanTryingAllOfThem, ()) {
    const auto load = [] { return LayerLoad{*rc::gen::inRange(0, 9) / 1.0, *rc::gen::inRange(0, 9) / 1.0}; };
    LayoutProblem problem{.first = load(), .last = load()};
    const int layers = *rc::gen::inRange(0, 9);
    const int stages = *rc::gen::inRange(1, 5);
    for (int i = 0; i < layers; ++i)
        problem.layers.push_back(load());
    for (int i = 0; i < stages; ++i)
        problem.budget_bytes.push_back(*rc::gen::inRange(5, 40));
    const std::optional<LayoutSolution> found = solve_layout(problem);
    const double best = by_trying(problem);
    RC_ASSERT(found.has_value() == (best < unlimited));
    if (!found)
        return;
    RC_ASSERT(found->slowest_seconds == best);
    RC_ASSERT(std::accumulate(found->layers.begin(), found->layers.end(), std::int64_t{0}) == layers);
}

TEST(LayoutSolver, GivesLlama3OneLayerLessOnBothEnds) {
    // 126 layers on 16 stages; the head costs two thirds of a layer, the embedding little.
    LayoutProblem problem{.first = {.seconds = 0.01}, .last = {.seconds = 0.66}};
    problem.layers.assign(126, {.seconds = 1});
    problem.budget_bytes.assign(16, unlimited);
    std::vector<std::int64_t> expected(16, 8);
    expected.front() = expected.back() = 7;
    EXPECT_EQ(solve_layout(problem)->layers, expected);
    // With eight chunks per rank, the first chunk has only the embedding and the last one only the head.
    problem.budget_bytes.assign(128, unlimited);
    expected.assign(128, 1);
    expected.front() = expected.back() = 0;
    EXPECT_EQ(solve_layout(problem)->layers, expected);
}

TEST(LayoutSolver, EarlyStagesThatHoldMoreTakeFewerLayers) {
    LayoutProblem problem;
    problem.layers.assign(8, {.seconds = 1, .bytes = 1});
    problem.budget_bytes.assign(2, 12);
    problem.layer_bytes = {std::vector<double>(8, 4), std::vector<double>(8, 2)};
    EXPECT_EQ(solve_layout(problem)->layers, (std::vector<std::int64_t>{3, 5}));
    problem.budget_bytes.assign(2, 8);
    EXPECT_FALSE(solve_layout(problem).has_value());
}

Plan with_layout(Plan plan, const PlannedLayout &layout) {
    plan.parallelism.layout = layout.layers;
    return plan;
}

TEST(LayoutSolver, LaysOutLlama3AsItsMakersDid) {
    Plan plan = preset_plan("llama3-405b-16k");
    plan.parallelism.layout.clear();
    const PlannedLayout layout = best_layout(plan);
    ASSERT_EQ(layout.layers.size(), 128U);
    EXPECT_EQ(layout.layers.front(), 0);
    EXPECT_EQ(layout.layers.back(), 0);
    EXPECT_EQ(*std::max_element(layout.layers.begin(), layout.layers.end()), 1);
    EXPECT_EQ(layout.text.substr(0, 6), "E|t|t|");
    EXPECT_EQ(layout.text.substr(layout.text.size() - 4), "|t|L");
}

TEST(LayoutSolver, LaysOutDeepSeekV3WithItsDenseLayersInFront) {
    const Plan plan = preset_plan("deepseek-v3");
    const PlannedLayout layout = best_layout(plan);
    ASSERT_EQ(static_cast<std::int64_t>(layout.layers.size()), plan.virtual_stages());
    EXPECT_EQ(std::accumulate(layout.layers.begin(), layout.layers.end(), std::int64_t{0}), 61);
    EXPECT_LT(layout.layers.back(), layout.layers.front()); // the last stage also has the head and the MTP module
    EXPECT_LE(layout.slowest_seconds, layout.present_seconds);
    EXPECT_EQ(layout.text.substr(layout.text.size() - 2), "mL");
}

TEST(LayoutSolver, WritesALayoutThatReadsBackAndIsValid) {
    for (const char *id : {"llama3-405b-8k", "deepseek-v3", "pretrain-70b-1k-design", "bloom-176b"}) {
        Plan plan = preset_plan(id);
        const PlannedLayout layout = best_layout(plan);
        std::vector<std::int64_t> read;
        for (const LayoutStage &stage : read_layout(layout.text))
            read.push_back(stage.layers);
        EXPECT_EQ(read, layout.layers) << id;
        EXPECT_TRUE(check_plan(with_layout(plan, layout)).empty()) << id;
        EXPECT_LE(layout.slowest_seconds, layout.present_seconds * (1 + 1e-9)) << id;
    }
}

TEST(LayoutSolver, LeavesAPlanAsItIsThatHasTooManyLayersAndStages) {
    Plan plan = preset_plan("bloom-176b");
    plan.parallelism.layout.clear();
    plan.parallelism.pipeline = 2048;
    plan.parallelism.data = 1;
    plan.cluster.tiers.back().accelerators = plan.parallelism.tensor * plan.parallelism.pipeline;
    plan.model.layers.front().count = 4000;
    ASSERT_TRUE(check_plan(plan).empty()) << check_plan(plan).front().message.text;
    EXPECT_FALSE(is_layout_searched(plan));
    const PlannedLayout layout = best_layout(plan);
    EXPECT_EQ(layout.layers, stage_layers(plan));
    EXPECT_EQ(layout.slowest_seconds, layout.present_seconds);
    plan.parallelism.pipeline = 512;
    EXPECT_TRUE(is_layout_searched(plan));
}

} // namespace
} // namespace meshwright

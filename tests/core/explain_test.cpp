// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"
#include "evaluate/explain.h"
#include "preset_plans.h"
#include "random_plans.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <muParser.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <set>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

void for_each_node(const Derivation &node, const std::function<void(const Derivation &)> &visit) {
    visit(node);
    for (const Derivation &input : node.inputs)
        for_each_node(input, visit);
}

/// What a node's formula gives over its inputs.
double recomputed(const Derivation &node) {
    mu::Parser parser;
    for (const Derivation &input : node.inputs)
        parser.DefineConst(input.name, input.value);
    parser.SetExpr(node.formula);
    return parser.Eval();
}

class ExplainedPlan : public testing::TestWithParam<std::string> {
protected:
    ExplainedPlan()
        : result(evaluate(preset_plan(GetParam().c_str()), Depth::numbers))
        , tree(explain(result)) { }
    Result result;
    Derivation tree;
};

} // namespace

TEST_P(ExplainedPlan, GivesEveryNodeAsItsFormulaOverItsInputs) {
    for_each_node(tree, [](const Derivation &node) {
        if (node.formula.empty()) {
            EXPECT_TRUE(node.inputs.empty()) << node.name;
            return;
        }
        const double value = recomputed(node);
        EXPECT_NEAR(value, node.value, 1e-9 * std::max(std::abs(value), 1e-9)) << node.name << " = " << node.formula;
    });
}

TEST_P(ExplainedPlan, NamesInputsOnceAndAllOfThemAreUsed) {
    for_each_node(tree, [&](const Derivation &node) {
        std::set<std::string> names;
        for (const Derivation &input : node.inputs) {
            EXPECT_TRUE(names.insert(input.name).second) << node.name << " has two inputs named " << input.name;
            if (&node != &tree) {
                EXPECT_NE(node.formula.find(input.name), std::string::npos) << input.name << " in " << node.formula;
            }
        }
    });
}

TEST_P(ExplainedPlan, NamesASourceAndATitleForEveryNode) {
    for_each_node(tree, [](const Derivation &node) {
        EXPECT_FALSE(node.source.empty()) << node.name;
        EXPECT_FALSE(node.title.empty()) << node.name;
        EXPECT_TRUE(std::isfinite(node.value)) << node.name;
    });
}

TEST_P(ExplainedPlan, HasTheValuesOfTheResult) {
    const Json json = to_json(result);
    const auto is_explained = [&](const std::string &path) {
        const Derivation *node = find_figure(tree, path);
        ASSERT_NE(node, nullptr) << path;
        std::string pointer = "/" + path;
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        const double value = json.at(Json::json_pointer(pointer)).get<double>();
        EXPECT_NEAR(node->value, value, 1e-12 * std::abs(value)) << path;
    };
    for (const auto &item : json["step"].items())
        if (item.key().ends_with("_seconds") && item.key() != "low_seconds" && item.key() != "high_seconds")
            is_explained("step." + item.key());
    for (std::size_t i = 0; i < json["memory"]["stages"].size(); ++i)
        for (const auto &item : json["memory"]["stages"][i].items())
            if (item.key().ends_with("_bytes"))
                is_explained(fmt::format("memory.stages.{}.{}", i, item.key()));
    for (const char *path :
         {"verdict.headroom_bytes", "memory.peak_bytes", "step.seconds", "step.mfu", "step.hfu",
          "step.tokens_per_second", "pipeline.bubble_of_ideal", "run.days", "run.rental_dollars", "run.energy_joules",
          "run.expected_failures", "cluster.node_share_of_threshold", "cluster.total_h100_equivalents"})
        is_explained(path);
    if (result.outer)
        for (const char *path : {"outer.utilisation", "outer.up_bytes_per_round", "outer.down_bytes_per_round"})
            is_explained(path);
}

INSTANTIATE_TEST_SUITE_P(Presets, ExplainedPlan, testing::ValuesIn(evaluable_plans()),
                         [](const auto &parameter) { return test_name(parameter.param); });

TEST(Explanation, PointsAtPlanFieldsThatExist) {
    const Result result = evaluate(preset_plan("ten-to-25"), Depth::numbers);
    const Json plan = to_json(result.plan);
    for_each_node(explain(result), [&](const Derivation &node) {
        if (node.origin == Origin::plan) {
            EXPECT_TRUE(plan.contains(Json::json_pointer(node.field))) << node.name << " at " << node.field;
        }
    });
}

TEST(Explanation, PutsNumbersForNames) {
    const Result result = evaluate(preset_plan("ten-to-25"), Depth::numbers);
    const Derivation tree = explain(result);
    const Derivation *days = find_figure(tree, "run.days");
    ASSERT_NE(days, nullptr);
    EXPECT_EQ(days->formula, "run_seconds / 86400");
    EXPECT_EQ(days->substituted(), text_of(result.run.seconds, Quantity::seconds) + " / 86400");
}

} // namespace meshwright

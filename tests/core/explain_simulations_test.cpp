// SPDX-License-Identifier: GPL-3.0-or-later
#include "explained_plans.h"
#include "sensitivity/simulations.h"
#include "step/plan_pipeline.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace meshwright {

namespace {

using testing::Explained;
using testing::for_each_node;

void expect_simulations(const Explained &plan) {
    Simulations simulations(plan.result);
    for_each_node(plan.tree, [&](const Derivation &node) {
        if (node.origin != Origin::simulation || node.inputs.empty())
            return;
        const std::optional<double> value = simulations.value_of(node);
        ASSERT_TRUE(value) << node.name << " = " << node.formula;
        double largest = 0; // a difference of similar terms keeps their rounding errors
        for (const Derivation &input : node.inputs)
            largest = std::max(largest, std::abs(input.value));
        EXPECT_NEAR(node.value, *value, 1e-9 * std::abs(*value) + 1e-15 * largest)
            << node.name << " = " << node.formula;
    });
}

class ExplainedProcedures : public ::testing::TestWithParam<std::string> { };

Plan plan_with(const char *preset, const std::vector<std::pair<const char *, nlohmann::ordered_json>> &fields) {
    nlohmann::ordered_json document = shipped_presets().json(PresetKind::plan, preset);
    for (const auto &[field, value] : fields)
        document[nlohmann::ordered_json::json_pointer(field)] = value;
    return plan_of(document);
}

} // namespace

TEST_P(ExplainedProcedures, GiveTheirValuesFromTheirInputs) {
    expect_simulations(testing::explained(preset_plan(GetParam().c_str())));
}

INSTANTIATE_TEST_SUITE_P(Presets, ExplainedProcedures, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &parameter) { return test_name(parameter.param); });

RC_GTEST_PROP(ExplainedProcedure, GiveTheirValuesInAnyPlan, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    expect_simulations(testing::explained(*plan));
}

TEST(ExplainedProcedure, FollowEveryTopologyOfTheOuterLoop) {
    for (const std::string &topology : topology_names())
        expect_simulations(testing::explained(plan_with("ten-to-25", {{"/aggregation/topology", topology}})));
}

/// The executed pipeline and all figures from it.
TEST_P(ExplainedProcedures, ExecuteThePipelineOfTheirInputs) {
    Explained plan = testing::explained(preset_plan(GetParam().c_str()));
    plan.tree = explain(plan.result, simulate_pipeline(plan.result.plan));
    expect_simulations(plan);
}

} // namespace meshwright

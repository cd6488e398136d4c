// SPDX-License-Identifier: GPL-3.0-or-later
#include "explained_plans.h"
#include "procedures_again.h"
#include "step/plan_pipeline.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace meshwright {

namespace {

using testing::Explained;
using testing::for_each_node;
using testing::run_again;
using testing::whole;
using testing::with_degrees;

void expect_procedures(const Explained &plan) {
    for_each_node(plan.tree, [&](const Derivation &node) {
        if (node.origin != Origin::procedure || node.inputs.empty())
            return;
        const double value = run_again(plan.result, node);
        double largest = 0; // differences of like terms leave rounding of theirs
        for (const Derivation &input : node.inputs)
            largest = std::max(largest, std::abs(input.value));
        EXPECT_NEAR(node.value, value, 1e-9 * std::abs(value) + 1e-15 * largest) << node.name << " = " << node.formula;
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
    expect_procedures(testing::explained(preset_plan(GetParam().c_str())));
}

INSTANTIATE_TEST_SUITE_P(Presets, ExplainedProcedures, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &parameter) { return test_name(parameter.param); });

RC_GTEST_PROP(ExplainedProcedure, GiveTheirValuesInAnyPlan, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    expect_procedures(testing::explained(*plan));
}

TEST(ExplainedProcedure, FollowEveryTopologyOfTheOuterLoop) {
    for (const std::string &topology : topology_names())
        expect_procedures(testing::explained(plan_with("ten-to-25", {{"/aggregation/topology", topology}})));
}

/// The executed pipeline, run again with the schedule, stages, microbatches and chunks of the node's inputs.
TEST_P(ExplainedProcedures, ExecuteThePipelineOfTheirInputs) {
    const Explained plan = testing::explained(preset_plan(GetParam().c_str()));
    const Derivation tree = explain(plan.result, simulate_pipeline(plan.result.plan));
    std::map<std::string, PlanPipeline> executed;
    std::string rank;
    for_each_node(tree, [&](const Derivation &node) {
        if (node.name.starts_with("schedule_ranks_"))
            rank = node.name.substr(15, node.name.find('_', 15) - 15);
        const bool is_figure = node.name.starts_with("schedule_") || node.name == "activations";
        if (!is_figure || !node.formula.starts_with("schedule("))
            return;
        const Plan own = with_degrees(plan.result.plan, node);
        EXPECT_EQ(own.microbatches(), whole(node, "microbatches"));
        const auto found = executed.try_emplace("", simulate_pipeline(own)).first;
        const Timeline &timeline = found->second.timeline;
        const std::size_t index = rank.empty() ? 0 : std::stoul(rank);
        const std::map<std::string, double> figures{
            {"schedule_ideal_seconds", timeline.ideal},
            {"schedule_idle_seconds", timeline.makespan - timeline.ideal},
            {"schedule_span_seconds", timeline.span},
            {"schedule_exposed_sends_seconds", found->second.exposed.sends},
            {"schedule_exposed_tensor_seconds", found->second.exposed.tensor},
            {"schedule_exposed_context_seconds", found->second.exposed.context},
            {"schedule_exposed_expert_seconds", found->second.exposed.expert},
            {"schedule_exposed_data_seconds", found->second.exposed.data},
            {"schedule_exposed_recompute_seconds", found->second.exposed.recompute},
            {"schedule_ranks_" + rank + "_in_flight", timeline.peak_in_flight.at(index)},
            {"activations", timeline.peak_bytes.at(index) - found->second.work.resident_bytes.at(index)}};
        EXPECT_NEAR(node.value, figures.at(node.name), 1e-9 * std::abs(node.value)) << node.name;
    });
}

} // namespace meshwright

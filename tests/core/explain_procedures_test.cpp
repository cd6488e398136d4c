// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/placement.h"
#include "evidence/similar_runs.h"
#include "explained_plans.h"
#include "formulas/wan.h"
#include "outer/monte_carlo.h"
#include "outer/traffic.h"
#include "pipeline/closed_forms.h"
#include "step/executed_pipeline.h"
#include "step/plan_layout.h"
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

std::int64_t whole(const Derivation &node, const char *input) {
    return std::llround(node.find(input)->value);
}

/// The plan with the degrees that a node has for inputs.
Plan with_degrees(Plan plan, const Derivation &node) {
    Parallelism &parallelism = plan.parallelism;
    const std::pair<const char *, std::int64_t *> degrees[] = {
        {"tensor", &parallelism.tensor},     {"context", &parallelism.context},
        {"pipeline", &parallelism.pipeline}, {"stages", &parallelism.pipeline},
        {"chunks", &parallelism.chunks},     {"expert", &parallelism.expert},
        {"data", &parallelism.data},         {"expert_tensor", &parallelism.expert_tensor}};
    for (const auto &[name, degree] : degrees)
        if (node.find(name) != nullptr)
            *degree = whole(node, name);
    if (node.find("schedule") != nullptr)
        parallelism.schedule = static_cast<Schedule>(whole(node, "schedule"));
    return plan;
}

double stride(const Plan &plan, const std::string &group) {
    const Groups groups = groups_of(plan);
    const std::map<std::string, std::int64_t> strides{
        {"tensor", groups.tensor.stride},    {"context", groups.context.stride},
        {"expert", groups.expert.stride},    {"expert_tensor", groups.expert_tensor.stride},
        {"data", groups.data.stride},        {"expert_data", groups.expert_data.stride},
        {"pipeline", groups.pipeline_stride}};
    return static_cast<double>(strides.at(group));
}

double spread(Plan plan, const Derivation &node) {
    plan = with_degrees(std::move(plan), node);
    EXPECT_EQ(node.find("layers")->value, static_cast<double>(plan.model.layer_count()));
    return static_cast<double>(stage_layers(plan).at(static_cast<std::size_t>(whole(node, "place"))));
}

double parameters_of(const Result &result) {
    return result.parameters.total + result.parameters.mtp;
}

double outer_loop(const Result &result, const Derivation &node) {
    Plan plan = result.plan;
    plan.cluster.sites = whole(node, "sites");
    plan.outer.inner_steps = whole(node, "inner_steps");
    plan.outer.fragments = whole(node, "fragments");
    plan.outer.overlap_steps = whole(node, "overlap_steps");
    plan.outer.quorum = whole(node, "quorum");
    plan.cluster.wan->uplink_bits_per_second = node.find("uplink")->value;
    plan.cluster.wan->downlink_bits_per_second = node.find("downlink")->value;
    plan.cluster.wan->round_trip_seconds = node.find("round_trip")->value;
    const OuterRun run = usual_run(plan, parameters_of(result), node.find("step_seconds")->value);
    EXPECT_NEAR(run.up_bytes, node.find("up_bytes")->value, 1e-9 * run.up_bytes);
    EXPECT_NEAR(run.down_bytes, node.find("down_bytes")->value, 1e-9 * run.down_bytes);
    const std::map<std::string, double> figures{{"outer_utilisation", run.utilisation},
                                                {"outer_inner_seconds", run.inner_seconds},
                                                {"outer_stall_seconds_per_round", run.stall_seconds},
                                                {"outer_round_seconds", run.round_seconds},
                                                {"outer_uplink_load", run.uplink_load},
                                                {"outer_downlink_load", run.downlink_load},
                                                {"outer_staleness_steps", run.staleness_steps}};
    return figures.at(node.figure.empty() ? node.name : node.figure);
}

double topology(const Result &result, const Derivation &node) {
    Plan plan = result.plan;
    plan.cluster.sites = whole(node, "sites");
    const Traffic traffic = traffic_of(plan, parameters_of(result));
    const std::string &figure = node.figure.empty() ? node.name : node.figure;
    return (figure == "outer_up_bytes_per_round" ? traffic.up_bits : traffic.down_bits) / 8;
}

/// What executing the pipeline of the node's inputs gives of a rank.
double executed_rank(const Plan &plan, const PipelineCosts &costs, const RankMemory &memory, const ExecutedOrder &order,
                     const Derivation &node) {
    if (node.name == "in_flight")
        return memory.held_parts;
    if (node.name == "microbatches")
        return memory.waiting_microbatches + 1;
    const auto rank = static_cast<std::size_t>(whole(node, "rank"));
    if (node.name == "missing")
        return rank_state_bytes(plan, shard_groups_of(plan), costs.ranks[rank].cost.parameters).gradients
            - memory.gradients_bytes;
    return static_cast<double>(peak_in_flight(order).at(rank));
}

/// What executing the pipeline of the node's inputs gives of a step.
double executed_step(const Result &result, const Derivation &node) {
    const Plan plan = with_degrees(result.plan, node);
    const Assumptions assumed(plan.assumptions);
    const LayerCosts layers(plan, assumed);
    const PipelineCosts costs = pipeline_costs(plan, layers);
    const ExecutedOrder order = *executed_order(plan, layers, costs);
    if (node.find("rank") != nullptr)
        return executed_rank(
            plan, costs,
            memory_of_ranks(plan, layers, costs, assumed, &order).at(static_cast<std::size_t>(whole(node, "rank"))),
            order, node);
    const StepSeconds step = executed_step_seconds(plan, layers, costs, assumed, &order);
    const std::map<std::string, double> figures{{"step_bubble_seconds", step.bubble},
                                                {"step_pipeline_exposed_seconds", step.pipeline},
                                                {"idle_seconds", step.idle},
                                                {"span_idle_seconds", step.span_idle}};
    return figures.at(node.figure.empty() ? node.name : node.figure);
}

double span_bubble(const Plan &plan, const Derivation &node) {
    PipelineShape shape{.schedule = static_cast<Schedule>(whole(node, "schedule")),
                        .stages = whole(node, "stages"),
                        .microbatches = whole(node, "microbatches"),
                        .chunks = whole(node, "chunks"),
                        .group = plan.parallelism.group.value_or(plan.parallelism.pipeline),
                        .forward = node.find("forward")->value,
                        .input_gradient = node.find("input_gradient")->value,
                        .weight_gradient = node.find("weight_gradient")->value};
    return span_bubble_seconds(shape);
}

/// The end of an interval that the nearest measured runs give: of a step, of tensors or of what the driver shows.
double nearest_runs(const Plan &plan, const Derivation &node) {
    EXPECT_EQ(node.find("accelerators")->value, static_cast<double>(plan.site_accelerators()));
    EXPECT_EQ(node.find("microbatches")->value, static_cast<double>(plan.microbatches()));
    const bool low = node.find("share")->value == KnownRuns::low_share;
    const KnownRuns &known = *KnownRuns::standard(plan.assumptions);
    const RunFeatures features = features_of(plan);
    double nearest = 0;
    for (const IntervalFactors factors :
         {known.step_interval(features), known.memory_interval(features, MeasuredMemory::allocated),
          known.memory_interval(features, MeasuredMemory::device)}) {
        const double end = low ? factors.low : factors.high;
        if (std::abs(end - node.value) < std::abs(nearest - node.value))
            nearest = end;
    }
    return nearest;
}

double hops(const Result &result, const Derivation &node) {
    Plan plan = result.plan;
    plan.cluster.sites = whole(node, "sites");
    return traffic_of(plan, parameters_of(result)).hops;
}

/// The least chance of a site with which a quorum has the wanted one, to what halving an interval gives.
double least_availability(const Derivation &node) {
    const auto chance = [&](double availability) {
        return formula::quorum_probability(node.find("sites")->value, node.find("quorum")->value, availability);
    };
    const double wanted = node.find("utilisation")->value;
    EXPECT_GE(chance(node.value), wanted);
    EXPECT_TRUE(node.value < 1e-9 || chance(node.value - 1e-9) < wanted) << node.value;
    return node.value;
}

/// A procedure's value, by running it on the values of the node's inputs.
double run_again(const Result &result, const Derivation &node) {
    const std::string procedure = node.formula.substr(0, node.formula.find('('));
    if (procedure.starts_with("stride_of_"))
        return stride(with_degrees(result.plan, node), procedure.substr(10));
    if (procedure == "even_spread")
        return spread(result.plan, node);
    if (procedure == "outer_loop")
        return outer_loop(result, node);
    if (procedure == "topology")
        return topology(result, node);
    if (procedure == "schedule")
        return executed_step(result, node);
    if (procedure == "span_bubble")
        return span_bubble(result.plan, node);
    if (procedure == "nearest_runs")
        return nearest_runs(result.plan, node);
    if (procedure == "hops")
        return hops(result, node);
    if (procedure == "least_availability")
        return least_availability(node);
    if (procedure == "present_cut" || procedure == "best_cut") {
        EXPECT_EQ(whole(node, "stages"), result.plan.parallelism.pipeline);
        EXPECT_EQ(whole(node, "layers"), result.plan.model.layer_count());
        const PlannedLayout layout = best_layout(result.plan);
        return procedure == "best_cut" ? layout.slowest_seconds : layout.present_seconds;
    }
    ADD_FAILURE() << "nothing runs " << procedure << " again";
    return std::nan("");
}

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

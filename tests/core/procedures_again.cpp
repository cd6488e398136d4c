// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures_again.h"

#include "cost/placement.h"
#include "evidence/similar_runs.h"
#include "formulas/wan.h"
#include "memory/memory_model.h"
#include "outer/monte_carlo.h"
#include "outer/traffic.h"
#include "pipeline/closed_forms.h"
#include "step/executed_pipeline.h"
#include "step/plan_layout.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace meshwright::testing {

std::int64_t whole(const Derivation &node, const char *input) {
    return std::llround(node.find(input)->value);
}

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

namespace {

/// Equal to no value: what a node has for inputs is not what its plan has.
constexpr double disagreement = std::numeric_limits<double>::quiet_NaN();

bool is_near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::abs(a);
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
    if (whole(node, "layers") != plan.model.layer_count())
        return disagreement;
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
    if (!is_near(run.up_bytes, node.find("up_bytes")->value)
        || !is_near(run.down_bytes, node.find("down_bytes")->value))
        return disagreement;
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
    if (whole(node, "accelerators") != plan.site_accelerators() || whole(node, "microbatches") != plan.microbatches())
        return disagreement;
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
    const bool is_least = node.value < 1e-9 || chance(node.value - 1e-9) < wanted;
    return chance(node.value) >= wanted && is_least ? node.value : disagreement;
}

} // namespace

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
        if (whole(node, "stages") != result.plan.parallelism.pipeline
            || whole(node, "layers") != result.plan.model.layer_count())
            return disagreement;
        const PlannedLayout layout = best_layout(result.plan);
        return procedure == "best_cut" ? layout.slowest_seconds : layout.present_seconds;
    }
    return disagreement; // no such procedure is known
}

} // namespace meshwright::testing

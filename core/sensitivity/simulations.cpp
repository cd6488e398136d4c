// SPDX-License-Identifier: GPL-3.0-or-later
#include "sensitivity/simulations.h"

#include "cost/placement.h"
#include "input/diagnostic.h"
#include "memory/memory_model.h"
#include "outer/monte_carlo.h"
#include "outer/requirements.h"
#include "outer/traffic.h"
#include "pipeline/closed_forms.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"
#include "sensitivity/comparison.h"
#include "step/executed_pipeline.h"
#include "step/plan_layout.h"
#include "step/plan_pipeline.h"

#include <cmath>
#include <utility>

namespace meshwright {

namespace {

bool is_near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::abs(a);
}

/// The input's value if it is a count; empty if it is fractional or missing.
std::optional<std::int64_t> whole(const Derivation &node, std::string_view input) {
    const Derivation *const found = node.find(input);
    if (found == nullptr || found->value != std::round(found->value) || std::abs(found->value) > 1e15)
        return std::nullopt;
    return static_cast<std::int64_t>(found->value);
}

double input(const Derivation &node, std::string_view name) {
    return node.find(name)->value;
}

/// An input divided by its value in the result; 1 if the input is missing or that value is 0.
double ratio(const Derivation &node, std::string_view name, double present) {
    const Derivation *const found = node.find(name);
    return found == nullptr || present == 0 || is_near(present, found->value) ? 1 : found->value / present;
}

/// Name of the figure that the node shows or refers to, without the prefix "changed_".
std::string figure_of(const Derivation &node) {
    constexpr std::string_view changed("changed_");
    std::string figure = node.figure.empty() ? node.name : node.figure;
    return figure.starts_with(changed) ? figure.substr(changed.size()) : figure;
}

template <typename Values>
std::optional<double> named_in(const Values &values, const std::string &name) {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

double parameters_of(const Result &result) {
    return result.parameters.total + result.parameters.mtp;
}

/// Whether the result used brief_run() for its outer loop.
bool is_brief(const Result &result) {
    if (!result.outer || are_alike(result.plan))
        return false;
    const double step = inner_step_seconds(result);
    const OuterRun brief = brief_run(result.plan, parameters_of(result), step);
    return brief.utilisation == result.outer->utilisation && brief.round_seconds == result.outer->round_seconds;
}

double send_seconds_of(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs) {
    return pipeline_shape(plan, layers, costs, costs.busiest).hop;
}

/// What a simulation of a plan's pipeline needs. The times of passes and sends are scaled so that they match the inputs
/// of a derivation's node.
struct Executed {
    Executed(const Plan &of, const Result &result, const Derivation &node)
        : plan(of)
        , assumed(plan.assumptions)
        , layers(plan, assumed)
        , costs(pipeline_costs(plan, layers)) {
        costs = longer_by(std::move(costs), ratio(node, "forward", result.pipeline.forward_seconds),
                          ratio(node, "backward", result.pipeline.backward_seconds),
                          ratio(node, "hop", send_seconds_of(plan, layers, costs)));
    }

    const Plan &plan;
    Assumptions assumed;
    LayerCosts layers;
    PipelineCosts costs;
};

std::optional<double> of_rank(const Executed &executed, const ExecutedOrder &order, const Derivation &node,
                              std::size_t rank) {
    const std::vector<RankMemory> ranks =
        memory_of_ranks(executed.plan, executed.layers, executed.costs, executed.assumed, &order);
    if (rank >= ranks.size())
        return std::nullopt;
    if (node.name == "in_flight")
        return ranks[rank].parts_in_flight;
    if (node.name == "max_in_flight")
        return ranks[rank].max_parts_in_flight;
    if (node.name == "microbatches")
        return ranks[rank].waiting_microbatches + 1;
    if (node.name == "missing")
        return rank_state_bytes(executed.plan, shard_groups_of(executed.plan),
                                executed.costs.ranks[rank].cost.parameters)
                   .gradients
            - ranks[rank].gradients_bytes;
    return static_cast<double>(peak_in_flight(order).at(rank));
}

std::optional<double> of_step(const Executed &executed, const ExecutedOrder &order, const Derivation &node) {
    const StepSeconds step =
        executed_step_seconds(executed.plan, executed.layers, executed.costs, executed.assumed, &order);
    return named_in(std::map<std::string, double>{{"step_bubble_seconds", step.bubble},
                                                  {"step_pipeline_exposed_seconds", step.pipeline},
                                                  {"idle_seconds", step.idle},
                                                  {"span_idle_seconds", step.span_idle}},
                    figure_of(node));
}

/// Idle time of all ranks due to the cause that the node names.
std::optional<double> of_idle(const Executed &executed, const ExecutedOrder *order, const Derivation &node) {
    const IdleShares idle = idle_of_ranks(executed.plan, executed.layers, executed.costs, executed.assumed, order);
    return named_in(std::map<std::string, double>{{"pipeline_idle_warm_up_and_drain", idle.warm_up_and_drain},
                                                  {"pipeline_idle_imbalance", idle.imbalance},
                                                  {"pipeline_idle_waiting_for_sends", idle.sends}},
                    figure_of(node));
}

std::optional<double> least_availability(const Derivation &node) {
    const std::optional<std::int64_t> sites = whole(node, "sites");
    const std::optional<std::int64_t> quorum = whole(node, "quorum");
    const double wanted = input(node, "utilisation");
    if (!sites || !quorum || *quorum > *sites || !(wanted < 1))
        return std::nullopt;
    return availability_for(static_cast<double>(*sites), static_cast<double>(*quorum), wanted);
}

/// Key of a simulation: all inputs except those specific to a rank, because one simulation covers every rank.
std::string key_of(const Derivation &node) {
    std::string key;
    for (const Derivation &each : node.inputs)
        if (each.name != "rank" && each.name != "in_flight") {
            key += each.name;
            key.append(reinterpret_cast<const char *>(&each.value), sizeof each.value);
        }
    return key;
}

} // namespace

Simulations::Simulations(const Result &result, std::shared_ptr<const KnownRuns> known)
    : m_result(result)
    , m_known(std::move(known)) { }

Simulations::~Simulations() = default;

std::optional<Plan> Simulations::plan_of(const Derivation &node) const {
    Plan plan = m_result.plan;
    Parallelism &parallelism = plan.parallelism;
    const std::pair<const char *, std::int64_t *> degrees[] = {
        {"tensor", &parallelism.tensor},     {"context", &parallelism.context},
        {"pipeline", &parallelism.pipeline}, {"stages", &parallelism.pipeline},
        {"chunks", &parallelism.chunks},     {"expert", &parallelism.expert},
        {"data", &parallelism.data},         {"expert_tensor", &parallelism.expert_tensor}};
    bool differs = false;
    for (const auto &[name, degree] : degrees) {
        if (node.find(name) == nullptr)
            continue;
        const std::optional<std::int64_t> wanted = whole(node, name);
        if (!wanted)
            return std::nullopt;
        differs = differs || *wanted != *degree;
        *degree = *wanted;
    }
    if (node.find("schedule") != nullptr) {
        const std::optional<std::int64_t> place = whole(node, "schedule");
        if (!place || *place < 0 || *place >= static_cast<std::int64_t>(schedule_names().size()))
            return std::nullopt;
        differs = differs || static_cast<Schedule>(*place) != parallelism.schedule;
        parallelism.schedule = static_cast<Schedule>(*place);
    }
    if (node.find("microbatches") != nullptr && input(node, "microbatches") != double(plan.microbatches())) {
        const std::optional<std::int64_t> microbatches = whole(node, "microbatches");
        if (!microbatches)
            return std::nullopt;
        differs = true;
        plan.batch.global_sequences = *microbatches * parallelism.data * plan.batch.micro_sequences;
    }
    // The evaluated plan is accepted even if it breaks a rule, but a plan with changed inputs is not.
    if (differs && !check_plan(plan).empty())
        return std::nullopt;
    return plan;
}

std::optional<double> Simulations::even_spread(const Derivation &node) const {
    const std::optional<Plan> plan = plan_of(node);
    const std::optional<std::int64_t> place = whole(node, "place");
    if (!plan || !place || whole(node, "layers") != plan->model.layer_count())
        return std::nullopt;
    const std::vector<std::int64_t> layers = stage_layers(*plan);
    const auto at = static_cast<std::size_t>(*place);
    return at < layers.size() ? std::optional(static_cast<double>(layers[at])) : std::nullopt;
}

std::optional<double> Simulations::outer_loop(const Derivation &node) const {
    if (!m_result.outer)
        return std::nullopt;
    Plan plan = m_result.plan;
    const std::pair<const char *, std::int64_t *> numbers[] = {{"sites", &plan.cluster.sites},
                                                               {"inner_steps", &plan.outer.inner_steps},
                                                               {"fragments", &plan.outer.fragments},
                                                               {"overlap_steps", &plan.outer.overlap_steps},
                                                               {"quorum", &plan.outer.quorum}};
    for (const auto &[name, number] : numbers) {
        const std::optional<std::int64_t> wanted = whole(node, name);
        if (!wanted)
            return std::nullopt;
        *number = *wanted;
    }
    Wan &wan = *plan.cluster.wan;
    wan.uplink_bits_per_second = input(node, "uplink");
    wan.downlink_bits_per_second = input(node, "downlink");
    wan.round_trip_seconds = input(node, "round_trip");
    if (plan != m_result.plan && !check_plan(plan).empty())
        return std::nullopt;
    const double parameters = parameters_of(m_result);
    const double step = input(node, "step_seconds");
    const Traffic traffic = traffic_of(plan, parameters);
    const SimulationSize size{.up_factor = ratio(node, "up_bytes", traffic.up_bits / 8),
                              .down_factor = ratio(node, "down_bytes", traffic.down_bits / 8)};
    const std::string figure = figure_of(node);
    if (figure == "outer_utilisation_p10" || figure == "outer_utilisation_p90") {
        const Percentiles busy =
            simulate_runs(plan, parameters, step, usual_seed, usual_runs(plan), size).of(&OuterRun::utilisation);
        return figure.ends_with("10") ? busy.p10 : busy.p90;
    }
    const OuterRun run =
        is_brief(m_result) ? brief_run(plan, parameters, step, size) : usual_run(plan, parameters, step, size);
    return named_in(std::map<std::string, double>{{"outer_utilisation", run.utilisation},
                                                  {"outer_inner_seconds", run.inner_seconds},
                                                  {"outer_stall_seconds_per_round", run.stall_seconds},
                                                  {"outer_round_seconds", run.round_seconds},
                                                  {"outer_uplink_load", run.uplink_load},
                                                  {"outer_downlink_load", run.downlink_load},
                                                  {"outer_staleness_steps", run.staleness_steps}},
                    figure);
}

std::optional<double> Simulations::payload_on_the_wire(const Derivation &node) const {
    Plan plan = m_result.plan;
    const std::optional<std::int64_t> sites = whole(node, "sites");
    if (!sites || *sites < 2)
        return std::nullopt;
    plan.cluster.sites = *sites;
    const Traffic traffic = traffic_of(plan, parameters_of(m_result));
    if (node.name == "hops")
        return traffic.hops;
    const double Traffic::*const way =
        figure_of(node) == "outer_up_bytes_per_round" ? &Traffic::up_bits : &Traffic::down_bits;
    plan.aggregation.topology = Topology::star; // a star with one aggregator: each site sends one payload
    plan.aggregation.aggregators = 1;
    return traffic.*way / 8 * ratio(node, "payload", traffic_of(plan, parameters_of(m_result)).*way / 8);
}

std::optional<double> Simulations::executed_pipeline(const Derivation &node, const Plan &plan) {
    std::shared_ptr<const PlanPipeline> &pipeline = m_pipelines[key_of(node)];
    if (pipeline == nullptr) {
        const Executed executed(plan, m_result, node);
        pipeline = std::make_shared<const PlanPipeline>(
            simulate_pipeline(plan, executed.layers, executed.costs, executed.assumed));
    }
    const Timeline &timeline = pipeline->timeline;
    const ExposedCauses &exposed = pipeline->exposed;
    if (const std::optional<std::int64_t> rank = whole(node, "rank")) {
        const auto at = static_cast<std::size_t>(*rank);
        if (at >= timeline.peak_bytes.size())
            return std::nullopt;
        return node.name == "activations" ? timeline.peak_bytes[at] - pipeline->work.resident_bytes[at]
                                          : static_cast<double>(timeline.peak_in_flight[at]);
    }
    return named_in(std::map<std::string, double>{{"schedule_ideal_seconds", timeline.ideal},
                                                  {"schedule_idle_seconds", timeline.makespan - timeline.ideal},
                                                  {"schedule_span_seconds", timeline.span},
                                                  {"schedule_idle_warm_up_and_drain", pipeline->idle.warm_up_and_drain},
                                                  {"schedule_idle_imbalance", pipeline->idle.imbalance},
                                                  {"schedule_idle_waiting_for_sends", pipeline->idle.sends},
                                                  {"schedule_exposed_sends_seconds", exposed.sends},
                                                  {"schedule_exposed_tensor_seconds", exposed.tensor},
                                                  {"schedule_exposed_context_seconds", exposed.context},
                                                  {"schedule_exposed_expert_seconds", exposed.expert},
                                                  {"schedule_exposed_data_seconds", exposed.data},
                                                  {"schedule_exposed_recompute_seconds", exposed.recompute}},
                    figure_of(node));
}

std::optional<double> Simulations::schedule(const Derivation &node) {
    const std::optional<Plan> plan = plan_of(node);
    if (!plan)
        return std::nullopt;
    const std::string figure = figure_of(node);
    if (figure.starts_with("schedule_") || node.name == "activations")
        return executed_pipeline(node, *plan);
    const Executed executed(*plan, m_result, node);
    const std::optional<ExecutedOrder> order = executed_order(*plan, executed.layers, executed.costs);
    if (figure.starts_with("pipeline_idle_"))
        return of_idle(executed, order ? &*order : nullptr, node);
    if (!order)
        return std::nullopt;
    if (node.find("rank") == nullptr)
        return of_step(executed, *order, node);
    const std::optional<std::int64_t> rank = whole(node, "rank");
    return rank ? of_rank(executed, *order, node, static_cast<std::size_t>(*rank)) : std::nullopt;
}

std::optional<double> Simulations::span_bubble(const Derivation &node) const {
    const std::optional<Plan> plan = plan_of(node);
    if (!plan)
        return std::nullopt;
    const Parallelism &parallelism = plan->parallelism;
    return span_bubble_seconds({.schedule = parallelism.schedule,
                                .stages = parallelism.pipeline,
                                .microbatches = plan->microbatches(),
                                .chunks = parallelism.chunks,
                                .group = parallelism.group.value_or(parallelism.pipeline),
                                .forward = input(node, "forward"),
                                .input_gradient = input(node, "input_gradient"),
                                .weight_gradient = input(node, "weight_gradient")});
}

/// One end of the interval of step time, tensor memory or driver-reported memory, derived from the nearest measured
/// runs.
std::optional<double> Simulations::nearest_runs(const Derivation &node) {
    const Plan &plan = m_result.plan;
    const double share = input(node, "share");
    if (whole(node, "accelerators") != plan.site_accelerators() || whole(node, "microbatches") != plan.microbatches()
        || (share != KnownRuns::low_share && share != KnownRuns::high_share))
        return std::nullopt;
    if (m_known == nullptr)
        m_known = KnownRuns::standard(plan.own_assumptions());
    double nearest = 0;
    for (const IntervalFactors factors :
         {m_known->step_interval(plan), m_known->memory_interval(plan, MeasuredMemory::allocated),
          m_known->memory_interval(plan, MeasuredMemory::device)}) {
        const double end = share == KnownRuns::low_share ? factors.low : factors.high;
        if (std::abs(end - node.value) < std::abs(nearest - node.value))
            nearest = end;
    }
    return nearest;
}

std::optional<double> Simulations::cut(const Derivation &node, bool best) const {
    const Plan &plan = m_result.plan;
    if (whole(node, "stages") != plan.parallelism.pipeline || whole(node, "layers") != plan.model.layer_count())
        return std::nullopt;
    const PlannedLayout layout = best_layout(plan);
    return best ? layout.slowest_seconds : layout.present_seconds;
}

std::optional<double> Simulations::run(const Derivation &node) {
    const std::string simulation = node.formula.substr(0, node.formula.find('('));
    if (simulation == "even_spread")
        return even_spread(node);
    if (simulation == "outer_loop")
        return outer_loop(node);
    if (simulation == "topology" || simulation == "hops")
        return payload_on_the_wire(node);
    if (simulation == "schedule")
        return schedule(node);
    if (simulation == "span_bubble")
        return span_bubble(node);
    if (simulation == "nearest_runs")
        return nearest_runs(node);
    if (simulation == "least_availability")
        return least_availability(node);
    if (simulation == "present_cut" || simulation == "best_cut")
        return cut(node, simulation == "best_cut");
    return std::nullopt;
}

std::optional<double> Simulations::value_of(const Derivation &node) {
    try {
        const std::optional<double> value = run(node);
        return value && std::isfinite(*value) ? value : std::nullopt;
    } catch (const InputError &) {
        return std::nullopt; // too many operations to simulate
    }
}

} // namespace meshwright

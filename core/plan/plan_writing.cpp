// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_json.h"
#include "plan/published_reading.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

/// Writes integral values without a decimal point, so that JSON readers keep them exact.
Json number(double value) {
    constexpr double exact = 9007199254740992.0; // 2^53
    if (value == static_cast<double>(static_cast<std::int64_t>(std::min(std::abs(value), exact))) && value >= 0)
        return static_cast<std::int64_t>(value);
    return value;
}

Json parallelism_json(const Parallelism &parallelism) {
    Json json{{"tensor", parallelism.tensor},
              {"context", parallelism.context},
              {"pipeline", parallelism.pipeline},
              {"chunks", parallelism.chunks},
              {"expert", parallelism.expert},
              {"expert_tensor", parallelism.expert_tensor},
              {"data", parallelism.data},
              {"sequence_parallel", parallelism.sequence_parallel},
              {"zero_stage", parallelism.zero_stage},
              {"schedule", name_of(parallelism.schedule)}};
    if (parallelism.group)
        json["group"] = *parallelism.group;
    if (parallelism.shard_group)
        json["shard_group"] = *parallelism.shard_group;
    if (!parallelism.layout_text.empty())
        json["layout"] = parallelism.layout_text;
    else if (!parallelism.layout.empty())
        json["layout"] = parallelism.layout;
    if (parallelism.placement != Parallelism{}.placement)
        for (const Dimension dimension : parallelism.placement)
            json["placement"].push_back(dimension_names()[static_cast<std::size_t>(dimension)]);
    return json;
}

Json precision_json(const Precision &precision) {
    return {{"compute", name_of(precision.compute)},
            {"weights", name_of(precision.weights)},
            {"gradients", name_of(precision.gradients)},
            {"master", name_of(precision.master)},
            {"moments", name_of(precision.moments)}};
}

Json recompute_json(const Recompute &recompute) {
    Json json{{"mode", recompute_mode_names()[static_cast<std::size_t>(recompute.mode)]}};
    if (recompute.mode == RecomputeMode::layers || recompute.layers != 0)
        json["layers"] = recompute.layers;
    if (recompute.mode == RecomputeMode::modules || !recompute.modules.empty())
        json["modules"] = recompute.modules;
    return json;
}

Json wire_json(const Wire &wire) {
    Json json{{"bits", number(wire.bits)},
              {"density", number(wire.density)},
              {"index", index_encoding_names()[static_cast<std::size_t>(wire.index)]}};
    if (wire.scale_bits != 0)
        json["scale_bits"] = number(wire.scale_bits);
    return json;
}

Json outer_json(const Outer &outer) {
    Json json{{"method", outer_method_names()[static_cast<std::size_t>(outer.method)]}};
    if (outer.method == OuterMethod::none)
        return json;
    json["inner_steps"] = outer.inner_steps;
    json["fragments"] = outer.fragments;
    json["overlap_steps"] = outer.overlap_steps;
    json["up"] = wire_json(outer.up);
    json["down"] = wire_json(outer.down);
    json["error_feedback"] = outer.error_feedback;
    json["quorum"] = outer.quorum;
    if (outer.step_seconds)
        json["step_seconds"] = number(*outer.step_seconds);
    const Outer usual;
    if (outer.pattern != usual.pattern)
        json["pattern"] = fragment_pattern_names()[static_cast<std::size_t>(outer.pattern)];
    if (outer.late_updates != usual.late_updates)
        json["late_updates"] = late_update_names()[static_cast<std::size_t>(outer.late_updates)];
    if (outer.release != usual.release)
        json["release"] = release_names()[static_cast<std::size_t>(outer.release)];
    if (outer.steps_by_speed != usual.steps_by_speed)
        json["steps_by_speed"] = outer.steps_by_speed;
    return json;
}

/// Writes only the fields that differ from the ideal defaults; empty if none does.
Json aggregation_json(const Aggregation &aggregation) {
    const Aggregation usual;
    Json json = Json::object();
    const auto choice = [&](const char *key, auto value, auto usual_value, const std::vector<std::string> &names) {
        if (value != usual_value)
            json[key] = names[static_cast<std::size_t>(value)];
    };
    const auto given = [&](const char *key, const std::optional<double> &value) {
        if (value)
            json[key] = number(*value);
    };
    const auto differing = [&](const char *key, auto value, auto usual_value) {
        if (value != usual_value)
            json[key] = value;
    };
    choice("topology", aggregation.topology, usual.topology, topology_names());
    differing("aggregators", aggregation.aggregators, usual.aggregators);
    choice("arrangement", aggregation.arrangement, usual.arrangement, arrangement_names());
    given("ingress_bits_per_second", aggregation.ingress_bits_per_second);
    given("egress_bits_per_second", aggregation.egress_bits_per_second);
    given("quantise_parameters_per_second", aggregation.quantise_parameters_per_second);
    given("average_parameters_per_second", aggregation.average_parameters_per_second);
    differing("grace_share", aggregation.grace_share, usual.grace_share);
    differing("grace_limit_seconds", aggregation.grace_limit_seconds, usual.grace_limit_seconds);
    given("quorum_wait_seconds", aggregation.quorum_wait_seconds);
    differing("least_quorum", aggregation.least_quorum, usual.least_quorum);
    differing("latest_rounds", aggregation.latest_rounds, usual.latest_rounds);
    choice("late_weight", aggregation.late_weight, usual.late_weight, late_weight_names());
    differing("late_decay", aggregation.late_decay, usual.late_decay);
    given("egress_dollars_per_gigabyte", aggregation.egress_dollars_per_gigabyte);
    return json;
}

Json run_json(const Run &run) {
    Json json = Json::object();
    json["tokens"] = number(run.tokens);
    json["rental_dollars_per_accelerator_hour"] = number(run.rental_dollars_per_accelerator_hour);
    json["energy_dollars_per_kilowatt_hour"] = number(run.energy_dollars_per_kilowatt_hour);
    json["power_usage_effectiveness"] = number(run.power_usage_effectiveness);
    json["power_share"] = number(run.power_share);
    return json;
}

Json faults_json(const Faults &faults) {
    Json json{{"accelerator_mtbf_seconds", number(faults.accelerator_mtbf_seconds)},
              {"recovery_seconds", number(faults.recovery_seconds)},
              {"checkpoint_bandwidth_bytes_per_second", number(faults.checkpoint_bandwidth_bytes_per_second)},
              {"checkpoint_blocking_share", number(faults.checkpoint_blocking_share)}};
    if (faults.checkpoint_store_bytes_per_second)
        json["checkpoint_store_bytes_per_second"] = number(*faults.checkpoint_store_bytes_per_second);
    if (faults.checkpoint_interval_seconds)
        json["checkpoint_interval_seconds"] = number(*faults.checkpoint_interval_seconds);
    const Faults usual;
    const auto differing = [&](const char *key, auto value, auto usual_value) {
        if (value != usual_value)
            json[key] = value;
    };
    if (faults.site_mtbf_seconds)
        json["site_mtbf_seconds"] = number(*faults.site_mtbf_seconds);
    differing("site_recovery_seconds", faults.site_recovery_seconds, usual.site_recovery_seconds);
    differing("site_recovery_shape", faults.site_recovery_shape, usual.site_recovery_shape);
    differing("rejoin_bytes_per_parameter", faults.rejoin_bytes_per_parameter, usual.rejoin_bytes_per_parameter);
    differing("in_flight_lost", faults.in_flight_lost, usual.in_flight_lost);
    differing("site_speed_variation", faults.site_speed_variation, usual.site_speed_variation);
    differing("step_variation", faults.step_variation, usual.step_variation);
    return json;
}

} // namespace

Json to_json(const Plan &plan) {
    Json json{{"schema", "meshwright.plan/1"}, {"name", plan.name}};
    json["cluster"] = to_json(plan.cluster);
    json["model"] = plan.model_id.empty() ? to_json(plan.model) : Json(plan.model_id);
    json["stack"] = plan.stack_id.empty() ? to_json(plan.stack) : Json(plan.stack_id);
    json["parallelism"] = parallelism_json(plan.parallelism);
    json["batch"] = {{"sequence_length", plan.batch.sequence_length},
                     {"global_sequences", plan.batch.global_sequences},
                     {"micro_sequences", plan.batch.micro_sequences}};
    json["precision"] = precision_json(plan.precision);
    json["recompute"] = recompute_json(plan.recompute);
    json["optimizer"] = {{"name", optimizer_names()[static_cast<std::size_t>(plan.optimizer.kind)]}};
    if (plan.optimizer.kind == OptimizerKind::sgd)
        json["optimizer"]["momentum"] = number(plan.optimizer.momentum);
    json["offload"] = {{"optimizer", number(plan.offload.optimizer)},
                       {"activations", number(plan.offload.activations)},
                       {"outer", plan.offload.outer}};
    json["outer"] = outer_json(plan.outer);
    if (Json aggregation = aggregation_json(plan.aggregation); !aggregation.empty())
        json["aggregation"] = std::move(aggregation);
    json["run"] = run_json(plan.run);
    json["faults"] = faults_json(plan.faults);
    for (const auto &[name, value] : plan.own_assumptions())
        json["assumptions"][name] = number(value);
    if (Json published = published_json(plan.published); !published.empty())
        json["published"] = std::move(published);
    if (!plan.constraints_json.empty())
        json.update(Json::parse(plan.constraints_json));
    return json;
}

} // namespace meshwright

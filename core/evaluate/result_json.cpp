// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "quantities/units.h"

#include <nlohmann/json.hpp>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

Json verdict_json(const Verdict &verdict) {
    return {{"fits", verdict.fits},
            {"headroom_bytes", verdict.headroom_bytes},
            {"bottleneck", bottleneck_names()[static_cast<std::size_t>(verdict.bottleneck)]},
            {"summary", verdict.summary.text}};
}

Json parameters_json(const Parameters &parameters) {
    return {{"total", parameters.total},
            {"active", parameters.active},
            {"embedding", parameters.embedding},
            {"mtp", parameters.mtp},
            {"mixer", parameters.mixer},
            {"feed_forward", parameters.feed_forward},
            {"routed_experts", parameters.routed_experts},
            {"shared_experts", parameters.shared_experts},
            {"routers", parameters.routers},
            {"norms", parameters.norms},
            {"positions", parameters.positions},
            {"other", parameters.other}};
}

Json memory_json(const Memory &memory) {
    Json json{{"capacity_bytes", memory.capacity_bytes}, {"peak_bytes", memory.peak_bytes},
              {"peak_stage", memory.peak_stage},         {"peak_operation", memory.peak_operation},
              {"host_bytes", memory.host_bytes},         {"reserved_bytes", memory.reserved_bytes},
              {"outside_bytes", memory.outside_bytes}};
    if (memory.high_bytes > 0) {
        json["low_bytes"] = memory.low_bytes;
        json["high_bytes"] = memory.high_bytes;
        json["reserved_low_bytes"] = memory.reserved_low_bytes;
        json["reserved_high_bytes"] = memory.reserved_high_bytes;
    }
    json["stages"] = Json::array();
    for (const StageMemory &stage : memory.stages)
        json["stages"].push_back({{"stage", stage.stage},
                                  {"layers", stage.layers},
                                  {"first_layer", stage.first_layer},
                                  {"parameters", stage.parameters},
                                  {"total_bytes", stage.total_bytes},
                                  {"weights_bytes", stage.weights_bytes},
                                  {"gradients_bytes", stage.gradients_bytes},
                                  {"optimizer_bytes", stage.optimizer_bytes},
                                  {"master_bytes", stage.master_bytes},
                                  {"moments_bytes", stage.moments_bytes},
                                  {"activations_bytes", stage.activations_bytes},
                                  {"logits_bytes", stage.logits_bytes},
                                  {"buffers_bytes", stage.buffers_bytes},
                                  {"outer_bytes", stage.outer_bytes},
                                  {"runtime_bytes", stage.runtime_bytes},
                                  {"peak_operation", stage.peak_operation}});
    return json;
}

Json step_json(const Step &step) {
    Json json{{"seconds", step.seconds},
              {"compute_seconds", step.term(StepTerm::compute)},
              {"recompute_seconds", step.term(StepTerm::recompute)},
              {"bubble_seconds", step.term(StepTerm::bubble)},
              {"tensor_exposed_seconds", step.term(StepTerm::tensor)},
              {"context_exposed_seconds", step.term(StepTerm::context)},
              {"expert_exposed_seconds", step.term(StepTerm::expert)},
              {"pipeline_exposed_seconds", step.term(StepTerm::pipeline)},
              {"data_exposed_seconds", step.term(StepTerm::data)},
              {"optimizer_seconds", step.term(StepTerm::optimizer)},
              {"mfu", step.mfu},
              {"hfu", step.hfu},
              {"mfu_6nd", step.mfu_6nd},
              {"mfu_full_attention", step.mfu_full_attention},
              {"model_flops_per_second_per_accelerator", step.model_flops_per_second_per_accelerator},
              {"tokens_per_second", step.tokens_per_second},
              {"tokens_per_second_per_accelerator", step.tokens_per_second_per_accelerator}};
    if (step.copies_seconds > 0)
        json["detail"] = {{"copies_seconds", step.copies_seconds}};
    if (step.high_seconds > 0) {
        json["low_seconds"] = step.low_seconds;
        json["high_seconds"] = step.high_seconds;
    }
    return json;
}

Json pipeline_json(const Pipeline &pipeline) {
    const Json closed_form =
        pipeline.closed_form_makespan_seconds ? Json(*pipeline.closed_form_makespan_seconds) : Json(nullptr);
    return {{"schedule", name_of(pipeline.schedule)},
            {"bubble_of_ideal", pipeline.bubble_of_ideal},
            {"bubble_of_total", pipeline.bubble_of_total},
            {"bubble_of_span", pipeline.bubble_of_span},
            {"idle_of_all_ranks", pipeline.idle_of_all_ranks},
            {"idle_warm_up_and_drain", pipeline.idle_warm_up_and_drain},
            {"idle_imbalance", pipeline.idle_imbalance},
            {"idle_waiting_for_sends", pipeline.idle_waiting_for_sends},
            {"makespan_seconds", pipeline.makespan_seconds},
            {"closed_form_makespan_seconds", closed_form},
            {"in_flight", pipeline.in_flight},
            {"forward_seconds", pipeline.forward_seconds},
            {"backward_seconds", pipeline.backward_seconds}};
}

Json run_json(const RunEstimate &run) {
    return {{"steps", run.steps},
            {"tokens", run.tokens},
            {"seconds", run.seconds},
            {"days", run.days},
            {"goodput", run.goodput},
            {"accelerator_hours", run.accelerator_hours},
            {"rental_dollars", run.rental_dollars},
            {"energy_joules", run.energy_joules},
            {"energy_dollars", run.energy_dollars},
            {"checkpoint_bytes", run.checkpoint_bytes},
            {"checkpoint_interval_seconds", run.checkpoint_interval_seconds},
            {"expected_failures", run.expected_failures}};
}

Json cluster_json(const ClusterEstimate &cluster) {
    return {{"accelerators", cluster.accelerators},
            {"node_h100_equivalents", cluster.node_h100_equivalents},
            {"site_h100_equivalents", cluster.site_h100_equivalents},
            {"total_h100_equivalents", cluster.total_h100_equivalents},
            {"threshold_h100_equivalents", cluster.threshold_h100_equivalents},
            {"node_share_of_threshold", cluster.node_share_of_threshold},
            {"site_share_of_threshold", cluster.site_share_of_threshold},
            {"definition", cluster.definition.text}};
}

Json outer_json(const std::optional<OuterEstimate> &estimate) {
    if (!estimate)
        return nullptr;
    const OuterEstimate &outer = *estimate;
    return {{"utilisation", outer.utilisation},
            {"inner_seconds", outer.inner_seconds},
            {"stall_seconds_per_round", outer.stall_seconds_per_round},
            {"round_seconds", outer.round_seconds},
            {"up_bytes_per_round", outer.up_bytes_per_round},
            {"down_bytes_per_round", outer.down_bytes_per_round},
            {"uplink_load", outer.uplink_load},
            {"downlink_load", outer.downlink_load},
            {"staleness_steps", outer.staleness_steps},
            {"rounds", outer.rounds},
            {"loss_penalty_low", outer.loss_penalty_low},
            {"loss_penalty_high", outer.loss_penalty_high}};
}

Json diagnostic_json(const Diagnostic &diagnostic) {
    constexpr const char *severities[] = {"error", "warning", "hint"};
    Json json{{"severity", severities[static_cast<int>(diagnostic.severity)]},
              {"code", diagnostic.code},
              {"message", diagnostic.message.text},
              {"expected", diagnostic.expected.text},
              {"fields", diagnostic.fields},
              {"fixes", Json::array()},
              {"fix_titles", Json::array()},
              {"fix_gains", Json::array()},
              {"fix_figures", Json::array()}};
    for (const Fix &fix : diagnostic.fixes) {
        json["fixes"].push_back(Json::parse(fix.patch));
        json["fix_titles"].push_back(fix.title);
        json["fix_gains"].push_back(fix.gain);
        json["fix_figures"].push_back(fix.figure);
    }
    return json;
}

Json similar_run_json(const SimilarRun &run) {
    Json json{{"id", run.id},
              {"source", run.source},
              {"model", run.model},
              {"measured", run.measured_seconds},
              {"predicted", run.predicted_seconds},
              {"error", run.error()},
              {"distance", run.distance}};
    if (run.measured_bytes && run.predicted_bytes) {
        json["measured_peak_bytes"] = *run.measured_bytes;
        json["predicted_peak_bytes"] = *run.predicted_bytes;
    }
    return json;
}

Json comparison_json(const PublishedComparison &figure, bool plan_changed) {
    const auto known = [](const auto &value) { return value ? Json(*value) : Json(nullptr); };
    return {{"figure", figure.figure},
            {"unit", units_of(figure.quantity).front().name},
            {"value", figure.value},
            {"predicted", figure.predicted},
            {"difference", figure.difference()},
            {"low", known(figure.low)},
            {"high", known(figure.high)},
            {"inside", known(figure.inside())},
            {"plan_changed", plan_changed},
            {"source", figure.source}};
}

void add_figures(const Result &result, Json &json) {
    json["verdict"] = verdict_json(result.verdict);
    json["parameters"] = parameters_json(result.parameters);
    json["flops"] = {{"per_token", result.flops.per_token},
                     {"per_step", result.flops.per_step},
                     {"hardware_per_step", result.flops.hardware_per_step}};
    json["memory"] = memory_json(result.memory);
    json["step"] = step_json(result.step);
    json["pipeline"] = pipeline_json(result.pipeline);
    json["run"] = run_json(result.run);
    json["cluster"] = cluster_json(result.cluster);
    json["outer"] = outer_json(result.outer);
}

} // namespace

Json figures_json(const Result &result) {
    Json json;
    add_figures(result, json);
    return json;
}

Json to_json(const Result &result) {
    Json json{{"schema", "meshwright.result/1"}, {"plan", to_json(result.plan)}};
    add_figures(result, json);
    json["evidence"] = Json::array();
    for (const SimilarRun &run : result.evidence)
        json["evidence"].push_back(similar_run_json(run));
    json["published"] = Json::array();
    for (const PublishedComparison &figure : result.published)
        json["published"].push_back(comparison_json(figure, result.plan.published.plan_changed));
    json["diagnostics"] = Json::array();
    for (const Diagnostic &diagnostic : result.diagnostics)
        json["diagnostics"].push_back(diagnostic_json(diagnostic));
    return json;
}

} // namespace meshwright

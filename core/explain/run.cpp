// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/context.h"

#include "explain/quantity_names.h"
#include "formulas/plan_figures.h"
#include "run/run_model.h"

namespace meshwright {

namespace {

BasicRunEstimate<Traced> traced_run(const ExplainContext &context) {
    RunInputs<Traced> inputs{.parameters = Traced(context.trained_parameters()),
                             .step_tokens = Traced(context.batch_tokens()),
                             .step_seconds = Traced(named("step_seconds", context.step_seconds_reference()))};
    if (const auto &outer = context.result.outer)
        inputs.round_seconds = Traced(
            reference_to("outer_round_seconds", {"step_seconds", "time per outer round", time}, outer->round_seconds));
    return run_estimate(context.plan, inputs);
}

Derivation figure(std::string name, const char *title, const Traced &value) {
    return value.derivation({std::move(name), title}, {});
}

} // namespace

BasicGoodput<Traced> traced_goodput(const ExplainContext &context) {
    return goodput(context.plan, Traced(context.trained_parameters()));
}

std::vector<Derivation> explain_run(const ExplainContext &context) {
    const BasicRunEstimate<Traced> run = traced_run(context);
    const auto &step = context.result.step;
    const Traced counted(inner_step(context));
    std::vector<Derivation> figures{
        figure("run_days", "run time in days", run.days),
        figure("run_seconds", "run time", run.seconds),
        figure("run_steps", "optimizer steps per site", run.steps),
        figure("run_tokens", "tokens of the run", run.tokens),
        derived({"run_flops", "FLOPs of the run", Quantity::flops}, context.result.flops.per_token * run.tokens.value(),
                "flops_per_token * tokens", "definition",
                {reference_to("flops_per_token", {"flops_per_token", "FLOPs per token", Quantity::flops},
                              context.result.flops.per_token),
                 run.tokens.derivation({"tokens", {}}, {})}),
        figure("run_computing_seconds", "time of all steps without stalls and failures",
               formula::all_steps_seconds(run.steps, counted)),
        derived({"run_mfu", "MFU at the step time used for the run", Quantity::share},
                step.mfu * step.seconds / counted.value(), "mfu * evaluated / step_seconds",
                "the same FLOPs, divided by a different step time",
                {reference_to("step_mfu", {"mfu", "MFU of the evaluated step", Quantity::share}, step.mfu),
                 named("evaluated", context.step_seconds_reference()), counted.derivation({"step_seconds", {}}, {})}),
        figure("run_accelerator_hours", "accelerator-hours", run.accelerator_hours),
        figure("run_rental_dollars", "rental cost", run.rental_dollars),
        figure("run_energy_joules", "energy", run.energy_joules),
        figure("run_energy_dollars", "energy cost", run.energy_dollars),
        figure("run_goodput", "goodput: fraction of time not lost to failures and checkpoints", run.goodput),
        figure("run_checkpoint_bytes", "checkpoint size", run.checkpoint_bytes),
        figure("run_checkpoint_interval_seconds", "time between checkpoints", run.checkpoint_interval_seconds),
        figure("run_expected_failures", "expected failures during the run", run.expected_failures)};
    if (context.result.outer)
        figures.push_back(figure("outer_rounds", "outer rounds", run.rounds));
    return figures;
}

std::vector<Derivation> explain_cluster(const ExplainContext &context) {
    const BasicClusterCompute<Traced> cluster = cluster_compute<Traced>(context.plan, context.assumed);
    return {figure("cluster_accelerators", "accelerators of all sites", cluster.accelerators),
            figure("cluster_node_h100_equivalents", "H100-equivalents per node", cluster.node_h100_equivalents),
            figure("cluster_site_h100_equivalents", "H100-equivalents per site", cluster.site_h100_equivalents),
            figure("cluster_total_h100_equivalents", "H100-equivalents of all sites", cluster.total_h100_equivalents),
            figure("cluster_threshold_h100_equivalents", "", cluster.threshold_h100_equivalents),
            figure("cluster_node_share_of_threshold", "compute of one node as a fraction of the threshold",
                   cluster.node_share_of_threshold),
            figure("cluster_site_share_of_threshold", "compute of one site as a fraction of the threshold",
                   cluster.site_share_of_threshold)};
}

} // namespace meshwright

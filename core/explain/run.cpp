// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/context.h"
#include "explain/layout.h"
#include "run/run_model.h"

#include "explain/quantity_names.h"

#include <algorithm>

namespace meshwright {

namespace {

Derivation days(const ExplainContext &context) {
    return reference_to("run_days", {"days", "run time in days"}, context.result.run.days);
}

Derivation run_seconds_reference(const ExplainContext &context) {
    return reference_to("run_seconds", {"seconds", "run time", time}, context.result.run.seconds);
}

Derivation steps_reference(const ExplainContext &context) {
    return reference_to("run_steps", {"steps", "optimizer steps per site", Quantity::count}, context.result.run.steps);
}

/// Time of all steps, or of all rounds, without failures.
Derivation training_seconds(const ExplainContext &context) {
    const Labelled what{"training_seconds", "time of all steps without failures", time};
    if (!context.result.outer)
        return by_formula(what, "run-time", "without_failures",
                          {steps_reference(context), named("step_seconds", context.step_seconds_reference())});
    const OuterEstimate &outer = *context.result.outer;
    return by_formula(
        what, "run-time", "without_failures",
        {reference_to("outer_rounds", {"steps", "outer rounds"}, outer.rounds),
         reference_to("outer_round_seconds", {"step_seconds", "time per outer round", time}, outer.round_seconds)});
}

/// Step time used for the run: the inner step time set in the plan, or else the evaluated step time.
Derivation counted_step(const ExplainContext &context) {
    if (const auto &given = context.plan.outer.step_seconds)
        return plan_field({"step_seconds", "inner step time", time}, *given, "/outer/step_seconds");
    return named("step_seconds", context.step_seconds_reference());
}

std::vector<Derivation> computing_alone(const ExplainContext &context) {
    const auto &step = context.result.step;
    const double counted = inner_step_seconds(context.result);
    return {by_formula({"run_computing_seconds", "time of all steps without stalls and failures", time}, "run-time",
                       "without_failures", {steps_reference(context), counted_step(context)}),
            derived({"run_mfu", "MFU at the step time used for the run", Quantity::share},
                    step.mfu * step.seconds / counted, "mfu * evaluated / step_seconds",
                    "the same FLOPs, divided by a different step time",
                    {reference_to("step_mfu", {"mfu", "MFU of the evaluated step", Quantity::share}, step.mfu),
                     named("evaluated", context.step_seconds_reference()), counted_step(context)})};
}

Derivation mean_power(const ExplainContext &context) {
    return by_formula({"watts", "mean power per accelerator", Quantity::watts}, "mean-power", "watts",
                      {context.accelerator_fact({"rated_watts", "rated power", Quantity::watts},
                                                context.plan.cluster.accelerator.power_watts, "power_watts"),
                       plan_field({"power_share", "mean power relative to rated power"}, context.plan.run.power_share,
                                  "/run/power_share")});
}

Derivation effectiveness(const ExplainContext &context) {
    return plan_field({"pue", "power usage effectiveness (PUE)"}, context.plan.run.power_usage_effectiveness,
                      "/run/power_usage_effectiveness");
}

std::vector<Derivation> money(const ExplainContext &context) {
    const Run &wanted = context.plan.run;
    return {by_formula({"run_accelerator_hours", "accelerator-hours"}, "rental-cost", "accelerator_hours",
                       {context.all_accelerators(), days(context)}),
            by_formula(
                {"run_rental_dollars", "rental cost", Quantity::dollars}, "rental-cost", "dollars",
                {context.all_accelerators(), days(context),
                 plan_field({"price_per_hour", "rental price of an accelerator-hour", Quantity::dollars_per_hour},
                            wanted.rental_dollars_per_accelerator_hour, "/run/rental_dollars_per_accelerator_hour")}),
            by_formula({"run_energy_joules", "energy", Quantity::joules}, "energy-cost", "joules",
                       {context.all_accelerators(), mean_power(context), days(context), effectiveness(context)}),
            by_formula({"run_energy_dollars", "energy cost", Quantity::dollars}, "energy-cost", "dollars",
                       {context.all_accelerators(), mean_power(context), days(context),
                        plan_field({"price_per_kwh", "energy price", Quantity::dollars_per_kilowatt_hour},
                                   wanted.energy_dollars_per_kilowatt_hour, "/run/energy_dollars_per_kilowatt_hour"),
                        effectiveness(context)})};
}

Derivation mtbf(const ExplainContext &context) {
    return plan_field({"accelerator_mtbf_seconds", "mean time between failures of an accelerator", time},
                      context.plan.faults.accelerator_mtbf_seconds, "/faults/accelerator_mtbf_seconds");
}

std::vector<Derivation> failures(const ExplainContext &context) {
    const RunEstimate &run = context.result.run;
    const Faults &faults = context.plan.faults;
    const BasicStateBytes<Traced> state = state_bytes<Traced>(context.plan);
    Derivation checkpoint = by_formula(
        {"run_checkpoint_bytes", "checkpoint size", Quantity::bytes}, "checkpoint-size", "bytes",
        {context.trained_parameters(),
         format_bytes({"weight_bytes", "bytes per weight", Quantity::bytes}, context.plan.precision.weights,
                      "/precision/weights"),
         state.master.derivation({"master_bytes", {}}, {}), state.moments.derivation({"momentum_bytes", {}}, {}),
         nothing({"variance_bytes", "bytes per value of the second moment", Quantity::bytes},
                 "included in the bytes of the first moment", "/precision/moments")});
    const Labelled what{"run_checkpoint_interval_seconds", "time between checkpoints", time};
    Derivation interval = faults.checkpoint_interval_seconds
        ? derived(what, run.checkpoint_interval_seconds, "max(wanted, stored_seconds)",
                  "a checkpoint begins after the previous one is stored",
                  {plan_field({"wanted", "interval set in the plan", time}, *faults.checkpoint_interval_seconds,
                              "/faults/checkpoint_interval_seconds"),
                   stored_write(context, "stored_seconds")})
        : by_formula(what, "checkpoint-interval", "interval_seconds",
                     {stopping_mtbf(context), blocking_write(context), stored_write(context, "stored_seconds")});
    Derivation share = by_formula(
        {"run_goodput", "goodput: fraction of time not lost to failures and checkpoints", Quantity::share},
        "checkpoint-waste", "goodput",
        {stopping_mtbf(context), blocking_write(context),
         reference_to("run_checkpoint_interval_seconds", {"interval_seconds", "time between checkpoints", time},
                      run.checkpoint_interval_seconds),
         plan_field({"recovery_seconds", "recovery time after a failure", time}, faults.recovery_seconds,
                    "/faults/recovery_seconds")});
    Derivation expected =
        by_formula({"run_expected_failures", "expected failures during the run"}, "expected-failures", "failures",
                   {run_seconds_reference(context), mtbf(context), context.all_accelerators()});
    return {std::move(share), std::move(checkpoint), std::move(interval), std::move(expected)};
}

} // namespace

Derivation stopping_mtbf(const ExplainContext &context) {
    const Goodput good = goodput(context.plan, context.result.parameters.total + context.result.parameters.mtp);
    const bool alone = good.stopping_accelerators < static_cast<double>(context.plan.cluster.accelerators());
    return by_formula({"mtbf_seconds", "mean time between failures that stop training", time}, "expected-failures",
                      "mtbf_seconds",
                      {mtbf(context), alone ? context.site_accelerators() : context.all_accelerators()});
}

Derivation stored_write(const ExplainContext &context, std::string name) {
    const Faults &faults = context.plan.faults;
    std::vector<Derivation> inputs{
        reference_to("run_checkpoint_bytes", {"bytes", "checkpoint size", Quantity::bytes},
                     context.result.run.checkpoint_bytes),
        plan_field({"bandwidth", "checkpoint bandwidth per accelerator", Quantity::bytes_per_second},
                   faults.checkpoint_bandwidth_bytes_per_second, "/faults/checkpoint_bandwidth_bytes_per_second"),
        named("writers", context.site_accelerators())};
    if (faults.checkpoint_store_bytes_per_second)
        inputs.push_back(
            plan_field({"store_bandwidth", "bandwidth of the checkpoint store", Quantity::bytes_per_second},
                       *faults.checkpoint_store_bytes_per_second, "/faults/checkpoint_store_bytes_per_second"));
    return by_formula({std::move(name), "time to write one checkpoint", time}, "checkpoint-write",
                      faults.checkpoint_store_bytes_per_second ? "stored_seconds" : "seconds", std::move(inputs));
}

Derivation blocking_write(const ExplainContext &context) {
    return by_formula({"write_seconds", "time that training stops for one checkpoint", time}, "blocking-write",
                      "seconds",
                      {stored_write(context, "write_seconds"),
                       plan_field({"blocking_share", "fraction of the write that blocks training", Quantity::share},
                                  context.plan.faults.checkpoint_blocking_share, "/faults/checkpoint_blocking_share")});
}

std::vector<Derivation> explain_run(const ExplainContext &context) {
    const RunEstimate &run = context.result.run;
    std::vector<Derivation> figures;
    figures.push_back(by_formula(
        {"run_days", "run time in days"}, "run-time", "days",
        {by_formula({"seconds", "run time", time}, "run-time", "run_seconds",
                    {training_seconds(context),
                     reference_to(
                         "run_goodput",
                         {"goodput", "goodput: fraction of time not lost to failures and checkpoints", Quantity::share},
                         run.goodput)})}));
    figures.push_back(named("run_seconds", figures.front().inputs.front()));
    figures.push_back(
        by_formula({"run_steps", "optimizer steps per site", Quantity::count}, "run-time", "steps_of_a_site",
                   {plan_field({"tokens", "tokens of the run", Quantity::tokens}, run.tokens, "/run/tokens"),
                    context.batch_tokens(),
                    plan_field({"sites", "sites", Quantity::count}, static_cast<double>(context.plan.cluster.sites),
                               "/cluster/sites")}));
    figures.push_back(
        derived({"run_flops", "FLOPs of the run", Quantity::flops}, context.result.flops.per_token * run.tokens,
                "flops_per_token * tokens", "definition",
                {reference_to("flops_per_token", {"flops_per_token", "FLOPs per token", Quantity::flops},
                              context.result.flops.per_token),
                 reference_to("run_tokens", {"tokens", "tokens of the run", Quantity::tokens}, run.tokens)}));
    figures.push_back(plan_field({"run_tokens", "tokens of the run", Quantity::tokens}, run.tokens, "/run/tokens"));
    for (auto part : {computing_alone, money, failures})
        for (Derivation &figure : part(context))
            figures.push_back(std::move(figure));
    return figures;
}

std::vector<Derivation> explain_cluster(const ExplainContext &context) {
    const ClusterEstimate &cluster = context.result.cluster;
    const Cluster &plan = context.plan.cluster;
    const auto peak = [&] {
        return context.accelerator_fact({"peak", "dense 16-bit peak of an accelerator", Quantity::flops_per_second},
                                        plan.accelerator.peak(DataType::bf16), "peak_flops_per_second");
    };
    const auto equivalents = [&](std::string name, std::string title, Derivation accelerators) {
        return by_formula(
            {std::move(name), std::move(title)}, "h100-equivalents", "equivalents",
            {std::move(accelerators), peak(), context.constant("equivalent_peak", ConstantId::h100_equivalent_flops)});
    };
    const auto node = [&] {
        return derived({"accelerators", "accelerators per node", Quantity::count},
                       static_cast<double>(std::min(plan.accelerators_per_node, plan.site_accelerators())),
                       "min(of_a_node, of_a_site)", "a site may be smaller than a node",
                       {plan_field({"of_a_node", "accelerators per node", Quantity::count},
                                   static_cast<double>(plan.accelerators_per_node), "/cluster/accelerators_per_node"),
                        named("of_a_site", context.site_accelerators())});
    };
    const auto share_of_threshold = [&](std::string name, std::string title, Derivation accelerators) {
        return by_formula(
            {std::move(name), std::move(title), Quantity::share}, "h100-equivalents", "share_of_threshold",
            {std::move(accelerators), peak(), context.constant("equivalent_peak", ConstantId::h100_equivalent_flops),
             reference_to("cluster_threshold_h100_equivalents", {"threshold", "threshold of a covered chip cluster"},
                          cluster.threshold_h100_equivalents)});
    };
    return {named("cluster_accelerators", context.all_accelerators()),
            equivalents("cluster_node_h100_equivalents", "H100-equivalents per node", node()),
            equivalents("cluster_site_h100_equivalents", "H100-equivalents per site", context.site_accelerators()),
            equivalents("cluster_total_h100_equivalents", "H100-equivalents of all sites", context.all_accelerators()),
            context.constant("cluster_threshold_h100_equivalents", ConstantId::compute_cluster_threshold),
            share_of_threshold("cluster_node_share_of_threshold", "compute of one node as a fraction of the threshold",
                               node()),
            share_of_threshold("cluster_site_share_of_threshold", "compute of one site as a fraction of the threshold",
                               context.site_accelerators())};
}

} // namespace meshwright

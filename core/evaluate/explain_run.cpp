// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_context.h"
#include "layers/flops.h"
#include "outer/wire.h"

#include <fmt/format.h>

namespace meshwright {

namespace {

Derivation figure(std::string name, std::string title, Quantity quantity, double value, std::string source) {
    return model_fact({std::move(name), std::move(title), quantity}, value, std::move(source));
}

Derivation step_tokens(const ExplainContext &context) {
    const Batch &batch = context.plan.batch;
    return product_of({"step_tokens", "tokens of one step of a site", Quantity::tokens}, "definition",
                      {plan_field({"global_sequences", "sequences of a step"},
                                  static_cast<double>(batch.global_sequences), "/batch/global_sequences"),
                       plan_field({"sequence_length", "tokens of a sequence"},
                                  static_cast<double>(batch.sequence_length), "/batch/sequence_length")});
}

Derivation flops_per_token(const ExplainContext &context) {
    const ForwardFlops forward =
        forward_flops(context.plan.model, static_cast<double>(context.plan.batch.sequence_length));
    return derived({"flops_per_token", "model FLOPs of one token", Quantity::flops}, context.result.flops.per_token,
                   "3 * (matrices + attention)",
                   "forward and twice as much backward; Kaplan et al. 2020, arXiv 2001.08361",
                   {figure("matrices", "multiplies with weights, forward, LM head included", Quantity::flops,
                           forward.matrices, "2 x weights that a token uses"),
                    figure("attention", "attention, forward, causal pairs only", Quantity::flops, forward.attention,
                           "scores and their use at half")});
}

Derivation peak_of_site(const ExplainContext &context) {
    const auto accelerators = static_cast<double>(context.plan.site_accelerators());
    return product_of(
        {"site_peak", "dense peak of a site", Quantity::flops_per_second}, "definition",
        {plan_field({"accelerators", "accelerators of a site"}, accelerators, "/cluster/tiers"),
         hardware_fact({"peak", "dense peak of an accelerator in the compute format", Quantity::flops_per_second},
                       context.plan.cluster.accelerator.peak(context.plan.precision.compute),
                       "the accelerator's sources", "/cluster/accelerator")});
}

Derivation step_seconds_leaf(const ExplainContext &context) {
    return figure("step_seconds", "time of one step", Quantity::seconds, context.result.step.seconds,
                  "see the step's own terms");
}

Derivation utilisation(const ExplainContext &context, std::string name, std::string title, Derivation flops,
                       double value) {
    const std::string formula = flops.name + " / (site_peak * step_seconds)";
    return derived({std::move(name), std::move(title), Quantity::share}, value, formula,
                   "PaLM, arXiv 2204.02311, appendix B",
                   {std::move(flops), peak_of_site(context), step_seconds_leaf(context)});
}

Derivation run_seconds(const ExplainContext &context) {
    const RunEstimate &run = context.result.run;
    Derivation goodput = figure("run_goodput", "share of the time that failures and checkpoints leave", Quantity::share,
                                run.goodput, "Young 1974; first-order waste");
    if (context.result.outer)
        return derived({"run_seconds", "time of the run", Quantity::seconds}, run.seconds,
                       "outer_rounds * outer_round_seconds / run_goodput", "definition",
                       {figure("outer_rounds", "outer rounds", Quantity::number, context.result.outer->rounds,
                               "steps over inner steps"),
                        figure("outer_round_seconds", "time of one outer round", Quantity::seconds,
                               context.result.outer->round_seconds, "inner steps and stalls"),
                        std::move(goodput)});
    return derived(
        {"run_seconds", "time of the run", Quantity::seconds}, run.seconds, "run_steps * step_seconds / run_goodput",
        "definition",
        {figure("run_steps", "steps", Quantity::count, run.steps, "tokens over tokens of a step, rounded up"),
         step_seconds_leaf(context), std::move(goodput)});
}

Derivation accelerator_hours(const ExplainContext &context) {
    return derived({"run_accelerator_hours", "accelerator-hours"}, context.result.run.accelerator_hours,
                   "accelerators * run_seconds / 3600", "definition",
                   {plan_field({"accelerators", "accelerators of all sites"},
                               static_cast<double>(context.plan.cluster.accelerators()), "/cluster"),
                    run_seconds(context)});
}

} // namespace

std::vector<Derivation> explain_flops(const ExplainContext &context) {
    const Flops &flops = context.result.flops;
    Derivation per_step = product_of({"flops_per_step", "model FLOPs of one step", Quantity::flops}, "definition",
                                     {flops_per_token(context), step_tokens(context)});
    Derivation hardware = figure("flops_hardware_per_step", "FLOPs of one step with recomputation", Quantity::flops,
                                 flops.hardware_per_step, "model FLOPs and the forward work that is done again");
    std::vector<Derivation> figures;
    figures.push_back(
        utilisation(context, "step_mfu", "model FLOPs utilisation", std::move(per_step), context.result.step.mfu));
    figures.push_back(
        utilisation(context, "step_hfu", "hardware FLOPs utilisation", std::move(hardware), context.result.step.hfu));
    figures.push_back(derived({"step_tokens_per_second", "tokens a second of a site"},
                              context.result.step.tokens_per_second, "step_tokens / step_seconds", "definition",
                              {step_tokens(context), step_seconds_leaf(context)}));
    return figures;
}

std::vector<Derivation> explain_pipeline(const ExplainContext &context) {
    const Pipeline &pipeline = context.result.pipeline;
    const double idle = context.step.bubble + context.step.pipeline;
    const auto idle_leaf = [&] {
        return figure("idle", "bubble and exposed sends", Quantity::seconds, idle, "terms of the step");
    };
    const auto makespan = [&] {
        return figure("pipeline_makespan_seconds", "makespan of the pipeline", Quantity::seconds,
                      pipeline.makespan_seconds, "the step without data traffic and optimizer");
    };
    return {derived({"pipeline_bubble_of_ideal", "bubble of ideal time", Quantity::share}, pipeline.bubble_of_ideal,
                    "idle / (pipeline_makespan_seconds - idle)", "Narayanan et al. 2021, arXiv 2104.04473",
                    {idle_leaf(), makespan()}),
            derived({"pipeline_bubble_of_total", "bubble of total time", Quantity::share}, pipeline.bubble_of_total,
                    "idle / pipeline_makespan_seconds", "GPipe, arXiv 1811.06965", {idle_leaf(), makespan()})};
}

std::vector<Derivation> explain_outer(const ExplainContext &context) {
    if (!context.result.outer)
        return {};
    const OuterEstimate &outer = *context.result.outer;
    const Outer &plan = context.plan.outer;
    const double parameters = context.result.parameters.total + context.result.parameters.mtp;
    const auto sent = [&](const char *way, const Wire &wire, double value) {
        return derived(
            {fmt::format("outer_{}_bytes_per_round", way), fmt::format("sent {} in a round", way), Quantity::bytes},
            value, "parameters * bits / 8", "density x (bits + scale) + index",
            {figure("parameters", "parameters that are synchronised", Quantity::parameters, parameters,
                    "all trained weights"),
             plan_field({"bits", "bits a parameter on the wire"}, bits_per_parameter(wire),
                        fmt::format("/outer/{}", way))});
    };
    Derivation inner = product_of(
        {"outer_inner_seconds", "computing in a round", Quantity::seconds}, "definition",
        {plan_field({"inner_steps", "inner steps"}, static_cast<double>(plan.inner_steps), "/outer/inner_steps"),
         figure("step", "time of one inner step", Quantity::seconds,
                plan.step_seconds.value_or(context.result.step.seconds),
                plan.step_seconds ? "given in the plan" : "the evaluated step")});
    Derivation stall = figure("outer_stall_seconds_per_round", "waiting in a round", Quantity::seconds,
                              outer.stall_seconds_per_round, "fragment by fragment over the links");
    Derivation round = sum_of({"outer_round_seconds", "time of one outer round", Quantity::seconds}, "definition",
                              {inner, std::move(stall)});
    std::vector<Derivation> figures;
    figures.push_back(derived({"outer_utilisation", "share of the time that sites compute", Quantity::share},
                              outer.utilisation, "outer_inner_seconds / outer_round_seconds", "definition",
                              {std::move(inner), std::move(round)}));
    figures.push_back(sent("up", plan.up, outer.up_bytes_per_round));
    figures.push_back(sent("down", plan.down, outer.down_bytes_per_round));
    return figures;
}

std::vector<Derivation> explain_run(const ExplainContext &context) {
    const RunEstimate &run = context.result.run;
    const Run &wanted = context.plan.run;
    std::vector<Derivation> figures;
    figures.push_back(derived({"run_days", "days of the run"}, run.days, "run_seconds / 86400", "definition",
                              {run_seconds(context)}));
    figures.push_back(
        derived({"run_rental_dollars", "rent", Quantity::dollars}, run.rental_dollars, "run_accelerator_hours * price",
                "definition",
                {accelerator_hours(context),
                 plan_field({"price", "rent of an accelerator-hour", Quantity::dollars_per_hour},
                            wanted.rental_dollars_per_accelerator_hour, "/run/rental_dollars_per_accelerator_hour")}));
    Derivation energy =
        derived({"run_energy_joules", "energy", Quantity::joules}, run.energy_joules,
                "accelerators * power * power_share * effectiveness * run_seconds", "definition",
                {plan_field({"accelerators", "accelerators of all sites"},
                            static_cast<double>(context.plan.cluster.accelerators()), "/cluster"),
                 hardware_fact({"power", "rated power of an accelerator", Quantity::watts},
                               context.plan.cluster.accelerator.power_watts, "the accelerator's sources",
                               "/cluster/accelerator"),
                 plan_field({"power_share", "mean draw over the rated power"}, wanted.power_share, "/run/power_share"),
                 plan_field({"effectiveness", "facility power over accelerator power"},
                            wanted.power_usage_effectiveness, "/run/power_usage_effectiveness"),
                 run_seconds(context)});
    figures.push_back(
        derived({"run_energy_dollars", "cost of energy", Quantity::dollars}, run.energy_dollars,
                "run_energy_joules / 3600000 * price", "definition",
                {std::move(energy),
                 plan_field({"price", "price of a kilowatt-hour"}, wanted.energy_dollars_per_kilowatt_hour,
                            "/run/energy_dollars_per_kilowatt_hour")}));
    figures.push_back(
        derived({"run_expected_failures", "failures in the run"}, run.expected_failures,
                "run_seconds * accelerators / mtbf", "Llama 3, arXiv 2407.21783, section 3.3.4",
                {run_seconds(context),
                 plan_field({"accelerators", "accelerators of all sites"},
                            static_cast<double>(context.plan.cluster.accelerators()), "/cluster"),
                 plan_field({"mtbf", "mean time between failures of an accelerator", Quantity::seconds},
                            context.plan.faults.accelerator_mtbf_seconds, "/faults/accelerator_mtbf_seconds")}));
    return figures;
}

std::vector<Derivation> explain_cluster(const ExplainContext &context) {
    const ClusterEstimate &cluster = context.result.cluster;
    const auto equivalents = [&](std::string name, std::string title, double accelerators, double value) {
        return derived({std::move(name), std::move(title)}, value, "accelerators * peak / h100_equivalent",
                       "arXiv 2511.10783, Article II",
                       {plan_field({"accelerators", "accelerators"}, accelerators, "/cluster"),
                        hardware_fact({"peak", "dense FP16 peak", Quantity::flops_per_second},
                                      context.plan.cluster.accelerator.peak(DataType::bf16),
                                      "the accelerator's sources", "/cluster/accelerator"),
                        context.constant(ConstantId::h100_equivalent_flops)});
    };
    const Cluster &plan = context.plan.cluster;
    Derivation node = equivalents("cluster_node_h100_equivalents", "H100-equivalents of a node",
                                  static_cast<double>(std::min(plan.accelerators_per_node, plan.site_accelerators())),
                                  cluster.node_h100_equivalents);
    return {derived({"cluster_node_share_of_threshold", "a node's share of the threshold", Quantity::share},
                    cluster.node_share_of_threshold, "cluster_node_h100_equivalents / compute_cluster_threshold",
                    "arXiv 2511.10783, Article II",
                    {std::move(node), context.constant(ConstantId::compute_cluster_threshold)}),
            equivalents("cluster_site_h100_equivalents", "H100-equivalents of a site",
                        static_cast<double>(plan.site_accelerators()), cluster.site_h100_equivalents),
            equivalents("cluster_total_h100_equivalents", "H100-equivalents of all sites",
                        static_cast<double>(plan.accelerators()), cluster.total_h100_equivalents)};
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/quality.h"
#include "explain/sites.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace meshwright {

std::vector<Derivation> explain_quality(const SitesContext &sites) {
    const OuterQuality quality = outer_quality(sites.plan, sites.parameters, 1);
    if (quality.penalty_source.empty())
        return {};
    std::vector<Derivation> figures;
    const auto growth = [&](const char *end, double value) {
        return reference_to(
            fmt::format("outer_loss_penalty_{}", end),
            {"growth", fmt::format("loss increase over data-parallel training, {} estimate", end), Quantity::share},
            value);
    };
    Derivation flops = derived({"flops", "FLOPs of the run", Quantity::flops},
                               sites.context.result.flops.per_token * sites.context.result.run.tokens,
                               "flops_per_token * tokens", "definition",
                               {reference_to("flops_per_token", {"flops_per_token", "FLOPs per token", Quantity::flops},
                                             sites.context.result.flops.per_token),
                                reference_to("run_tokens", {"tokens", "tokens of the run", Quantity::tokens},
                                             sites.context.result.run.tokens)});
    for (const auto &[end, of, value] : {std::tuple{"worst", "high", sites.outer.loss_penalty_high},
                                         std::tuple{"best", "low", sites.outer.loss_penalty_low}}) {
        for (const bool floor : {false, true}) {
            std::vector<Derivation> inputs{growth(of, value)};
            if (floor)
                inputs.push_back(flops);
            Derivation times =
                by_formula({"times", "compute factor that offsets the higher loss"},
                           floor ? "compute-for-optimal-loss" : "compute-for-loss", "times", std::move(inputs));
            const double share = 1 / times.value;
            figures.push_back(
                derived({fmt::format("outer_quality_{}_{}", floor ? "with_a_floor" : "power_law", end),
                         fmt::format("effective fraction of the run's compute, {} case", end), Quantity::share},
                        share, "1 / times", "definition", {std::move(times)}));
        }
    }
    figures.push_back(
        published({"outer_quality_learning_rate", "initial outer learning rate for a hyperparameter search"},
                  quality.outer_learning_rate.value, quality.outer_learning_rate.source));
    Derivation all =
        by_formula({"all_tokens", "optimal batch size of all sites together", Quantity::tokens}, "diloco-loss",
                   "batch_tokens", {sites.context.trained_parameters(), sites.sites("replicas")});
    const double each = all.value / static_cast<double>(sites.plan.cluster.sites);
    figures.push_back(derived({"outer_quality_batch_tokens", "optimal batch size per site", Quantity::tokens}, each,
                              "all_tokens / sites", "sites of equal size", {std::move(all), sites.sites()}));
    return figures;
}

std::vector<Derivation> explain_stage_a_site(const ExplainContext &context) {
    const Plan &plan = context.plan;
    const Result &result = context.result;
    const auto stages = [&] { return count_field("stages", "sites", plan.cluster.sites, "/cluster/sites"); };
    const auto hidden = [&] { return shape_fact("hidden", "hidden size of the model", plan.model.hidden); };
    const auto tokens = [&] {
        return product_of({"batch_tokens", "tokens per step of all sites", Quantity::tokens}, "definition",
                          {named("site_tokens", context.batch_tokens()), named("sites", stages())});
    };
    const Wan &wan = *plan.cluster.wan;
    const auto rate = [&] {
        return derived({"bits_per_second", "rate of a link's slower direction", bit_rate},
                       std::min(wan.uplink_bits_per_second, wan.downlink_bits_per_second), "min(uplink, downlink)",
                       "the lower of uplink and downlink",
                       {plan_field({"uplink", "uplink per site", bit_rate}, wan.uplink_bits_per_second,
                                   "/cluster/wan/uplink_bits_per_second"),
                        plan_field({"downlink", "downlink per site", bit_rate}, wan.downlink_bits_per_second,
                                   "/cluster/wan/downlink_bits_per_second")});
    };
    const auto speed = [&] {
        return derived(
            {"stage_flops_per_second", "FLOP/s of a site", Quantity::flops_per_second},
            result.flops.per_step / result.step.seconds, "flops / step_seconds", "definition",
            {reference_to("flops_per_step", {"flops", "FLOPs per step", Quantity::flops}, result.flops.per_step),
             named("step_seconds", context.step_seconds_reference())});
    };
    const auto active = [&] {
        return reference_to("parameters_active", {"parameters", "active parameters per token", Quantity::parameters},
                            result.parameters.active);
    };
    Derivation all_tokens = tokens();
    constexpr double bits = 16;
    const double sent = all_tokens.value * static_cast<double>(plan.model.hidden) * bits / 8;
    const double total = result.parameters.total;
    return {
        by_formula({"outer_stage_a_site_utilisation", "maximum compute utilization", Quantity::share}, "wan-pipeline",
                   "utilisation_bound", {active(), tokens(), stages(), speed(), hidden(), rate()}),
        by_formula({"outer_stage_a_site_needed", "link rate needed for 90% compute utilization", bit_rate},
                   "wan-pipeline", "needed_bits_per_second", {active(), stages(), speed(), hidden(), asked_for(0.9)}),
        derived({"outer_stage_a_site_bytes", "activations sent per step, each way", Quantity::bytes}, sent,
                "batch_tokens * hidden * bits / 8", "SWARM, arXiv 2301.11913",
                {std::move(all_tokens), hidden(),
                 by_definition({"bits", "bits per value"}, bits, "activations in 16 bits")}),
        by_formula({"outer_stage_a_site_seconds", "transfer time of the activations", time}, "wan-pipeline", "seconds",
                   {tokens(), hidden(), rate()}),
        derived({"outer_stage_a_site_parameters", "parameters per site", Quantity::parameters},
                total / static_cast<double>(plan.cluster.sites), "total / stages", "stages of equal size",
                {reference_to("parameters_total", {"total", "parameters", Quantity::parameters}, total), stages()})};
}

} // namespace meshwright

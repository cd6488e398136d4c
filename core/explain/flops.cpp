// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/flops.h"
#include "evidence/similar_runs.h"
#include "explain/context.h"
#include "formulas/plan_figures.h"

#include "explain/quantity_names.h"

namespace meshwright {

namespace {

enum class Mask { causal, full };

Derivation per_token(const ExplainContext &context, Labelled what, Mask mask) {
    const BasicForwardFlops<Traced> forward = forward_flops<Traced>(context.plan.model, context.traced_shape.sequence);
    return formula::trained_token_flops(forward.matrices,
                                        mask == Mask::causal ? forward.attention : forward.attention_full)
        .derivation(std::move(what), {});
}

Derivation recomputed_per_token(const ExplainContext &context) {
    const Labelled what{"recomputed_per_token", "forward FLOPs recomputed per token", flop};
    const Traced recomputed = recomputed_flops<Traced>(context.plan);
    return recomputed.is_plain() ? nothing(what, "nothing is recomputed", "/recompute/mode")
                                 : recomputed.derivation(what, "the operations that the plan recomputes");
}

Derivation flops_of_step(const ExplainContext &context) {
    return reference_to("flops_per_step", {"flops", "model FLOPs per step", flop}, context.result.flops.per_step);
}

} // namespace

std::vector<Derivation> explain_flops(const ExplainContext &context) {
    const Flops &flops = context.result.flops;
    return {per_token(context, {"flops_per_token", "model FLOPs per token", flop}, Mask::causal),
            by_formula(
                {"flops_per_step", "model FLOPs per step", flop}, "step-flops", "step_flops",
                {reference_to("flops_per_token", {"flops_per_token", "model FLOPs per token", flop}, flops.per_token),
                 context.batch_tokens()}),
            by_formula({"flops_hardware_per_step", "hardware FLOPs per step, recomputation included", flop},
                       "step-flops", "hardware_flops",
                       {flops_of_step(context), recomputed_per_token(context), context.batch_tokens()})};
}

std::vector<Derivation> explain_rates(const ExplainContext &context) {
    const auto utilisation = [&](const char *name, const char *title, const char *result, Derivation flops) {
        std::vector<Derivation> inputs{std::move(flops), context.site_accelerators(), context.peak(),
                                       context.step_seconds_reference()};
        if (std::string_view(result) == "hfu")
            inputs.push_back(product_of({"recomputed_flops", "forward FLOPs recomputed per step", flop}, "definition",
                                        {recomputed_per_token(context), context.batch_tokens()}));
        return by_formula({name, title, Quantity::share}, "utilisation", result, std::move(inputs));
    };
    Derivation full = by_formula(
        {"flops", "model FLOPs per step, full attention", flop}, "step-flops", "step_flops",
        {per_token(context, {"flops_per_token", "model FLOPs per token", flop}, Mask::full), context.batch_tokens()});
    std::vector<Derivation> figures{
        utilisation("step_mfu", "model FLOPs utilization", "mfu", flops_of_step(context)),
        utilisation("step_hfu", "hardware FLOPs utilization", "hfu", flops_of_step(context)),
        by_formula(
            {"step_mfu_6nd", "MFU at 6 FLOPs per parameter and token", Quantity::share}, "step-time", "mfu",
            {reference_to("parameters_active", {"parameters", "active parameters per token", Quantity::parameters},
                          context.result.parameters.active),
             named("tokens", context.batch_tokens()), context.site_accelerators(), context.peak(),
             context.step_seconds_reference()}),
        utilisation("step_mfu_full_attention", "MFU with full attention", "mfu", std::move(full)),
        by_formula(
            {"step_model_flops_per_second_per_accelerator", "model FLOP/s per accelerator", Quantity::flops_per_second},
            "step-rates", "flops_per_second",
            {flops_of_step(context), context.step_seconds_reference(), context.site_accelerators()}),
        by_formula({"step_tokens_per_second", "tokens per second per site"}, "step-time", "tokens_per_second",
                   {named("tokens", context.batch_tokens()), context.step_seconds_reference()}),
        by_formula({"step_tokens_per_second_per_accelerator", "tokens per second per accelerator"}, "step-rates",
                   "tokens_per_second_each",
                   {reference_to("step_tokens_per_second", {"tokens_per_second", "tokens per second per site"},
                                 context.result.step.tokens_per_second),
                    context.site_accelerators()})};
    const Step &step = context.result.step;
    const auto interval = [&](const char *name, const char *title, double value, double share) {
        figures.push_back(
            by_formula({name, title, Quantity::seconds}, "step-rates", "interval_end",
                       {context.step_seconds_reference(), measured_factor(context, value / step.seconds, share)}));
    };
    if (step.high_seconds > 0) {
        interval("step_low_seconds", "lower end of the step time's 80% interval", step.low_seconds,
                 KnownRuns::low_share);
        interval("step_high_seconds", "upper end of the step time's 80% interval", step.high_seconds,
                 KnownRuns::high_share);
    }
    return figures;
}

} // namespace meshwright

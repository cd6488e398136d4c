// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/context.h"
#include "step/plan_layout.h"

#include <variant>

namespace meshwright {

namespace {

Derivation share_of_step(const ExplainContext &context, Labelled what, double seconds, const char *figure) {
    return derived(std::move(what), seconds / context.result.step.seconds, "part_seconds / step_seconds", "definition",
                   {reference_to(figure, {"part_seconds", "time of this part of the step", Quantity::seconds}, seconds),
                    named("step_seconds", context.step_seconds_reference())});
}

/// Slowdown of the slowest stage compared to the balanced pipeline layout.
Derivation uneven_share(const ExplainContext &context) {
    const PlannedLayout layout = best_layout(context.plan);
    const auto slowest = [&](const char *name, const char *title, double seconds) {
        return by_simulation(
            {name, title, Quantity::seconds}, seconds, std::string(name) + "_cut",
            "the balanced layout equalizes stage times (layers, embedding, LM head, MTP modules) within each rank's "
            "memory",
            {shape_fact("layers", "layers of the model", context.plan.model.layer_count()),
             plan_field({"stages", "pipeline stages", Quantity::count},
                        static_cast<double>(context.plan.parallelism.pipeline), "/parallelism/pipeline")});
    };
    return derived(
        {"advice_uneven_share", "slowdown of the slowest stage compared to a balanced pipeline layout",
         Quantity::share},
        layout.present_seconds / layout.slowest_seconds - 1, "present / best - 1", "definition",
        {slowest("present", "time of the slowest stage with the plan's layers per stage", layout.present_seconds),
         slowest("best", "time of the slowest stage in the balanced pipeline layout", layout.slowest_seconds)});
}

} // namespace

std::vector<Derivation> explain_advice(const ExplainContext &context) {
    Derivation tight = context.constant("advice_tight_share", ConstantId::tight_headroom_share);
    tight.quantity = Quantity::share;
    const Step &step = context.result.step;
    std::vector<Derivation> figures{
        std::move(tight),
        share_of_step(context,
                      {"advice_tensor_share", "fraction of the step spent in exposed tensor-parallel communication",
                       Quantity::share},
                      step.term(StepTerm::tensor), "step_tensor_exposed_seconds"),
        share_of_step(
            context,
            {"advice_data_share", "fraction of the step spent in exposed data-parallel communication", Quantity::share},
            step.term(StepTerm::data), "step_data_exposed_seconds"),
        named("advice_microbatches", context.microbatches()),
        context.accelerator_fact({"advice_host_memory_bytes", "host memory per accelerator", Quantity::bytes},
                                 context.plan.cluster.accelerator.host_memory_bytes, "host_memory_bytes")};
    if (step.copies_seconds > 0)
        figures.push_back(
            share_of_step(context,
                          {"advice_host_copies_share", "fraction of the step spent waiting for offloaded activations",
                           Quantity::share},
                          step.copies_seconds, "step_detail_copies_seconds"));
    if (context.plan.parallelism.pipeline > 1)
        figures.push_back(uneven_share(context));
    for (const Block &block : context.plan.model.blocks)
        if (const auto *attention = std::get_if<Attention>(&block.mixer);
            attention != nullptr && attention->kv_heads > 0 && attention->kv_heads < context.plan.parallelism.tensor) {
            figures.push_back(
                by_formula({"advice_kv_copies", "copies of each key-value head"}, "attention-heads", "kv_copies",
                           {shape_fact("kv_heads", "key-value heads", attention->kv_heads),
                            plan_field({"ranks", "tensor-parallel ranks", Quantity::count},
                                       static_cast<double>(context.plan.parallelism.tensor), "/parallelism/tensor")}));
            break;
        }
    return figures;
}

} // namespace meshwright

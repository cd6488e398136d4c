// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/context.h"

#include "formulas/preset_property.h"

#include <fmt/format.h>

#include <map>

namespace meshwright {

Derivation ExplainContext::microbatches() const {
    return microbatches_of<Traced>(plan).derivation({"microbatches", {}}, {});
}

Derivation ExplainContext::schedule() const {
    return plan_field({"schedule", "pipeline schedule"}, static_cast<double>(plan.parallelism.schedule),
                      "/parallelism/schedule");
}

Derivation ExplainContext::batch_tokens() const {
    return by_formula({"batch_tokens", "tokens per step of a site", Quantity::tokens}, "tokens-per-batch", "tokens",
                      {plan_field({"batch", "sequences per step", Quantity::count},
                                  static_cast<double>(plan.batch.global_sequences), "/batch/global_sequences"),
                       plan_field({"sequence", "tokens per sequence", Quantity::count},
                                  static_cast<double>(plan.batch.sequence_length), "/batch/sequence_length")});
}

Derivation ExplainContext::site_accelerators() const {
    return meshwright::site_accelerators<Traced>(plan).derivation({"accelerators", {}}, {});
}

Derivation ExplainContext::all_accelerators() const {
    return meshwright::all_accelerators<Traced>(plan).derivation({"accelerators", {}}, {});
}

Derivation ExplainContext::peak() const {
    return accelerator_fact({"peak", fmt::format("dense peak of an accelerator in {}", name_of(plan.precision.compute)),
                             Quantity::flops_per_second},
                            plan.cluster.accelerator.peak(plan.precision.compute), "peak_flops_per_second");
}

Derivation ExplainContext::step_seconds_reference() const {
    return reference_to("step_seconds", {"seconds", "step time", Quantity::seconds}, result.step.seconds);
}

Derivation ExplainContext::trained_parameters() const {
    return sum_of(
        {"parameters", "trained parameters, MTP modules included", Quantity::parameters}, "definition",
        {reference_to("parameters_total", {"total", "parameters", Quantity::parameters}, result.parameters.total),
         reference_to("parameters_mtp", {"mtp", "parameters of MTP modules", Quantity::parameters},
                      result.parameters.mtp)});
}

Derivation ExplainContext::accelerator_fact(Labelled what, double value, const std::string &field) const {
    return hardware_fact(std::move(what), value, source_of(plan.cluster.accelerator, field), "/cluster/accelerator");
}

Derivation ExplainContext::constant(std::string name, ConstantId id) const {
    return named(std::move(name), constant_value(id, assumed));
}

std::vector<double> layers_of_model(const Model &model) {
    std::vector<double> layers(model.blocks.size(), 0);
    for (const LayerRun &run : model.layers)
        layers[static_cast<std::size_t>(run.block)] += static_cast<double>(run.count);
    return layers;
}

Derivation shape_fact(std::string name, std::string title, std::int64_t value) {
    return model_fact({std::move(name), std::move(title), Quantity::count}, static_cast<double>(value),
                      "the model's shape");
}

double copies_passed(const Weight &weight, const Block &block) {
    const auto *experts = std::get_if<Experts>(&block.transform);
    return weight.kind == WeightKind::routed_expert && experts != nullptr
        ? static_cast<double>(experts->experts_per_token)
        : 1;
}

Derivation measured_factor(const ExplainContext &context, double factor, double share) {
    return by_simulation(
        {"factor", "ratio of measured to predicted value in similar runs"}, factor, "nearest_runs",
        "errors on the measured runs nearest to the plan, weighted by proximity and widened with distance",
        {named("accelerators", context.site_accelerators()), context.microbatches(),
         published({"share",
                    "weighted fraction of the nearest runs whose measured / predicted ratio is below the factor",
                    Quantity::share},
                   share, "weighted conformal prediction, Tibshirani et al. 2019, arXiv 1904.06019")});
}

void number_repeats(std::vector<Derivation> &nodes) {
    std::map<std::string, int> seen;
    for (Derivation &node : nodes)
        if (const int times = ++seen[node.name]; times > 1)
            node.name += fmt::format("_{}", times);
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/context.h"

#include <fmt/format.h>

#include <map>

namespace meshwright {

namespace {

std::string source_in(const Sources &sources, const std::string &field, const std::string &otherwise) {
    const std::string *const found = sources.find(field);
    return found == nullptr ? otherwise : *found;
}

} // namespace

std::vector<TracedLayer> ExplainContext::trace_layers() const {
    std::vector<TracedLayer> traced;
    for (const Block &block : plan.model.blocks) {
        TracedLayer layer{.operations = layer_operations(plan.model, block, traced_shape, layers.device(), plan),
                          .memory = {}};
        layer.memory = block_memory(plan, layer.operations, traced_shape);
        traced.push_back(std::move(layer));
    }
    return traced;
}

Derivation ExplainContext::microbatches() const {
    return derived({"microbatches", "microbatches per step on each data-parallel rank", Quantity::count},
                   static_cast<double>(plan.microbatches()), "global_sequences / (data * micro_sequences)",
                   "definition",
                   {plan_field({"global_sequences", "sequences per step", Quantity::count},
                               static_cast<double>(plan.batch.global_sequences), "/batch/global_sequences"),
                    plan_field({"data", "data-parallel ranks", Quantity::count},
                               static_cast<double>(plan.parallelism.data), "/parallelism/data"),
                    plan_field({"micro_sequences", "sequences per microbatch", Quantity::count},
                               static_cast<double>(plan.batch.micro_sequences), "/batch/micro_sequences")});
}

Derivation ExplainContext::batch_tokens() const {
    return by_formula({"batch_tokens", "tokens per step of a site", Quantity::tokens}, "tokens-per-batch", "tokens",
                      {plan_field({"batch", "sequences per step", Quantity::count},
                                  static_cast<double>(plan.batch.global_sequences), "/batch/global_sequences"),
                       plan_field({"sequence", "tokens per sequence", Quantity::count},
                                  static_cast<double>(plan.batch.sequence_length), "/batch/sequence_length")});
}

Derivation ExplainContext::site_accelerators() const {
    return plan_field({"accelerators", "accelerators per site", Quantity::count},
                      static_cast<double>(plan.site_accelerators()),
                      fmt::format("/cluster/tiers/{}/accelerators", plan.cluster.tiers.size() - 1));
}

Derivation ExplainContext::all_accelerators() const {
    return product_of(
        {"accelerators", "accelerators of all sites", Quantity::count}, "definition",
        {named("site_accelerators", site_accelerators()),
         plan_field({"sites", "sites", Quantity::count}, static_cast<double>(plan.cluster.sites), "/cluster/sites")});
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
    const Accelerator &accelerator = plan.cluster.accelerator;
    return hardware_fact(
        std::move(what), value,
        source_in(accelerator.sources, field, fmt::format("{}: the plan's accelerator", accelerator.name)),
        "/cluster/accelerator");
}

Derivation ExplainContext::stack_fact(Labelled what, double value, const std::string &field) const {
    return software_fact(std::move(what), value,
                         source_in(plan.stack.sources, field, fmt::format("{}: {}", plan.stack.name, field)),
                         "/stack/" + field);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/context.h"

#include "explain/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

Derivation of_kind(const ExplainContext &context, std::string name, std::string title, double value,
                   const std::vector<WeightKind> &kinds) {
    const Model &model = context.plan.model;
    std::vector<Derivation> inputs;
    const auto belongs = [&](const Weight &weight) {
        return std::find(kinds.begin(), kinds.end(), weight.kind) != kinds.end();
    };
    const auto add = [&](const Weight &weight, double layers, const std::string &where) {
        inputs.push_back(product_of(
            {identifier(fmt::format("{}{}", where, weight.name)), std::string(weight.name), Quantity::parameters},
            "definition",
            {model_fact({"layers", "layers with this weight", count}, layers, "the model's shape"),
             model_fact({"copies", "copies of the weight per layer", count}, static_cast<double>(weight.copies),
                        "the model's shape"),
             model_fact({"weights", fmt::format("{} x {}, including biases", weight.inputs, weight.outputs),
                         Quantity::parameters},
                        static_cast<double>(weight.parameters), "the model's shape")}));
    };
    const std::vector<double> layers = layers_of_model(model);
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (layers[i] > 0)
            for (const Weight &weight : weights_of(model, model.blocks[i]))
                if (belongs(weight))
                    add(weight, layers[i], name_of_block(model, i) + "_");
    for (const std::vector<Weight> &outside : {input_weights(model), output_weights(model)})
        for (const Weight &weight : outside)
            if (belongs(weight))
                add(weight, 1, "");
    number_repeats(inputs);
    const Labelled what{std::move(name), std::move(title), Quantity::parameters};
    return inputs.empty() ? model_fact(what, value, "the model has no weights of this kind")
                          : sum_of(what, "sum over the model's weights", std::move(inputs));
}

/// Parameters that one token uses: for routed experts, only those of the selected experts.
Derivation active(const ExplainContext &context) {
    const Parameters &all = context.result.parameters;
    const Model &model = context.plan.model;
    const Quantity parameters = Quantity::parameters;
    std::vector<Derivation> inputs{
        reference_to("parameters_total", {"total", "all parameters", parameters}, all.total),
        reference_to("parameters_routed_experts", {"routed", "routed experts", parameters}, all.routed_experts)};
    double used = 0;
    const std::vector<double> layers = layers_of_model(model);
    for (std::size_t i = 0; i < layers.size(); ++i)
        for (const Weight &weight : weights_of(model, model.blocks[i]))
            if (weight.kind == WeightKind::routed_expert)
                used += layers[i] * static_cast<double>(weight.parameters) * copies_passed(weight, model.blocks[i]);
    inputs.push_back(model_fact({"passed", "parameters of the experts selected for a token", parameters}, used,
                                "the model's shape: experts per token"));
    return derived({"parameters_active", "active parameters per token", parameters}, all.active,
                   "total - routed + passed", "definition", std::move(inputs));
}

} // namespace

std::vector<Derivation> explain_parameters(const ExplainContext &context) {
    const Parameters &all = context.result.parameters;
    const Quantity parameters = Quantity::parameters;
    const auto part = [&](const char *name, const char *title, double value) {
        return reference_to(std::string("parameters_") + name, {name, title, parameters}, value);
    };
    std::vector<Derivation> figures{
        sum_of({"parameters_total", "parameters of the model", parameters}, "definition",
               {part("embedding", "embedding and LM head", all.embedding), part("mixer", "attention", all.mixer),
                part("feed_forward", "feed-forward", all.feed_forward),
                part("routed_experts", "routed experts", all.routed_experts),
                part("shared_experts", "shared experts", all.shared_experts), part("routers", "routers", all.routers),
                part("norms", "norms", all.norms), part("positions", "positions", all.positions),
                part("other", "others", all.other)}),
        active(context),
        of_kind(context, "parameters_embedding", "embedding and LM head", all.embedding,
                {WeightKind::embedding, WeightKind::head})};
    std::vector<Derivation> modules;
    for (const Weight &weight : prediction_module_weights(context.plan.model))
        modules.push_back(product_of({identifier(weight.name), std::string(weight.name), parameters}, "definition",
                                     {shape_fact("modules", "MTP modules", context.plan.model.mtp_layers),
                                      shape_fact("copies", "copies of the weight per module", weight.copies),
                                      shape_fact("weights", "parameters per copy of the matrix", weight.parameters)}));
    number_repeats(modules);
    const Labelled mtp{"parameters_mtp", "parameters of MTP modules", parameters};
    figures.push_back(modules.empty() ? model_fact(mtp, 0, "the model has no MTP modules")
                                      : sum_of(mtp, "sum over the modules' weights", std::move(modules)));
    const auto kind = [&](const char *name, const char *title, double value, WeightKind one) {
        figures.push_back(of_kind(context, std::string("parameters_") + name, title, value, {one}));
    };
    kind("mixer", "parameters of attention and other mixers", all.mixer, WeightKind::mixer);
    kind("feed_forward", "parameters of dense feed-forward networks", all.feed_forward, WeightKind::feed_forward);
    kind("routed_experts", "parameters of routed experts", all.routed_experts, WeightKind::routed_expert);
    kind("shared_experts", "parameters of shared experts", all.shared_experts, WeightKind::shared_expert);
    kind("routers", "parameters of routers", all.routers, WeightKind::router);
    kind("norms", "parameters of norms", all.norms, WeightKind::norm);
    kind("positions", "parameters of position embeddings", all.positions, WeightKind::position);
    kind("other", "other parameters", all.other, WeightKind::other);
    return figures;
}

} // namespace meshwright

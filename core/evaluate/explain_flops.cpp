// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate/explain_layout.h"
#include "evidence/similar_runs.h"
#include "layers/flops.h"

#include "evaluate/quantity_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

Derivation matrix_flops(const Weight &weight, const Block &block) {
    return by_formula(
        {identifier(weight.name), std::string(weight.name), flop}, "forward-flops", "weight_flops",
        {shape_fact("inputs", "inputs of the matrix", weight.inputs),
         shape_fact("outputs", "outputs of the matrix", weight.outputs),
         model_fact({"copies", "copies that a token uses", count}, copies_passed(weight, block), "the model's shape")});
}

/// A sum over all layers: number of layers of each kind times the value of one layer.
class OverLayers {
public:
    enum class Modules { counted, left_out };
    explicit OverLayers(const Model &model, Modules modules = Modules::counted)
        : m_model(model)
        , m_layers(layers_of_model(model)) {
        if (model.mtp_layers > 0 && modules == Modules::counted)
            m_layers[static_cast<std::size_t>(model.mtp_block)] += static_cast<double>(model.mtp_layers);
    }

    template <typename OneLayer>
    void add(OneLayer one_layer) {
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            if (m_layers[i] == 0)
                continue;
            const std::string name = name_of_block(m_model, i);
            Derivation layer = one_layer(m_model.blocks[i], name);
            m_formula += fmt::format("{}{}s * {}", m_formula.empty() ? "" : " + ", name, name);
            m_value += m_layers[i] * layer.value;
            m_inputs.push_back(model_fact({name + "s", "layers of this kind, MTP modules included", count}, m_layers[i],
                                          "the model's shape"));
            m_inputs.push_back(std::move(layer));
        }
    }
    void add_once(Derivation derivation) {
        m_formula += (m_formula.empty() ? "" : " + ") + derivation.name;
        m_value += derivation.value;
        m_inputs.push_back(std::move(derivation));
    }
    Derivation take(Labelled what, std::string source) {
        return derived(std::move(what), m_value, std::move(m_formula), std::move(source), std::move(m_inputs));
    }

private:
    const Model &m_model;
    std::vector<double> m_layers;
    std::string m_formula;
    double m_value = 0;
    std::vector<Derivation> m_inputs;
};

Derivation head_flops(const Model &model) {
    return by_formula({"head", "LM head, MTP modules included", flop}, "forward-flops", "weight_flops",
                      {shape_fact("inputs", "hidden size", model.hidden),
                       shape_fact("outputs", "vocabulary size", model.vocabulary),
                       shape_fact("copies", "predictions per token", 1 + model.mtp_layers)});
}

Derivation all_matrices(const Model &model) {
    OverLayers sum(model);
    sum.add([&](const Block &block, const std::string &name) {
        std::vector<Derivation> matrices;
        for (const Weight &weight : weights_of(model, block))
            if (weight.inputs > 0 && weight.outputs > 0)
                matrices.push_back(matrix_flops(weight, block));
        number_repeats(matrices);
        return sum_of({name, "matrices of one layer of this kind", flop}, "every matrix once per token",
                      std::move(matrices));
    });
    if (model.mtp_layers > 0)
        sum.add_once(by_formula({"join", "projections that join the inputs of MTP modules", flop}, "forward-flops",
                                "weight_flops",
                                {shape_fact("inputs", "twice the hidden size", 2 * model.hidden),
                                 shape_fact("outputs", "hidden size", model.hidden),
                                 shape_fact("copies", "MTP modules", model.mtp_layers)}));
    sum.add_once(head_flops(model));
    return sum.take({"matrix_flops", "matmuls with weights, forward, LM head included", flop},
                    "sum over the model's layers");
}

enum class Mask { causal, full };

Derivation keys(double sequence, std::int64_t window, Mask mask) {
    Derivation tokens =
        plan_field({"sequence", "tokens per sequence", Quantity::tokens}, sequence, "/batch/sequence_length");
    if (mask == Mask::full)
        return named("keys", std::move(tokens));
    if (window <= 0)
        return by_formula({"keys", "average number of keys that a token attends to"}, "causal-keys", "keys",
                          {std::move(tokens)});
    return by_formula({"keys", "average number of keys that a token attends to"}, "causal-keys", "keys",
                      {std::move(tokens), shape_fact("window", "sliding window", window)});
}

Derivation attention_core(std::string name, Derivation attended, double width) {
    return by_formula(
        {std::move(name), "attention scores and values in one layer", flop}, "forward-flops", "core_flops",
        {std::move(attended),
         model_fact({"width", "heads times query and value head dimensions", count}, width, "the model's shape")});
}

Derivation latent_core(const LatentAttention &latent, const std::string &name, double sequence, Mask mask) {
    const double width = static_cast<double>(latent.heads)
        * static_cast<double>(latent.nope_head_dim + latent.rope_head_dim + latent.value_head_dim);
    Derivation attended = keys(sequence, 0, mask);
    if (latent.index_tokens > 0) {
        attended.name = "all_keys";
        const double value = std::min(attended.value, static_cast<double>(latent.index_tokens));
        attended = derived({"keys", "selected keys"}, value, "min(all_keys, kept)", "sparse attention",
                           {std::move(attended), shape_fact("kept", "keys selected per query", latent.index_tokens)});
    }
    if (latent.index_heads == 0)
        return attention_core(name, std::move(attended), width);
    Derivation core = attention_core("core", std::move(attended), width);
    Derivation index = by_formula(
        {"index", "selecting keys in one layer", flop}, "forward-flops", "index_flops",
        {plan_field({"sequence", "tokens per sequence", Quantity::tokens}, sequence, "/batch/sequence_length"),
         shape_fact("width", "indexer heads times their head dimension", latent.index_heads * latent.index_head_dim),
         model_fact({"causal", "1 with a causal mask"}, mask == Mask::causal ? 1 : 0, "convention")});
    return sum_of({name, "attention of one layer", flop}, "selecting keys, then attending to them",
                  {std::move(core), std::move(index)});
}

Derivation mixer_flops(const Block &block, const std::string &name, double sequence, Mask mask) {
    if (const auto *attention = std::get_if<Attention>(&block.mixer)) {
        const auto values =
            static_cast<double>(attention->value_head_dim > 0 ? attention->value_head_dim : attention->head_dim);
        return attention_core(name, keys(sequence, attention->window, mask),
                              static_cast<double>(attention->heads)
                                  * (static_cast<double>(attention->head_dim) + values));
    }
    if (const auto *latent = std::get_if<LatentAttention>(&block.mixer))
        return latent_core(*latent, name, sequence, mask);
    if (const auto *recurrent = std::get_if<RecurrentMixer>(&block.mixer))
        return by_formula({name, "recurrent state of one layer", flop}, "recurrent-mixer", "flops",
                          {model_fact({"tokens", "one token"}, 1, "FLOPs are counted per token"),
                           shape_fact("heads", "heads", recurrent->value_heads),
                           shape_fact("key_width", "key head dimension", recurrent->key_head_dim),
                           shape_fact("value_width", "value head dimension", recurrent->value_head_dim)});
    return model_fact({name, "no mixer in this layer", flop}, 0, "the model's shape");
}

Derivation all_attention(const ExplainContext &context, Mask mask) {
    const Model &model = context.plan.model;
    OverLayers sum(model);
    sum.add([&](const Block &block, const std::string &name) {
        return mixer_flops(block, name, static_cast<double>(context.plan.batch.sequence_length), mask);
    });
    return sum.take(
        {"attention_flops",
         mask == Mask::causal ? "attention, forward, with the causal mask" : "attention, forward, all pairs", flop},
        "sum over the model's layers");
}

Derivation per_token(const ExplainContext &context, Labelled what, Mask mask) {
    return by_formula(std::move(what), "forward-flops", "flops",
                      {all_matrices(context.plan.model), all_attention(context, mask)});
}

/// FLOPs of recomputing all layers: everything but the LM head and the last matmul that early-stopping checkpointing
/// skips.
struct RecomputedLayers {
    std::string formula;
    std::vector<Derivation> inputs;
};
RecomputedLayers fully_recomputed_layers(const ExplainContext &context) {
    const Model &model = context.plan.model;
    RecomputedLayers again{"matrix_flops - head + attention_flops",
                           {all_matrices(model), head_flops(model), all_attention(context, Mask::causal)}};
    if (context.plan.stack.recompute_early_stop <= 0 || last_matrix_flops(model) <= 0)
        return again;
    OverLayers last(model);
    last.add([&](const Block &block, const std::string &name) {
        const std::optional<Weight> matrix = last_matrix(model, block);
        return matrix ? named(name, matrix_flops(*matrix, block))
                      : model_fact({name, "the layer has none", flop}, 0, "the model's shape");
    });
    again.formula += " - early_stop * last_matrices";
    again.inputs.push_back(
        context.stack_fact({"early_stop", "fraction of the last matmul that is skipped", Quantity::share},
                           context.plan.stack.recompute_early_stop, "recompute_early_stop"));
    again.inputs.push_back(last.take({"last_matrices", "last matrix of each layer, whose output is not needed", flop},
                                     "sum over the model's layers"));
    return again;
}

/// Recomputes the first layers of every virtual stage.
Derivation recomputed_layers(const ExplainContext &context, Labelled what) {
    std::vector<Derivation> again;
    std::string formula;
    double layers = 0;
    again.push_back(plan_field({"of_a_stage", "recomputed layers per stage", count},
                               static_cast<double>(context.plan.recompute.layers), "/recompute/layers"));
    for (std::size_t s = 0; s < context.costs.stages.size(); ++s) {
        again.push_back(
            layers_of_virtual_stage(context, static_cast<std::int64_t>(s), fmt::format("virtual_stage_{}", s)));
        formula += fmt::format("{}min({}, of_a_stage)", s == 0 ? "" : " + ", again.back().name);
        layers += std::min(again.back().value, again.front().value);
    }
    const Model &model = context.plan.model;
    RecomputedLayers all = fully_recomputed_layers(context);
    all.inputs.push_back(derived({"recomputed", "recomputed layers", count}, layers, std::move(formula),
                                 "sum over stages", std::move(again)));
    all.inputs.push_back(model_fact({"layers", "layers of the model", count}, static_cast<double>(model.layer_count()),
                                    "the model's shape"));
    return derived(std::move(what), recomputed_flops(context.plan), "(" + all.formula + ") * recomputed / layers",
                   "average over layers", std::move(all.inputs));
}

/// The stack's field with the fraction of a matmul that selective recomputation repeats.
const char *field_of_share(const Stack &stack) {
    return stack.selective_keeps_qkv ? "selective_keeps_qkv" : "selective_multiplies";
}

/// Matrices of the modules that the plan lists, or the fraction that its software recomputes, and attention where it is
/// recomputed.
Derivation recomputed_operations(const ExplainContext &context, Labelled what) {
    const Plan &plan = context.plan;
    const bool by_module = plan.recompute.mode == RecomputeMode::modules;
    OverLayers sum(plan.model, OverLayers::Modules::left_out);
    sum.add([&](const Block &block, const std::string &name) {
        std::vector<Derivation> matrices;
        for (const Weight &weight : weights_of(plan.model, block)) {
            const double share = recomputed_fraction(plan, weight);
            if (share <= 0)
                continue;
            Derivation matrix = matrix_flops(weight, block);
            if (by_module) {
                matrices.push_back(std::move(matrix));
                continue;
            }
            const Labelled again{matrix.name, matrix.title, flop};
            matrices.push_back(product_of(again, "times the recomputed fraction",
                                          {named("forward", std::move(matrix)),
                                           context.stack_fact({"share", "recomputed fraction", Quantity::share}, share,
                                                              field_of_share(plan.stack))}));
        }
        number_repeats(matrices);
        const Labelled layer{name, "recomputed matrices of one layer", flop};
        return matrices.empty()
            ? nothing(layer, "none of its matrices", "/recompute/mode")
            : sum_of(layer, by_module ? "matrices of the listed modules" : "matrices whose outputs are not saved",
                     std::move(matrices));
    });
    if (repeats_attention(plan))
        sum.add_once(all_attention(context, Mask::causal));
    return sum.take(std::move(what),
                    by_module ? "operations of the modules that the plan lists"
                              : "operations whose outputs the software does not save");
}

Derivation recomputed_per_token(const ExplainContext &context) {
    const Labelled what{"recomputed_per_token", "recomputed forward FLOPs per token", flop};
    const double value = recomputed_flops(context.plan);
    switch (context.plan.recompute.mode) {
    case RecomputeMode::none:
        return nothing(what, "nothing is recomputed", "/recompute/mode");
    case RecomputeMode::selective:
        if (Derivation attention = all_attention(context, Mask::causal);
            !context.plan.stack.selective_by_operation && attention.value == value)
            return derived(what, value, "attention_flops", "only attention is recomputed", {std::move(attention)});
        break;
    case RecomputeMode::full: {
        RecomputedLayers again = fully_recomputed_layers(context);
        return derived(what, value, again.formula, "everything but the LM head is recomputed", std::move(again.inputs));
    }
    default:
        break;
    }
    return context.plan.recompute.mode == RecomputeMode::layers ? recomputed_layers(context, what)
                                                                : recomputed_operations(context, what);
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
            inputs.push_back(product_of({"recomputed_flops", "recomputed forward FLOPs per step", flop}, "definition",
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
        interval("step_low_seconds", "lower end of the 80% interval", step.low_seconds, KnownRuns::low_share);
        interval("step_high_seconds", "upper end of the 80% interval", step.high_seconds, KnownRuns::high_share);
    }
    return figures;
}

} // namespace meshwright

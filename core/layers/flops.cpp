// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/flops.h"

#include "catalog/weights.h"
#include "formulas/kernels.h"
#include "formulas/plan_figures.h"

#include <algorithm>
#include <string>

namespace meshwright {

namespace {

bool has(const std::vector<std::string> &modules, std::string_view name) {
    return std::find(modules.begin(), modules.end(), name) != modules.end();
}

/// Mean number of keys per query under the causal mask, over the whole sequence or the window.
template <Number N>
N attended_keys(const N &sequence, std::int64_t window) {
    return formula::causal_keys(
        sequence, window > 0 ? model_property<N>("window", "sliding window", window, Quantity::tokens) : sequence);
}

/// FLOPs per token of the indexer that selects keys in sparse attention (DeepSeek-V3.2).
template <Number N>
N index_flops(const LatentAttention &latent, const N &sequence, double causal) {
    if (latent.index_heads == 0)
        return 0;
    const N width = model_property<N>("width", "indexer heads times their head dimension",
                                      latent.index_heads * latent.index_head_dim);
    const N mask = read<N>(causal,
                           {Origin::model, "causal", "1 with a causal mask, otherwise 0", Quantity::number, "/model",
                            "convention for counting attention FLOPs"});
    return label(formula::index_token_flops(sequence, width, mask),
                 {"index", "forward FLOPs per token to select keys in one layer", Quantity::flops});
}

template <Number N>
N core_flops(const N &keys, const N &width) {
    return label(formula::attention_token_flops(keys, width),
                 {"core", "forward FLOPs per token of the attention core of one layer", Quantity::flops});
}

template <Number N>
void add_core(BasicForwardFlops<N> &flops, const Mixer &mixer, const N &sequence) {
    using formula::min;
    const Label heads_and_widths{"width", "heads times the sum of query and value head dimension", Quantity::count};
    if (const auto *attention = std::get_if<Attention>(&mixer)) {
        const N values =
            model_property<N>("value_dim", "head dimension of values",
                              attention->value_head_dim > 0 ? attention->value_head_dim : attention->head_dim);
        const N keys = model_property<N>("key_dim", "head dimension of queries and keys", attention->head_dim);
        const N width =
            label(model_property<N>("heads", "attention heads", attention->heads) * (keys + values), heads_and_widths);
        flops.attention += core_flops(attended_keys(sequence, attention->window), width);
        flops.attention_full += core_flops(sequence, width);
    } else if (const auto *latent = std::get_if<LatentAttention>(&mixer)) {
        const N width =
            label(model_property<N>("heads", "attention heads", latent->heads)
                      * model_property<N>("dims", "query and value head dimensions",
                                          latent->nope_head_dim + latent->rope_head_dim + latent->value_head_dim),
                  heads_and_widths);
        const auto selected = [&](const N &keys) {
            return latent->index_tokens > 0
                ? label(min(keys, model_property<N>("selected", "keys selected per query", latent->index_tokens)),
                        {"keys", "selected keys", Quantity::number, "sparse attention"})
                : keys;
        };
        flops.attention += core_flops(selected(attended_keys(sequence, 0)), width) + index_flops(*latent, sequence, 1);
        flops.attention_full += core_flops(selected(sequence), width) + index_flops(*latent, sequence, 0);
    } else if (const auto *recurrent = std::get_if<RecurrentMixer>(&mixer)) {
        const N one = read<N>(
            1, {Origin::model, "tokens", "one token", Quantity::count, "/model", "FLOPs are counted per token"});
        const N state = label(formula::recurrent_flops(
                                  one, model_property<N>("heads", "heads", recurrent->value_heads),
                                  model_property<N>("key_width", "key head dimension", recurrent->key_head_dim),
                                  model_property<N>("value_width", "value head dimension", recurrent->value_head_dim)),
                              {"state", "forward FLOPs per token of the recurrence of one layer", Quantity::flops});
        flops.attention += state;
        flops.attention_full += state;
    }
}

template <Number N>
N matrix_flops(const Weight &weight, const Block &block) {
    if (weight.inputs == 0 || weight.outputs == 0)
        return 0;
    const auto *experts = std::get_if<Experts>(&block.transform);
    const bool routed = weight.kind == WeightKind::routed_expert && experts != nullptr;
    return label(formula::weight_flops(model_property<N>("inputs", "input features of the matrix", weight.inputs),
                                       model_property<N>("outputs", "output features of the matrix", weight.outputs),
                                       model_property<N>("copies", "copies of the matrix that process each token",
                                                         routed ? experts->experts_per_token : 1)),
                 {weight.name, weight.name, Quantity::flops});
}

/// Number of layers of each kind of block, including those of MTP modules.
std::vector<double> layers_of_kinds(const Model &model) {
    std::vector<double> layers(model.blocks.size(), 0);
    for (const LayerRun &run : model.layers)
        layers[static_cast<std::size_t>(run.block)] += static_cast<double>(run.count);
    if (model.mtp_layers > 0)
        layers[static_cast<std::size_t>(model.mtp_block)] += static_cast<double>(model.mtp_layers);
    return layers;
}

/// FLOPs of all layers of one kind. @param what  title of `one` layer
template <Number N>
N times_layers(const Model &model, std::size_t block, double layers, const N &one, std::string_view what) {
    if constexpr (std::same_as<N, double>)
        return layers * one;
    if (value_of(one) == 0)
        return 0;
    const std::string name = name_of_block(model, block);
    return model_property<N>(name + "s", "layers of this kind", layers) * label(one, {name, what, Quantity::flops});
}

/// Whether recomputing these modules repeats the GEMM with this weight.
bool is_recomputed(const Weight &weight, const std::vector<std::string> &modules) {
    switch (weight.kind) {
    case WeightKind::feed_forward:
        return has(modules, "mlp");
    case WeightKind::routed_expert:
        return has(modules, "moe");
    case WeightKind::shared_expert:
        return has(modules, "shared_experts") || has(modules, "moe");
    case WeightKind::mixer:
        return weight.name.ends_with("_up") && has(modules, "mla_up_proj");
    default:
        return false;
    }
}

bool repeats_attention(const Plan &plan) {
    if (plan.recompute.mode == RecomputeMode::modules)
        return has(plan.recompute.modules, "core_attn");
    return plan.recompute.mode == RecomputeMode::selective
        && (!plan.stack.selective_by_operation || plan.stack.selective_keeps_qkv);
}

template <Number N>
N early_stop(const Plan &plan) {
    return read<N>(plan.stack.recompute_early_stop,
                   {Origin::software, "early_stop", "fraction of the last matmul that is skipped", Quantity::share,
                    "/stack/recompute_early_stop", "the plan's software"});
}

/// FLOPs repeated by full recomputation: all layers without the LM head, and without each layer's last matmul if
/// checkpointing stops early.
template <Number N>
N of_all_layers(const Plan &plan, const BasicForwardFlops<N> &all) {
    const N layers = all.matrices - all.head + all.attention;
    const N last = last_matrix_flops<N>(plan.model);
    return plan.stack.recompute_early_stop > 0 && last > 0 ? layers - early_stop<N>(plan) * last : layers;
}

} // namespace

std::string name_of_block(const Model &model, std::size_t index) {
    const std::string &name = model.blocks[index].name;
    return (name.empty() ? "block_" + std::to_string(index) : identifier(name)) + "_layer";
}

template <Number N>
N layers_of_virtual_stage(const Plan &plan, std::size_t stage, std::int64_t number) {
    if constexpr (std::same_as<N, double>)
        return static_cast<double>(number);
    else {
        const auto value = static_cast<double>(number);
        const std::string name = "virtual_stage_" + std::to_string(stage);
        const Labelled what{name, "layers of virtual stage " + std::to_string(stage), Quantity::count};
        if (!plan.parallelism.layout.empty())
            return N(plan_field(what, value, "/parallelism/layout/" + std::to_string(stage)));
        const auto degree = [](const char *which, const char *title, std::int64_t ranks, const char *field) {
            return plan_field({which, title, Quantity::count}, static_cast<double>(ranks), field);
        };
        return N(by_simulation(
            what, value, "even_spread",
            plan.stack.balances_stages ? "layers split so that stages have equal parameters, counting the LM head"
                                       : "an even split; remaining layers go to stages between the first and the last",
            {model_fact({"layers", "layers of the model", Quantity::count},
                        static_cast<double>(plan.model.layer_count()), "the model's shape"),
             degree("pipeline", "pipeline stages", plan.parallelism.pipeline, "/parallelism/pipeline"),
             degree("chunks", "chunks", plan.parallelism.chunks, "/parallelism/chunks"),
             counted({"place", "index of the virtual stage"}, static_cast<double>(stage),
                     "virtual stages, numbered from 0", "/parallelism/pipeline")}));
    }
}
template double layers_of_virtual_stage(const Plan &, std::size_t, std::int64_t);
template Traced layers_of_virtual_stage(const Plan &, std::size_t, std::int64_t);

template <Number N>
BasicForwardFlops<N> forward_flops(const Model &model, const Block &block, const std::type_identity_t<N> &sequence) {
    BasicForwardFlops<N> flops;
    for (const Weight &weight : weights_of(model, block))
        flops.matrices += matrix_flops<N>(weight, block);
    add_core(flops, block.mixer, sequence);
    return flops;
}

template <Number N>
BasicForwardFlops<N> forward_flops(const Model &model, const std::type_identity_t<N> &sequence) {
    const std::vector<double> layers = layers_of_kinds(model);
    BasicForwardFlops<N> flops;
    flops.head =
        label(formula::weight_flops(model_property<N>("inputs", "hidden size", model.hidden),
                                    model_property<N>("outputs", "vocabulary size", model.vocabulary),
                                    model_property<N>("copies", "predictions per token", 1 + model.mtp_layers)),
              {"head", "forward FLOPs per token of the LM head, including MTP predictions", Quantity::flops});
    flops.matrices = flops.head;
    if (model.mtp_layers > 0)
        flops.matrices +=
            label(formula::weight_flops(
                      model_property<N>("inputs", "input features: twice the hidden size", 2 * model.hidden),
                      model_property<N>("outputs", "hidden size", model.hidden),
                      model_property<N>("copies", "MTP modules", model.mtp_layers)),
                  {"join", "forward FLOPs per token of the input projections of MTP modules", Quantity::flops});
    for (std::size_t i = 0; i < model.blocks.size(); ++i) {
        if (layers[i] == 0)
            continue;
        const BasicForwardFlops<N> one = forward_flops<N>(model, model.blocks[i], sequence);
        flops.matrices += times_layers(model, i, layers[i], one.matrices,
                                       "forward FLOPs per token of the GEMMs of one layer of this kind");
        flops.attention += times_layers(model, i, layers[i], one.attention,
                                        "forward attention FLOPs per token of one layer of this kind");
        flops.attention_full +=
            times_layers(model, i, layers[i], one.attention_full,
                         "forward attention FLOPs per token of one layer of this kind, without the causal mask");
    }
    const auto whole = [](N &sum, std::string_view name, std::string_view title) {
        sum = label(sum, {name, title, Quantity::flops, "sum over the model's layers"});
    };
    whole(flops.matrices, "matrix_flops", "forward FLOPs per token of matmuls with weights, including the LM head");
    whole(flops.attention, "attention_flops", "forward attention FLOPs per token with the causal mask");
    whole(flops.attention_full, "attention_flops", "forward attention FLOPs per token without the causal mask");
    return flops;
}
template ForwardFlops forward_flops<double>(const Model &, const double &);
template BasicForwardFlops<Traced> forward_flops<Traced>(const Model &, const Traced &);
template ForwardFlops forward_flops<double>(const Model &, const Block &, const double &);
template BasicForwardFlops<Traced> forward_flops<Traced>(const Model &, const Block &, const Traced &);

std::optional<Weight> last_matrix(const Model &model, const Block &block) {
    const std::vector<Weight> weights = weights_of(model, block);
    const auto last = std::find_if(weights.rbegin(), weights.rend(), [](const Weight &weight) {
        return weight.split == Split::row
            && (weight.kind == WeightKind::feed_forward || weight.kind == WeightKind::routed_expert
                || weight.kind == WeightKind::shared_expert);
    });
    return last == weights.rend() ? std::nullopt : std::optional(*last);
}

template <Number N>
N last_matrix_flops(const Model &model) {
    const std::vector<double> layers = layers_of_kinds(model);
    N flops = 0;
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (const std::optional<Weight> last = last_matrix(model, model.blocks[i]); last && layers[i] > 0)
            flops += times_layers(
                model, i, layers[i], matrix_flops<N>(*last, model.blocks[i]),
                "forward FLOPs per token of one layer's last GEMM, whose output the backward pass does not need");
    return label(flops,
                 {"last_matrices",
                  "forward FLOPs per token of the layers' last GEMMs, whose outputs the backward pass does not need",
                  Quantity::flops, "sum over the model's layers"});
}
template double last_matrix_flops(const Model &);
template Traced last_matrix_flops(const Model &);

template <Number N>
N recomputed_fraction(const Plan &plan, const Weight &weight) {
    const Stack &stack = plan.stack;
    if (plan.recompute.mode == RecomputeMode::modules)
        return is_recomputed(weight, plan.recompute.modules) ? 1 : 0;
    if (plan.recompute.mode != RecomputeMode::selective || !stack.selective_by_operation)
        return 0;
    if (!stack.selective_keeps_qkv)
        return read<N>(stack.selective_multiplies,
                       {Origin::software, "share", "recomputed fraction of matmuls", Quantity::share,
                        "/stack/selective_multiplies", "the plan's software"});
    if (weight.kind == WeightKind::mixer)
        return closes_mixer(weight) ? 1 : 0;
    return weight.split == Split::row ? 1 - early_stop<N>(plan) : N(1);
}
template double recomputed_fraction(const Plan &, const Weight &);
template Traced recomputed_fraction(const Plan &, const Weight &);

template <Number N>
N recomputed_flops(const Plan &plan) {
    const N sequence =
        read<N>(static_cast<double>(plan.batch.sequence_length),
                {Origin::plan, "sequence", "tokens per sequence", Quantity::tokens, "/batch/sequence_length"});
    const BasicForwardFlops<N> all = forward_flops<N>(plan.model, sequence);
    switch (plan.recompute.mode) {
    case RecomputeMode::none:
        return 0;
    case RecomputeMode::full:
        return of_all_layers(plan, all);
    case RecomputeMode::layers: {
        const N of_a_stage = read<N>(
            static_cast<double>(plan.recompute.layers),
            {Origin::plan, "of_a_stage", "recomputed layers per virtual stage", Quantity::count, "/recompute/layers"});
        N recomputed = 0;
        const std::vector<std::int64_t> stages = stage_layers(plan);
        for (std::size_t s = 0; s < stages.size(); ++s) {
            using formula::min;
            recomputed += min(layers_of_virtual_stage<N>(plan, s, stages[s]), of_a_stage);
        }
        return of_all_layers(plan, all)
            * label(recomputed, {"recomputed", "recomputed layers", Quantity::count, "sum over virtual stages"})
            / model_property<N>("layers", "layers of the model", std::max<std::int64_t>(1, plan.model.layer_count()));
    }
    case RecomputeMode::selective:
    case RecomputeMode::modules:
        break;
    }
    N flops = repeats_attention(plan) ? all.attention : N(0);
    std::vector<double> layers(plan.model.blocks.size(), 0);
    for (const LayerRun &run : plan.model.layers)
        layers[static_cast<std::size_t>(run.block)] += static_cast<double>(run.count);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Block &block = plan.model.blocks[i];
        N one = 0;
        for (const Weight &weight : weights_of(plan.model, block))
            if (const N fraction = recomputed_fraction<N>(plan, weight); fraction != 0)
                one += label(
                    fraction * matrix_flops<N>(weight, block),
                    {weight.name, weight.name, Quantity::flops, "FLOPs of the GEMM times the recomputed fraction"});
        flops += times_layers(plan.model, i, layers[i], one, "recomputed FLOPs per token of the GEMMs of one layer");
    }
    return flops;
}
template double recomputed_flops(const Plan &);
template Traced recomputed_flops(const Plan &);

} // namespace meshwright

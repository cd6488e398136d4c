// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/flops.h"

#include "catalog/weights.h"
#include "formulas/kernels.h"
#include "formulas/plan_figures.h"

#include <algorithm>

namespace meshwright {

namespace {

bool has(const std::vector<std::string> &modules, std::string_view name) {
    return std::find(modules.begin(), modules.end(), name) != modules.end();
}

/// Mean number of keys per token under the causal mask, of the sequence or of its window.
double attended_keys(double sequence, std::int64_t window) {
    return formula::causal_keys(sequence, window > 0 ? static_cast<double>(window) : sequence);
}

void add_core(ForwardFlops &flops, const Mixer &mixer, double sequence) {
    if (const auto *attention = std::get_if<Attention>(&mixer)) {
        const auto values =
            static_cast<double>(attention->value_head_dim > 0 ? attention->value_head_dim : attention->head_dim);
        const double widths =
            static_cast<double>(attention->heads) * (static_cast<double>(attention->head_dim) + values);
        flops.attention += formula::attention_token_flops(attended_keys(sequence, attention->window), widths);
        flops.attention_full += formula::attention_token_flops(sequence, widths);
    } else if (const auto *latent = std::get_if<LatentAttention>(&mixer)) {
        const double widths = static_cast<double>(latent->heads)
            * static_cast<double>(latent->nope_head_dim + latent->rope_head_dim + latent->value_head_dim);
        const double indexed = static_cast<double>(latent->index_heads * latent->index_head_dim);
        const double kept = latent->index_tokens > 0 ? static_cast<double>(latent->index_tokens) : sequence;
        flops.attention += formula::attention_token_flops(std::min(attended_keys(sequence, 0), kept), widths)
            + formula::index_token_flops(sequence, indexed, 1);
        flops.attention_full += formula::attention_token_flops(std::min(sequence, kept), widths)
            + formula::index_token_flops(sequence, indexed, 0);
    } else if (const auto *recurrent = std::get_if<RecurrentMixer>(&mixer)) {
        const double state = formula::recurrent_flops(1, static_cast<double>(recurrent->value_heads),
                                                      static_cast<double>(recurrent->key_head_dim),
                                                      static_cast<double>(recurrent->value_head_dim));
        flops.attention += state;
        flops.attention_full += state;
    }
}

double matrix_flops(const Weight &weight, const Block &block) {
    const auto *experts = std::get_if<Experts>(&block.transform);
    const double copies = weight.kind == WeightKind::routed_expert && experts != nullptr
        ? static_cast<double>(experts->experts_per_token)
        : 1;
    return formula::weight_flops(static_cast<double>(weight.inputs), static_cast<double>(weight.outputs), copies);
}

/// Whether recomputing these modules recomputes the GEMM with this weight.
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

} // namespace

ForwardFlops forward_flops(const Model &model, const Block &block, double sequence) {
    ForwardFlops flops;
    for (const Weight &weight : weights_of(model, block))
        flops.matrices += matrix_flops(weight, block);
    add_core(flops, block.mixer, sequence);
    return flops;
}

ForwardFlops forward_flops(const Model &model, double sequence) {
    std::vector<double> layers(model.blocks.size(), 0);
    for (const LayerRun &run : model.layers)
        layers[static_cast<std::size_t>(run.block)] += static_cast<double>(run.count);
    const auto hidden = static_cast<double>(model.hidden);
    const auto modules = static_cast<double>(model.mtp_layers);
    if (model.mtp_layers > 0)
        layers[static_cast<std::size_t>(model.mtp_block)] += modules;
    ForwardFlops flops;
    flops.head = formula::weight_flops(hidden, static_cast<double>(model.vocabulary), 1 + modules);
    flops.matrices =
        flops.head + formula::weight_flops(2 * hidden, hidden, modules); // each MTP module's input projection
    for (std::size_t i = 0; i < model.blocks.size(); ++i) {
        if (layers[i] == 0)
            continue;
        const ForwardFlops one = forward_flops(model, model.blocks[i], sequence);
        flops.matrices += layers[i] * one.matrices;
        flops.attention += layers[i] * one.attention;
        flops.attention_full += layers[i] * one.attention_full;
    }
    return flops;
}

std::optional<Weight> last_matrix(const Model &model, const Block &block) {
    const std::vector<Weight> weights = weights_of(model, block);
    const auto last = std::find_if(weights.rbegin(), weights.rend(), [](const Weight &weight) {
        return weight.split == Split::row
            && (weight.kind == WeightKind::feed_forward || weight.kind == WeightKind::routed_expert
                || weight.kind == WeightKind::shared_expert);
    });
    return last == weights.rend() ? std::nullopt : std::optional(*last);
}

double last_matrix_flops(const Model &model) {
    std::vector<double> layers(model.blocks.size(), 0);
    for (const LayerRun &run : model.layers)
        layers[static_cast<std::size_t>(run.block)] += static_cast<double>(run.count);
    if (model.mtp_layers > 0)
        layers[static_cast<std::size_t>(model.mtp_block)] += static_cast<double>(model.mtp_layers);
    double flops = 0;
    for (std::size_t i = 0; i < layers.size(); ++i)
        if (const std::optional<Weight> last = last_matrix(model, model.blocks[i]); last && layers[i] > 0)
            flops += layers[i] * matrix_flops(*last, model.blocks[i]);
    return flops;
}

double recomputed_fraction(const Plan &plan, const Weight &weight) {
    const Stack &stack = plan.stack;
    if (plan.recompute.mode == RecomputeMode::modules)
        return is_recomputed(weight, plan.recompute.modules) ? 1 : 0;
    if (plan.recompute.mode != RecomputeMode::selective || !stack.selective_by_operation)
        return 0;
    if (!stack.selective_keeps_qkv)
        return stack.selective_multiplies;
    if (weight.kind == WeightKind::mixer)
        return closes_mixer(weight) ? 1 : 0;
    return weight.split == Split::row ? 1 - stack.recompute_early_stop : 1;
}

bool repeats_attention(const Plan &plan) {
    if (plan.recompute.mode == RecomputeMode::modules)
        return has(plan.recompute.modules, "core_attn");
    return plan.recompute.mode == RecomputeMode::selective
        && (!plan.stack.selective_by_operation || plan.stack.selective_keeps_qkv);
}

double recomputed_flops(const Plan &plan) {
    const auto sequence = static_cast<double>(plan.batch.sequence_length);
    const ForwardFlops all = forward_flops(plan.model, sequence);
    const double layers =
        all.matrices - all.head + all.attention - plan.stack.recompute_early_stop * last_matrix_flops(plan.model);
    switch (plan.recompute.mode) {
    case RecomputeMode::none:
        return 0;
    case RecomputeMode::full:
        return layers;
    case RecomputeMode::layers: {
        double recomputed = 0;
        for (const std::int64_t count : stage_layers(plan))
            recomputed += static_cast<double>(std::min(count, plan.recompute.layers));
        return layers * recomputed / static_cast<double>(std::max<std::int64_t>(1, plan.model.layer_count()));
    }
    case RecomputeMode::selective:
    case RecomputeMode::modules:
        break;
    }
    double flops = repeats_attention(plan) ? all.attention : 0;
    for (const LayerRun &run : plan.model.layers) {
        const Block &block = plan.model.blocks[static_cast<std::size_t>(run.block)];
        for (const Weight &weight : weights_of(plan.model, block))
            flops += recomputed_fraction(plan, weight) * matrix_flops(weight, block) * static_cast<double>(run.count);
    }
    return flops;
}

} // namespace meshwright

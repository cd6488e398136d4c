// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/layer_cost.h"

#include "formulas/function.h"

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

bool names_module(const Recompute &recompute, const char *name) {
    return recompute.mode == RecomputeMode::modules
        && std::find(recompute.modules.begin(), recompute.modules.end(), name) != recompute.modules.end();
}

bool is_recomputed(const Recompute &recompute, Module module) {
    switch (module) {
    case Module::core_attention:
        return recompute.mode == RecomputeMode::selective || names_module(recompute, "core_attn");
    case Module::norm:
        return names_module(recompute, "layernorm");
    case Module::latent_up:
        return names_module(recompute, "mla_up_proj");
    case Module::feed_forward:
        return names_module(recompute, "mlp");
    case Module::expert:
        return names_module(recompute, "moe");
    case Module::activation:
        return names_module(recompute, "moe") || names_module(recompute, "moe_act");
    case Module::shared_expert:
        return names_module(recompute, "moe") || names_module(recompute, "shared_experts");
    default:
        return false;
    }
}

/// Bytes freed by recomputing an operation. A single operation frees its output, attention frees its scores, and
/// up-projections of latents free keys and values. A module recomputed as a whole frees everything except its input.
template <Number N>
N freed_bytes(const Recompute &recompute, const BasicLayerOperation<N> &operation) {
    const bool inside_module = operation.module == Module::feed_forward || operation.module == Module::expert
        || operation.module == Module::shared_expert
        || (operation.module == Module::activation && names_module(recompute, "moe"));
    const N bytes = inside_module               ? operation.saved_bytes - operation.entry_bytes
        : operation.module == Module::latent_up ? operation.output_bytes
                                                : operation.freed_bytes;
    return label(bytes, {"recomputed", "bytes recomputed instead of saved", Quantity::bytes, operation.name});
}

/// Whether selective recomputation recomputes an operation, and the bytes that this frees.
template <Number N>
struct Repeat {
    bool recomputed = false;
    N freed_bytes = 0;
};

template <Number N>
std::vector<Repeat<N>> repeats_of(const Recompute &recompute, const std::vector<BasicLayerOperation<N>> &operations) {
    std::vector<Repeat<N>> repeats(operations.size());
    if (recompute.mode != RecomputeMode::selective && recompute.mode != RecomputeMode::modules)
        return repeats;
    for (std::size_t i = 0; i < operations.size(); ++i)
        if (is_recomputed(recompute, operations[i].module))
            repeats[i] = {.recomputed = true, .freed_bytes = freed_bytes(recompute, operations[i])};
    return repeats;
}

/// Recomputed fraction of an operation, in a stack that saves only queries, keys and values, or only the outputs of
/// attention and of some GEMMs.
template <Number N>
N repeated_share(const Plan &plan, const BasicLayerOperation<N> &operation) {
    if (plan.stack.selective_keeps_qkv) {
        if (operation.feeds_core)
            return 0;
        if (!operation.ends_layer)
            return 1;
        return 1
            - read<N>(plan.stack.recompute_early_stop,
                      {Origin::software, "early_stop", "fraction of the last matmul that is skipped", Quantity::share,
                       "/stack/recompute_early_stop", "the plan's software"});
    }
    if (operation.module == Module::core_attention)
        return 0;
    if (operation.multiply.rows <= 0)
        return 1;
    return read<N>(plan.stack.selective_multiplies,
                   {Origin::software, "selective_multiplies", "recomputed fraction of matmuls", Quantity::share,
                    "/stack/selective_multiplies", "the plan's software"});
}

/// Saved fraction of an operation's output. The output of the layer's last GEMM is never saved, because no backward
/// pass needs it.
template <Number N>
N saved_share(const Plan &plan, const BasicLayerOperation<N> &operation) {
    return plan.stack.selective_keeps_qkv && !operation.feeds_core ? N(0) : 1 - repeated_share(plan, operation);
}

bool repeats_by_operation(const Plan &plan) {
    return plan.recompute.mode == RecomputeMode::selective && plan.stack.selective_by_operation;
}

/// Bytes saved by a layer that recomputes whole operations: the layer's input and the outputs of the other operations.
template <Number N>
N saved_outputs(const Plan &plan, const std::vector<BasicLayerOperation<N>> &operations, const N &saved_inputs,
                const N &layer_input) {
    using formula::min;
    N saved = layer_input;
    for (const BasicLayerOperation<N> &operation : operations)
        if (const N share = saved_share(plan, operation); share != 0)
            saved += label(share * operation.output_bytes,
                           {operation.name, "output of the operation", Quantity::bytes, "saved instead of its inputs"});
    // 16-bit outputs can be larger than the narrow inputs that low-precision GEMMs save. No stack saves both.
    return min(saved_inputs,
               label(saved, {"outputs", "outputs of operations that are not recomputed", Quantity::bytes}));
}

/// Whether one operation's recomputed activations are in memory during another operation's backward pass.
bool are_restored_together(Module one, Module other) {
    const auto is_expert = [](Module module) {
        return module == Module::expert || module == Module::activation || module == Module::shared_expert;
    };
    const auto is_attention = [](Module module) {
        return module == Module::core_attention || module == Module::latent_up;
    };
    return (is_expert(one) && is_expert(other)) || (is_attention(one) && is_attention(other))
        || (one == Module::feed_forward && other == Module::feed_forward);
}

/// The backward pass visits the operations in reverse. During the backward pass of an operation, memory holds the
/// gradients of its output and of its input, and its recomputed activations.
template <Number N, typename Recomputed>
BasicWorkingSet<N> working_set(const std::vector<BasicLayerOperation<N>> &operations, Recomputed recomputed_bytes) {
    BasicWorkingSet<N> best;
    std::size_t at = 0;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const N input = i > 0 ? operations[i - 1].output_bytes : operations[i].output_bytes;
        const N bytes = operations[i].output_bytes + input + recomputed_bytes(i);
        if (bytes > best.bytes) {
            best.bytes = bytes;
            at = i;
        }
    }
    if (!operations.empty())
        best.operation = operations[at].name;
    return best;
}

template <Number N>
BasicWorkingSet<N> working_set_of_stored(const std::vector<BasicLayerOperation<N>> &operations,
                                         const std::vector<Repeat<N>> &repeats) {
    return working_set(operations, [&](std::size_t i) {
        N bytes = 0;
        for (std::size_t j = 0; j < operations.size(); ++j)
            if (i == j || (repeats[j].recomputed && are_restored_together(operations[i].module, operations[j].module)))
                bytes += repeats[j].freed_bytes;
        return bytes;
    });
}

/// @param checkpoint_bytes the layer's input, which is already counted as saved
template <Number N>
BasicWorkingSet<N> working_set_of_recomputed(const std::vector<BasicLayerOperation<N>> &operations,
                                             const N &checkpoint_bytes) {
    using formula::max;
    N saved_bytes = 0;
    return working_set(operations, [&](std::size_t i) {
        saved_bytes += operations[i].saved_bytes;
        return max(N(0), saved_bytes - checkpoint_bytes);
    });
}

/// Bytes of the layer's input. A fully recomputed layer saves nothing else.
template <Number N>
N input_bytes(const Plan &plan, const BasicRankShape<N> &shape) {
    return label(hidden_state_bytes(shape, plan.model) / shape.sequence_ways,
                 {"layer_input", "input of the layer", Quantity::bytes});
}

} // namespace

template <Number N>
BasicBlockMemory<N> block_memory(const Plan &plan, const std::vector<BasicLayerOperation<N>> &operations,
                                 const BasicRankShape<N> &shape) {
    const N layer_input = input_bytes(plan, shape);
    const std::vector<Repeat<N>> repeats = repeats_of(plan.recompute, operations);
    N saved = 0;
    for (const BasicLayerOperation<N> &operation : operations)
        saved += operation.saved_bytes;
    if (repeats_by_operation(plan))
        saved = saved_outputs(plan, operations, saved, layer_input);
    else
        for (const Repeat<N> &repeat : repeats)
            saved -= repeat.freed_bytes;
    BasicBlockMemory<N> memory{.stored_bytes = saved,
                               .recomputed_bytes = layer_input,
                               .stored_working = {},
                               .recomputed_working = working_set_of_recomputed(operations, layer_input)};
    memory.stored_working = repeats_by_operation(plan) && plan.stack.selective_keeps_qkv
        ? memory.recomputed_working
        : working_set_of_stored(operations, repeats);
    return memory;
}
template BasicBlockMemory<double> block_memory(const Plan &, const std::vector<LayerOperation> &, const RankShape &);
template BasicBlockMemory<Traced> block_memory(const Plan &, const std::vector<BasicLayerOperation<Traced>> &,
                                               const BasicRankShape<Traced> &);

template <Number N>
N recomputed_fraction(const Plan &plan, const BasicLayerOperation<N> &operation) {
    if (repeats_by_operation(plan))
        return repeated_share(plan, operation);
    return is_recomputed(plan.recompute, operation.module) ? 1 : 0;
}
template double recomputed_fraction(const Plan &, const LayerOperation &);
template Traced recomputed_fraction(const Plan &, const BasicLayerOperation<Traced> &);

std::vector<SavedTensor> saved_tensors(const Plan &plan, const LayerCosts &layers, std::size_t block) {
    const std::vector<LayerOperation> operations =
        layer_operations(plan.model, plan.model.blocks[block], layers.shape(), layers.device(), plan);
    const std::vector<Repeat<double>> repeats = repeats_of(plan.recompute, operations);
    double inputs = 0;
    double results = input_bytes(plan, layers.shape());
    for (const LayerOperation &operation : operations) {
        inputs += operation.saved_bytes;
        results += saved_share(plan, operation) * operation.output_bytes;
    }
    const bool saves_outputs = repeats_by_operation(plan) && results < inputs;
    std::vector<SavedTensor> tensors;
    double freed_of_attention = 0; // attention saves the queries, keys and values that were projected from latents
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const LayerOperation &operation = operations[i];
        double bytes = operation.saved_bytes;
        if (saves_outputs)
            bytes = saved_share(plan, operation) * operation.output_bytes;
        else if (!repeats_by_operation(plan) && operation.module == Module::latent_up)
            freed_of_attention += repeats[i].freed_bytes;
        else if (!repeats_by_operation(plan))
            bytes -= repeats[i].freed_bytes;
        tensors.push_back({.name = operation.name, .bytes = bytes});
    }
    for (std::size_t i = 0; i < operations.size(); ++i)
        if (operations[i].module == Module::core_attention)
            tensors[i].bytes -= std::exchange(freed_of_attention, 0);
    return tensors;
}

} // namespace meshwright

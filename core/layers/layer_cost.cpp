// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/layer_cost.h"

#include "formulas/kernels.h"
#include "formulas/offload.h"
#include "formulas/rank_memory.h"
#include "formulas/step_terms.h"

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

LayerCost sum_of(const std::vector<LayerOperation> &operations) {
    LayerCost cost;
    for (const LayerOperation &operation : operations) {
        cost.forward_seconds += operation.seconds.forward;
        cost.input_gradient_seconds += operation.seconds.input_gradient;
        cost.weight_gradient_seconds += operation.seconds.weight_gradient;
        cost.saved_bytes += operation.saved_bytes;
    }
    return cost;
}

void bound_by_host(LayerCost &cost, HostSeconds host) {
    if (host.launches + host.waits <= 0)
        return;
    const double backward = cost.input_gradient_seconds + cost.weight_gradient_seconds;
    const double slower = formula::launch_bound_seconds(backward, formula::backward_launch_seconds(host.launches),
                                                        formula::backward_launch_seconds(host.waits))
        / std::max(backward, 1e-12);
    cost.forward_seconds = formula::launch_bound_seconds(cost.forward_seconds, host.launches, host.waits);
    cost.input_gradient_seconds *= slower;
    cost.weight_gradient_seconds *= slower;
}

/// While the device waits for its host, communication continues. The exposed part is the increase that communication
/// causes over the maximum of launch time and kernel time.
void overlap_with_launches(LayerCost &cost, double forward_kernels, double backward_kernels, double host) {
    if (host <= 0)
        return;
    const auto exposed_fraction = [](double kernels, double traffic, double launches) {
        return traffic > 0 ? (formula::launch_bound_seconds(kernels + traffic, launches, 0)
                              - formula::launch_bound_seconds(kernels, launches, 0))
                / traffic
                           : 1;
    };
    const double forward = exposed_fraction(forward_kernels, cost.tensor.forward + cost.expert.forward, host);
    const double backward = exposed_fraction(backward_kernels, cost.tensor.backward + cost.expert.backward,
                                             formula::backward_launch_seconds(host));
    for (ExposedSeconds *const exposed : {&cost.tensor, &cost.expert}) {
        exposed->forward *= forward;
        exposed->backward *= backward;
    }
}

bool names_module(const Recompute &recompute, const char *name) {
    return recompute.mode == RecomputeMode::modules
        && std::find(recompute.modules.begin(), recompute.modules.end(), name) != recompute.modules.end();
}

bool is_recomputed(const Recompute &recompute, const LayerOperation &operation) {
    switch (operation.module) {
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

/// Bytes freed by recomputing an operation. A single operation frees its output, attention its scores, and a latent's
/// up-projections the keys and values. In a module recomputed as a whole, everything but the module's input is freed.
double freed_bytes(const Recompute &recompute, const LayerOperation &operation) {
    const bool inside_module = operation.module == Module::feed_forward || operation.module == Module::expert
        || operation.module == Module::shared_expert
        || (operation.module == Module::activation && names_module(recompute, "moe"));
    return inside_module                        ? operation.saved_bytes - operation.entry_bytes
        : operation.module == Module::latent_up ? operation.output_bytes
                                                : operation.freed_bytes;
}

/// The effect of selective recomputation on one operation.
struct Repeat {
    bool recomputed = false;
    double freed_bytes = 0;
};

std::vector<Repeat> repeats_of(const Recompute &recompute, const std::vector<LayerOperation> &operations) {
    std::vector<Repeat> repeats(operations.size());
    if (recompute.mode != RecomputeMode::selective && recompute.mode != RecomputeMode::modules)
        return repeats;
    for (std::size_t i = 0; i < operations.size(); ++i)
        if (is_recomputed(recompute, operations[i]))
            repeats[i] = {.recomputed = true, .freed_bytes = freed_bytes(recompute, operations[i])};
    return repeats;
}

/// Recomputed fraction of an operation if the stack saves the outputs of attention and of some GEMMs, or only queries,
/// keys and values, and recomputes everything else.
double repeated_share(const Plan &plan, const LayerOperation &operation) {
    if (plan.stack.selective_keeps_qkv) {
        if (operation.feeds_core)
            return 0;
        return operation.ends_layer ? 1 - plan.stack.recompute_early_stop : 1;
    }
    if (operation.module == Module::core_attention)
        return 0;
    return operation.multiply.rows > 0 ? plan.stack.selective_multiplies : 1;
}

/// Saved fraction of an operation's output. The last GEMM's output is not needed by any backward pass.
double kept_share(const Plan &plan, const LayerOperation &operation) {
    return plan.stack.selective_keeps_qkv && !operation.feeds_core ? 0 : 1 - repeated_share(plan, operation);
}

bool repeats_by_operation(const Plan &plan) {
    return plan.recompute.mode == RecomputeMode::selective && plan.stack.selective_by_operation;
}

void repeat_operations(const Plan &plan, const std::vector<LayerOperation> &operations, double input_bytes,
                       BlockKernels &kernels) {
    double saved = input_bytes;
    for (const LayerOperation &operation : operations) {
        const double share = repeated_share(plan, operation);
        kernels.recomputed_seconds += share * operation.seconds.forward;
        saved += kept_share(plan, operation) * operation.output_bytes;
    }
    // Outputs in 16 bits can be larger than the narrow inputs that low-precision GEMMs save; no stack saves both.
    kernels.saved_bytes = std::min(kernels.all.saved_bytes, saved);
}

void repeat(const std::vector<LayerOperation> &operations, const std::vector<Repeat> &repeats, BlockKernels &kernels) {
    kernels.saved_bytes = kernels.all.saved_bytes;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        kernels.recomputed_seconds += repeats[i].recomputed ? operations[i].seconds.forward : 0;
        kernels.saved_bytes -= repeats[i].freed_bytes;
    }
}

/// Whether activations freed by one operation are back in memory during the other's backward pass.
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

/// The backward pass visits the operations in reverse. At each one, the gradients of its output and input are in memory
/// together with its recomputed activations.
template <typename Recomputed>
WorkingSet working_set(const std::vector<LayerOperation> &operations, Recomputed recomputed_bytes) {
    WorkingSet best;
    std::size_t at = 0;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const double input = i > 0 ? operations[i - 1].output_bytes : operations[i].output_bytes;
        const double bytes = operations[i].output_bytes + input + recomputed_bytes(i);
        if (bytes > best.bytes) {
            best.bytes = bytes;
            at = i;
        }
    }
    if (!operations.empty())
        best.operation = operations[at].name;
    return best;
}

WorkingSet working_set_of_stored(const std::vector<LayerOperation> &operations, const std::vector<Repeat> &repeats) {
    return working_set(operations, [&](std::size_t i) {
        double bytes = 0;
        for (std::size_t j = 0; j < operations.size(); ++j)
            if (i == j || (repeats[j].recomputed && are_restored_together(operations[i].module, operations[j].module)))
                bytes += repeats[j].freed_bytes;
        return bytes;
    });
}

/// @param checkpoint_bytes the layer's input, which is already counted as saved
WorkingSet working_set_of_recomputed(const std::vector<LayerOperation> &operations, double checkpoint_bytes) {
    double kept = 0;
    return working_set(operations, [&](std::size_t i) {
        kept += operations[i].saved_bytes;
        return std::max(0.0, kept - checkpoint_bytes);
    });
}

/// The layer's input: all that a fully recomputed layer saves.
double input_bytes(const Plan &plan, const RankShape &shape) {
    return hidden_state_bytes(shape, plan.model) / shape.sequence_ways;
}

BlockKernels block_kernels(const Plan &plan, const Block &block, const std::vector<Weight> &weights,
                           const RankShape &shape, const Device &device) {
    const std::vector<LayerOperation> operations = layer_operations(plan.model, block, weights, shape, device, plan);
    BlockKernels kernels{.all = sum_of(operations)};
    kernels.all.parameters = rank_parameters(weights, shape);
    kernels.sharded_unit =
        plan.stack.shards_by_weight ? largest_weight(weights, shape) : kernels.all.parameters.total();
    for (const LayerOperation &operation : operations) {
        if (operation.module == Module::core_attention) {
            kernels.attention_seconds += operation.seconds.forward;
            kernels.attention_backward_seconds += operation.seconds.backward();
        }
        if (operation.module == Module::feed_forward || operation.module == Module::expert)
            kernels.last_multiply_seconds = operation.seconds.forward;
    }
    const std::vector<Repeat> repeats = repeats_of(plan.recompute, operations);
    if (repeats_by_operation(plan))
        repeat_operations(plan, operations, input_bytes(plan, shape), kernels);
    else
        repeat(operations, repeats, kernels);
    kernels.recomputed_working = working_set_of_recomputed(operations, input_bytes(plan, shape));
    kernels.stored_working = repeats_by_operation(plan) && plan.stack.selective_keeps_qkv
        ? kernels.recomputed_working
        : working_set_of_stored(operations, repeats);
    return kernels;
}

} // namespace

Machine::Machine(const Plan &plan, const Assumptions &assumptions)
    : device(plan, assumptions)
    , network(plan.cluster, assumptions)
    , host_time_factor(assumptions[ConstantId::host_time_factor])
    , step_sums_seconds(formula::step_sums_seconds(
          network.all_reduce_seconds({.members = plan.site_accelerators(), .stride = 1}, summed_number_bytes)))
    , activation_slack(assumptions[ConstantId::activation_slack])
    , host_link_rate(
          formula::host_rate(host_bandwidth(plan.cluster.accelerator), assumptions[ConstantId::host_link_efficiency]))
    , host_update_rate(
          formula::host_rate(host_bandwidth(plan.cluster.accelerator), assumptions[ConstantId::host_update_share])) { }

double host_bandwidth(const Accelerator &accelerator) {
    constexpr double pci_express_4 = 32e9;
    return accelerator.host_bandwidth_bytes_per_second > 0 ? accelerator.host_bandwidth_bytes_per_second
                                                           : pci_express_4;
}

ModelWeights::ModelWeights(const Model &model)
    : input(input_weights(model))
    , tied_copy(tied_copy_weights(model))
    , output(output_weights(model)) {
    for (const Block &block : model.blocks)
        blocks.push_back(weights_of(model, block));
    if (model.mtp_layers > 0)
        prediction_module = prediction_module_weights(model);
}

LayerKernels::LayerKernels(const Plan &plan, const Device &device, const ModelWeights &weights) {
    const RankShape shape = rank_shape(plan);
    blocks.reserve(plan.model.blocks.size());
    for (std::size_t i = 0; i < plan.model.blocks.size(); ++i)
        blocks.push_back(block_kernels(plan, plan.model.blocks[i], weights.blocks[i], shape, device));
    embedding = sum_of(embedding_operations(plan.model, shape, device, plan));
    embedding.parameters = rank_parameters(weights.input, shape);
    tied_copy = rank_parameters(weights.tied_copy, shape);
    head = sum_of(head_operations(plan.model, shape, device, plan));
    head.parameters = rank_parameters(weights.output, shape);
    if (plan.model.mtp_layers > 0) {
        const auto hidden = static_cast<double>(plan.model.hidden);
        joining = device.matrix(shape.tokens, hidden / shape.tensor, 2 * hidden, MatrixUnits::compute);
        module_parameters = rank_parameters(weights.prediction_module, shape);
    }
}

double recomputed_fraction(const Plan &plan, const LayerOperation &operation) {
    if (repeats_by_operation(plan))
        return repeated_share(plan, operation);
    return is_recomputed(plan.recompute, operation) ? 1 : 0;
}

void ExposedSeconds::add(const ExposedSeconds &other, double times) {
    forward += times * other.forward;
    backward += times * other.backward;
    recompute += times * other.recompute;
}

void LayerCost::add(const LayerCost &other, double times) {
    forward_seconds += times * other.forward_seconds;
    input_gradient_seconds += times * other.input_gradient_seconds;
    weight_gradient_seconds += times * other.weight_gradient_seconds;
    recompute_seconds += times * other.recompute_seconds;
    tensor.add(other.tensor, times);
    context.add(other.context, times);
    expert.add(other.expert, times);
    copies.add(other.copies, times);
    saved_bytes += times * other.saved_bytes;
    parameters.add(other.parameters, times);
}

LayerCosts::LayerCosts(const Plan &plan, const Assumptions &assumptions)
    : LayerCosts(plan, std::make_shared<const Machine>(plan, assumptions)) { }

LayerCosts::LayerCosts(const Plan &plan, std::shared_ptr<const Machine> machine)
    : LayerCosts(plan, machine, LayerKernels(plan, machine->device, ModelWeights(plan.model))) { }

LayerCosts::LayerCosts(const Plan &plan, std::shared_ptr<const Machine> machine, const LayerKernels &kernels)
    : m_machine(std::move(machine))
    , m_shape(rank_shape(plan))
    , m_groups(groups_of(plan))
    , m_embedding(kernels.embedding)
    , m_tied_copy(kernels.tied_copy)
    , m_head(kernels.head)
    , m_joining(kernels.joining)
    , m_module_parameters(kernels.module_parameters)
    , m_logits_elements(
          formula::logits_of_rank(m_shape.tokens, static_cast<double>(plan.model.vocabulary), m_shape.logits_ways)) {
    m_contended_seconds = network().contended_launch_seconds(m_groups.tensor, pipeline_line(plan, m_groups));
    m_blocks.reserve(kernels.blocks.size());
    for (std::size_t i = 0; i < kernels.blocks.size(); ++i)
        m_blocks.push_back(block_cost(plan, plan.model.blocks[i], kernels.blocks[i]));
    if (plan.model.mtp_layers > 0)
        add_prediction_module(plan);
}

void LayerCosts::add_prediction_module(const Plan &plan) {
    const BlockCost &block = m_blocks[static_cast<std::size_t>(plan.model.mtp_block)];
    m_prediction_module = plan.recompute.mode == RecomputeMode::full ? block.recomputed : block.stored;
    m_prediction_module.forward_seconds += m_joining.forward;
    m_prediction_module.input_gradient_seconds += m_joining.input_gradient;
    m_prediction_module.weight_gradient_seconds += m_joining.weight_gradient;
    m_prediction_module.parameters = m_module_parameters;
}

LayerCosts LayerCosts::recomputed_in_full(const Plan &plan) const {
    LayerCosts costs = *this;
    if (plan.model.mtp_layers > 0)
        costs.add_prediction_module(plan);
    return costs;
}

bool LayerCosts::regroup(const Plan &plan) {
    const Groups groups = groups_of(plan);
    if (groups.tensor != m_groups.tensor || groups.context != m_groups.context || groups.expert != m_groups.expert
        || groups.expert_tensor != m_groups.expert_tensor
        || network().contended_launch_seconds(groups.tensor, pipeline_line(plan, groups)) != m_contended_seconds)
        return false;
    m_groups = groups;
    return true;
}

std::vector<KeptTensor> LayerCosts::kept_tensors(const Plan &plan, std::size_t block) const {
    const std::vector<LayerOperation> operations =
        layer_operations(plan.model, plan.model.blocks[block], m_shape, device(), plan);
    const std::vector<Repeat> repeats = repeats_of(plan.recompute, operations);
    double inputs = 0;
    double results = input_bytes(plan, m_shape);
    for (const LayerOperation &operation : operations) {
        inputs += operation.saved_bytes;
        results += kept_share(plan, operation) * operation.output_bytes;
    }
    const bool keeps_results = repeats_by_operation(plan) && results < inputs;
    std::vector<KeptTensor> kept;
    double freed_of_attention = 0; // keys, values and queries from latents are saved by the attention that reads them
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const LayerOperation &operation = operations[i];
        double bytes = operation.saved_bytes;
        if (keeps_results)
            bytes = kept_share(plan, operation) * operation.output_bytes;
        else if (!repeats_by_operation(plan) && operation.module == Module::latent_up)
            freed_of_attention += repeats[i].freed_bytes;
        else if (!repeats_by_operation(plan))
            bytes -= repeats[i].freed_bytes;
        kept.push_back({.name = operation.name, .bytes = bytes});
    }
    for (std::size_t i = 0; i < operations.size(); ++i)
        if (operations[i].module == Module::core_attention)
            kept[i].bytes -= std::exchange(freed_of_attention, 0);
    return kept;
}

BlockCost LayerCosts::block_cost(const Plan &plan, const Block &block, const BlockKernels &kernels) const {
    OverlapSeconds overlap{.forward = kernels.attention_seconds,
                           .backward = kernels.attention_backward_seconds,
                           .recompute = kernels.attention_seconds};
    BlockCost cost{.stored = kernels.all,
                   .recomputed = {},
                   .stored_working = kernels.stored_working,
                   .recomputed_working = kernels.recomputed_working,
                   .sharded_unit = kernels.sharded_unit};
    const double kernel_seconds = cost.stored.forward_seconds;
    const double backward_kernel_seconds = cost.stored.backward_seconds();
    const HostSeconds host = host_seconds(plan, block);
    bound_by_host(cost.stored, host);
    // While the device waits for its host, communication continues.
    overlap.forward += cost.stored.forward_seconds - kernel_seconds;
    overlap.backward += cost.stored.backward_seconds() - backward_kernel_seconds;
    add_communication(plan, block, cost.stored);
    overlap_with_launches(cost.stored, kernel_seconds, backward_kernel_seconds, host.launches);
    cost.recomputed = cost.stored;
    cost.stored.recompute_seconds = kernels.recomputed_seconds;
    cost.stored.saved_bytes = kernels.saved_bytes;

    // Only the layer's input is saved. Its forward pass is recomputed, including communication. With early stopping,
    // checkpointing does not recompute the block's last GEMM.
    LayerCost &full = cost.recomputed;
    full.saved_bytes = input_bytes(plan, m_shape);
    const double repeated_kernel_seconds = formula::recomputed_kernel_seconds(
        kernel_seconds, kernels.last_multiply_seconds, plan.stack.recompute_early_stop);
    full.recompute_seconds = formula::launch_bound_seconds(repeated_kernel_seconds, host.launches, host.waits);
    overlap.recompute += full.recompute_seconds - repeated_kernel_seconds;
    full.tensor.recompute = full.tensor.forward;
    full.expert.recompute = full.expert.forward;
    full.context = context_exposed(plan, block, overlap);
    cost.stored.context = {.forward = full.context.forward, .backward = full.context.backward};
    cost.stored.copies = host_copies(plan, cost.stored);
    full.copies = host_copies(plan, full);
    return cost;
}

ExposedSeconds LayerCosts::host_copies(const Plan &plan, const LayerCost &cost) const {
    if (plan.offload.activations <= 0)
        return {};
    const double bytes =
        formula::host_copy_bytes(cost.saved_bytes, m_machine->activation_slack, plan.offload.activations);
    const double rate = m_machine->host_link_rate;
    return {.forward = formula::host_copy_seconds(bytes, rate, cost.whole_forward_seconds()),
            .backward = formula::host_copy_seconds(bytes, rate, cost.backward_seconds())};
}

void LayerCosts::add_communication(const Plan &plan, const Block &block, LayerCost &cost) const {
    const double hidden_bytes = hidden_state_bytes(m_shape, plan.model);
    const auto *experts = std::get_if<Experts>(&block.transform);
    const bool has_mixer = !std::holds_alternative<Nothing>(block.mixer);
    const bool split_transform =
        std::holds_alternative<FeedForward>(block.transform) || (experts != nullptr && experts->shared_hidden > 0);
    const double parts = (has_mixer ? 1 : 0) + (split_transform && !(block.parallel && has_mixer) ? 1 : 0);
    const Group tensor = m_groups.tensor;
    if (plan.parallelism.sequence_parallel) {
        const double one = network().all_gather_seconds(tensor, hidden_bytes);
        const double copy = plan.stack.copies_gathered_sequences && tensor.members > 1
            ? formula::copy_seconds(hidden_bytes, device().memory_bytes_per_second())
            : 0;
        cost.tensor.forward = formula::sequence_forward_seconds(parts, one, plan.stack.tensor_overlap, copy);
        cost.tensor.backward = formula::sequence_backward_seconds(parts, one, plan.stack.tensor_overlap, copy);
    } else {
        cost.tensor.forward = cost.tensor.backward =
            formula::tensor_forward_seconds(parts, network().all_reduce_seconds(tensor, hidden_bytes));
    }
    if (experts == nullptr)
        return;
    const auto copies = static_cast<double>(experts->experts_per_token);
    const double sent = hidden_bytes / m_shape.expert_ways * copies;
    cost.expert.forward = cost.expert.backward = formula::expert_exchange_seconds(
        network().all_to_all_seconds(m_groups.expert, sent, copies),
        network().all_gather_seconds(m_groups.expert_tensor, sent * m_shape.expert_tensor), plan.stack.expert_overlap);
}

ExposedSeconds LayerCosts::context_exposed(const Plan &plan, const Block &block, OverlapSeconds overlap) const {
    if (m_groups.context.members <= 1)
        return {};
    const double positions = static_cast<double>(plan.batch.micro_sequences) * m_shape.sequence;
    if (const auto *attention = std::get_if<Attention>(&block.mixer)) {
        const double bytes = formula::ring_exchange_bytes(
            positions, static_cast<double>(attention->kv_heads * attention->head_dim), m_shape.activation_bytes,
            std::min(m_shape.tensor, static_cast<double>(attention->kv_heads)));
        const double exchange = network().all_gather_seconds(m_groups.context, bytes);
        return {.forward = formula::ring_forward_seconds(exchange, overlap.forward),
                .backward = formula::ring_backward_seconds(exchange, overlap.backward),
                .recompute = formula::ring_forward_seconds(exchange, overlap.recompute)};
    }
    if (const auto *latent = std::get_if<LatentAttention>(&block.mixer)) {
        const double bytes = formula::kept_tensor_bytes(
            positions, static_cast<double>(latent->key_value_rank + latent->rope_head_dim), m_shape.activation_bytes);
        const double exchange = network().all_gather_seconds(m_groups.context, bytes);
        const double forward = formula::latent_gather_seconds(exchange, 1);
        return {.forward = forward, .backward = formula::latent_gather_seconds(exchange, 2), .recompute = forward};
    }
    return {};
}

} // namespace meshwright

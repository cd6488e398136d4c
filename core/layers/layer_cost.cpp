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

/// Communication continues while the device waits for the host. Its exposed part is therefore the time that it adds to
/// the maximum of launch time and kernel time.
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
    for (const LayerOperation &operation : operations)
        kernels.recomputed_seconds += recomputed_fraction(plan, operation) * operation.seconds.forward;
    kernels.memory = block_memory(plan, operations, shape);
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
        joining = join_operations(plan.model, shape, device).front().seconds;
        module_parameters = rank_parameters(weights.prediction_module, shape);
    }
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

BlockCost LayerCosts::block_cost(const Plan &plan, const Block &block, const BlockKernels &kernels) const {
    OverlapSeconds overlap{.forward = kernels.attention_seconds,
                           .backward = kernels.attention_backward_seconds,
                           .recompute = kernels.attention_seconds};
    BlockCost cost{.stored = kernels.all,
                   .recomputed = {},
                   .stored_working = kernels.memory.stored_working,
                   .recomputed_working = kernels.memory.recomputed_working,
                   .sharded_unit = kernels.sharded_unit};
    const double kernel_seconds = cost.stored.forward_seconds;
    const double backward_kernel_seconds = cost.stored.backward_seconds();
    const HostSeconds host = host_seconds(plan, block);
    bound_by_host(cost.stored, host);
    // Communication continues while the device waits for the host.
    overlap.forward += cost.stored.forward_seconds - kernel_seconds;
    overlap.backward += cost.stored.backward_seconds() - backward_kernel_seconds;
    add_communication(plan, block, cost.stored);
    overlap_with_launches(cost.stored, kernel_seconds, backward_kernel_seconds, host.launches);
    cost.recomputed = cost.stored;
    cost.stored.recompute_seconds = kernels.recomputed_seconds;
    cost.stored.saved_bytes = kernels.memory.stored_bytes;

    // Only the layer's input is saved. The forward pass is recomputed, including its communication. With PyTorch's
    // early stopping, the block's last GEMM is not recomputed.
    LayerCost &full = cost.recomputed;
    full.saved_bytes = kernels.memory.recomputed_bytes;
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
        const double bytes = formula::saved_tensor_bytes(
            positions, static_cast<double>(latent->key_value_rank + latent->rope_head_dim), m_shape.activation_bytes);
        const double exchange = network().all_gather_seconds(m_groups.context, bytes);
        const double forward = formula::latent_gather_seconds(exchange, 1);
        return {.forward = forward, .backward = formula::latent_gather_seconds(exchange, 2), .recompute = forward};
    }
    return {};
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/layer_cost.h"

#include "formulas/kernels.h"
#include "formulas/offload.h"
#include "formulas/preset_property.h"
#include "formulas/rank_memory.h"
#include "formulas/step_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshwright {

namespace {

using std::min;

constexpr Quantity time = Quantity::seconds;

/// Names a time after an operation: "attention.core, forward".
template <Number N>
N of_operation(const N &seconds, std::string_view operation, std::string_view pass) {
    if constexpr (std::same_as<N, double>)
        return seconds;
    else
        return label(seconds, {operation, fmt::format("{}, {}", operation, pass), time});
}

/// The sum over operations that run one after another.
template <Number N>
BasicLayerCost<N> sum_of(const std::vector<BasicLayerOperation<N>> &operations) {
    BasicLayerCost<N> cost;
    const auto add = [](N &sum, const N &seconds, std::string_view operation, std::string_view pass) {
        if (value_of(seconds) != 0)
            sum += of_operation(seconds, operation, pass);
    };
    for (const BasicLayerOperation<N> &operation : operations) {
        add(cost.forward_seconds, operation.seconds.forward, operation.name, "forward");
        add(cost.input_gradient_seconds, operation.seconds.input_gradient, operation.name, "input gradient");
        add(cost.weight_gradient_seconds, operation.seconds.weight_gradient, operation.name, "weight gradient");
        cost.saved_bytes += operation.saved_bytes;
    }
    constexpr std::string_view in_turn = "operations run one after another";
    cost.forward_seconds = label(cost.forward_seconds, {"kernels", "kernels, forward", time, in_turn});
    cost.input_gradient_seconds =
        label(cost.input_gradient_seconds, {"kernels", "kernels, input gradient", time, in_turn});
    cost.weight_gradient_seconds =
        label(cost.weight_gradient_seconds, {"kernels", "kernels, weight gradient", time, in_turn});
    return cost;
}

template <Number N>
N of_backward(const N &forward) {
    return value_of(forward) == 0 ? N(0)
                                  : label(formula::backward_launch_seconds(forward),
                                          {"backward_launches", "host time, scaled to the backward pass", time});
}

template <Number N>
void bound_by_host(BasicLayerCost<N> &cost, const BasicHostSeconds<N> &host) {
    if (value_of(host.launches) + value_of(host.waits) <= 0)
        return;
    const N backward = label(cost.input_gradient_seconds + cost.weight_gradient_seconds,
                             {"kernels", "kernels, backward", time, "gradients of inputs and of weights"});
    const N bound = formula::launch_bound_seconds(backward, of_backward(host.launches), of_backward(host.waits));
    const N slower = label(bound / (value_of(backward) > 1e-12 ? backward : N(1e-12)),
                           {"slower", "lengthening of the backward pass by launches", Quantity::number,
                            "host launches lengthen both halves of the backward pass by the same factor"});
    cost.forward_seconds = formula::launch_bound_seconds(cost.forward_seconds, host.launches, host.waits);
    cost.input_gradient_seconds *= slower;
    cost.weight_gradient_seconds *= slower;
}

/// Communication continues while the device waits for the host. Its exposed part is therefore the time that it adds to
/// the maximum of launch time and kernel time.
template <Number N>
void overlap_with_launches(BasicLayerCost<N> &cost, const N &forward_kernels, const N &backward_kernels,
                           const N &host) {
    if (value_of(host) <= 0)
        return;
    const auto exposed_fraction = [](const N &kernels, const N &traffic, const N &launches) {
        if (value_of(traffic) <= 0)
            return N(1);
        const N all = label(traffic, {"traffic", "communication of the layer", time});
        return label((formula::launch_bound_seconds(kernels + all, launches, N(0))
                      - formula::launch_bound_seconds(kernels, launches, N(0)))
                         / all,
                     {"exposed_fraction", "exposed fraction of the communication in a launch-bound layer",
                      Quantity::share, "time of the launch-bound layer with and without the communication"});
    };
    const N forward = exposed_fraction(forward_kernels, cost.tensor.forward + cost.expert.forward, host);
    const N backward =
        exposed_fraction(backward_kernels, cost.tensor.backward + cost.expert.backward, of_backward(host));
    for (BasicExposedSeconds<N> *const exposed : {&cost.tensor, &cost.expert}) {
        exposed->forward *= forward;
        exposed->backward *= backward;
    }
}

template <Number N>
BasicBlockKernels<N> block_kernels(const Plan &plan, const Block &block, const std::vector<Weight> &weights,
                                   const BasicRankShape<N> &shape, const BasicDevice<N> &device) {
    const std::vector<BasicLayerOperation<N>> operations =
        layer_operations(plan.model, block, weights, shape, device, plan);
    BasicBlockKernels<N> kernels{.all = sum_of(operations)};
    kernels.all.parameters = rank_parameters(weights, shape);
    kernels.sharded_unit =
        plan.stack.shards_by_weight ? largest_weight(weights, shape) : kernels.all.parameters.total();
    for (const BasicLayerOperation<N> &operation : operations) {
        if (operation.module == Module::core_attention) {
            kernels.attention_seconds += operation.seconds.forward;
            kernels.attention_backward_seconds += operation.seconds.backward();
        }
        if (operation.module == Module::feed_forward || operation.module == Module::expert)
            kernels.last_multiply_seconds = operation.seconds.forward;
    }
    for (const BasicLayerOperation<N> &operation : operations)
        if (const N share = recomputed_fraction(plan, operation); value_of(share) > 0)
            kernels.recomputed_seconds += of_operation(share * operation.seconds.forward, operation.name, "recomputed");
    kernels.memory = block_memory(plan, operations, shape);
    return kernels;
}

/// Bandwidth to host memory in bytes/s per direction. Assumes PCI Express 4.0 x16 if the accelerator's bandwidth is
/// unknown.
template <Number N>
N host_bandwidth(const Accelerator &accelerator) {
    constexpr double pci_express_4 = 32e9;
    constexpr std::string_view title = "bandwidth of the host link, per direction";
    return accelerator.host_bandwidth_bytes_per_second > 0
        ? accelerator_property<N>(accelerator, "host_bandwidth_bytes_per_second", "bandwidth", title,
                                  accelerator.host_bandwidth_bytes_per_second, Quantity::bytes_per_second)
        : published_number<N>(pci_express_4, "bandwidth", title, Quantity::bytes_per_second,
                              "assumed: PCI Express 4.0 x16, because this accelerator's link is not known");
}

} // namespace

template <Number N>
BasicMachine<N>::BasicMachine(const Plan &plan, const Assumptions &assumptions, const BasicGroup<N> &site)
    : device(plan, assumptions)
    , network(plan.cluster, assumptions)
    , host_time_factor(constant<N>(ConstantId::host_time_factor, assumptions[ConstantId::host_time_factor]))
    , step_sums_seconds(formula::step_sums_seconds(
          network.all_reduce_seconds(site,
                                     read<N>(summed_number_bytes,
                                             {Origin::software, "bytes", "one number in FP32", Quantity::bytes,
                                              "/stack", "norms and losses are summed in FP32"}))))
    , activation_slack(constant<N>(ConstantId::activation_slack, assumptions[ConstantId::activation_slack]))
    , host_link_rate(
          label(formula::host_rate(
                    host_bandwidth<N>(plan.cluster.accelerator),
                    constant<N>(ConstantId::host_link_efficiency, assumptions[ConstantId::host_link_efficiency])),
                {"link_rate", "copy rate between accelerator and host, per direction", Quantity::bytes_per_second}))
    , host_update_rate(label(
          formula::host_rate(host_bandwidth<N>(plan.cluster.accelerator),
                             constant<N>(ConstantId::host_update_share, assumptions[ConstantId::host_update_share])),
          {"update_rate", "sustained host memory bandwidth of the CPU optimizer step", Quantity::bytes_per_second})) { }
template struct BasicMachine<double>;
template struct BasicMachine<Traced>;

std::shared_ptr<const Machine> machine_of(const Plan &plan, const Assumptions &assumptions) {
    return std::make_shared<const Machine>(plan, assumptions, groups_of(plan).site);
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

template <Number N>
BasicLayerKernels<N>::BasicLayerKernels(const Plan &plan, const BasicDevice<N> &device, const ModelWeights &weights) {
    const BasicRankShape<N> shape = rank_shape<N>(plan);
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
template struct BasicLayerKernels<double>;
template struct BasicLayerKernels<Traced>;

template <Number N>
BasicLayerCosts<N>::BasicLayerCosts(const Plan &plan, const Assumptions &assumptions) requires std::same_as<N, double>
    : BasicLayerCosts(plan, machine_of(plan, assumptions)) { }

template <Number N>
BasicLayerCosts<N>::BasicLayerCosts(
    const Plan &plan, const std::shared_ptr<const BasicMachine<N>> &machine) requires std::same_as<N, double>
    : BasicLayerCosts(plan, machine, LayerKernels(plan, machine->device, ModelWeights(plan.model)), groups_of(plan)) { }

template <Number N>
BasicLayerCosts<N>::BasicLayerCosts(const Plan &plan, std::shared_ptr<const BasicMachine<N>> machine,
                                    const BasicLayerKernels<N> &kernels, const BasicGroups<N> &groups)
    : m_machine(std::move(machine))
    , m_shape(rank_shape<N>(plan))
    , m_groups(groups)
    , m_embedding(kernels.embedding)
    , m_tied_copy(kernels.tied_copy)
    , m_head(kernels.head)
    , m_joining(kernels.joining)
    , m_module_parameters(kernels.module_parameters)
    , m_logits_elements(formula::logits_of_rank(
          m_shape.tokens, model_property<N>("vocabulary", "vocabulary size", plan.model.vocabulary),
          m_shape.logits_ways)) {
    m_contended_seconds = network().contended_launch_seconds(m_groups.tensor, m_groups.pipeline);
    m_blocks.reserve(kernels.blocks.size());
    for (std::size_t i = 0; i < kernels.blocks.size(); ++i)
        m_blocks.push_back(block_cost(plan, plan.model.blocks[i], kernels.blocks[i]));
    if (plan.model.mtp_layers > 0)
        add_prediction_module(plan);
}

template <Number N>
void BasicLayerCosts<N>::add_prediction_module(const Plan &plan) {
    const BasicBlockCost<N> &block = m_blocks[static_cast<std::size_t>(plan.model.mtp_block)];
    m_prediction_module = plan.recompute.mode == RecomputeMode::full ? block.recomputed : block.stored;
    m_prediction_module.forward_seconds += m_joining.forward;
    m_prediction_module.input_gradient_seconds += m_joining.input_gradient;
    m_prediction_module.weight_gradient_seconds += m_joining.weight_gradient;
    m_prediction_module.parameters = m_module_parameters;
}

template <Number N>
BasicLayerCosts<N> BasicLayerCosts<N>::recomputed_in_full(const Plan &plan) const {
    BasicLayerCosts costs = *this;
    if (plan.model.mtp_layers > 0)
        costs.add_prediction_module(plan);
    return costs;
}

template <Number N>
bool BasicLayerCosts<N>::regroup(const Plan &plan) requires std::same_as<N, double> {
    const Groups groups = groups_of(plan);
    if (groups.tensor != m_groups.tensor || groups.context != m_groups.context || groups.expert != m_groups.expert
        || groups.expert_tensor != m_groups.expert_tensor
        || network().contended_launch_seconds(groups.tensor, groups.pipeline) != m_contended_seconds)
        return false;
    m_groups = groups;
    return true;
}

template <Number N>
BasicHostSeconds<N> BasicLayerCosts<N>::host_seconds(const Plan &plan, const Block &block) const {
    const N launches = label(m_machine->host_time_factor * launch_seconds<N>(plan, block),
                             {"launch_seconds", "host time of a layer's forward kernels", time,
                              "launch time on the reference machine, scaled to this machine's CPUs"});
    const N waits = label(m_machine->host_time_factor * routing_seconds<N>(plan, block),
                          {"wait_seconds", "time spent waiting for the experts' token counts", time,
                           "wait time on the reference machine, scaled to this machine's CPUs"});
    if (plan.stack.launches_wait)
        return {.launches = m_contended_seconds,
                .waits = label(waits + launches,
                               {"wait_seconds", "host time during which the device is idle", time,
                                "every launch waits for the device"})};
    return {.launches = label(launches + m_contended_seconds,
                              {"launch_seconds", "host time of a layer's forward kernels", time,
                               "launches also wait because pipeline sends leave the node at the same time"}),
            .waits = waits};
}

template <Number N>
BasicBlockCost<N> BasicLayerCosts<N>::block_cost(const Plan &plan, const Block &block,
                                                 const BasicBlockKernels<N> &kernels) const {
    BasicOverlapSeconds<N> overlap{.forward = kernels.attention_seconds,
                                   .backward = kernels.attention_backward_seconds,
                                   .recompute = kernels.attention_seconds};
    BasicBlockCost<N> cost{.stored = kernels.all,
                           .recomputed = {},
                           .stored_working = kernels.memory.stored_working,
                           .recomputed_working = kernels.memory.recomputed_working,
                           .sharded_unit = kernels.sharded_unit};
    const N kernel_seconds = cost.stored.forward_seconds;
    const N backward_kernel_seconds = cost.stored.backward_seconds();
    const BasicHostSeconds<N> host = host_seconds(plan, block);
    bound_by_host(cost.stored, host);
    // Communication continues while the device waits for the host.
    overlap.forward += cost.stored.forward_seconds - kernel_seconds;
    overlap.backward += cost.stored.backward_seconds() - backward_kernel_seconds;
    add_communication(plan, block, cost.stored);
    overlap_with_launches(cost.stored, kernel_seconds, backward_kernel_seconds, host.launches);
    cost.recomputed = cost.stored;
    cost.stored.recompute_seconds = label(
        kernels.recomputed_seconds,
        {"recompute", "time of a layer's recomputed operations", time, "the operations that the plan recomputes"});
    cost.stored.saved_bytes = kernels.memory.stored_bytes;

    // Only the layer's input is saved. The forward pass is recomputed, including its communication. With PyTorch's
    // early stopping, the block's last GEMM is not recomputed.
    BasicLayerCost<N> &full = cost.recomputed;
    full.saved_bytes = kernels.memory.recomputed_bytes;
    const N repeated_kernel_seconds =
        label(formula::recomputed_kernel_seconds(kernel_seconds, kernels.last_multiply_seconds,
                                                 stack_property<N>(plan.stack, "recompute_early_stop", "early_stop",
                                                                   "fraction of the last matmul that is skipped",
                                                                   plan.stack.recompute_early_stop, Quantity::share)),
              {"kernels", "recomputed kernels", time});
    full.recompute_seconds = label(formula::launch_bound_seconds(repeated_kernel_seconds, host.launches, host.waits),
                                   {"recompute", "time of one layer's recomputed forward pass", time});
    overlap.recompute += full.recompute_seconds - repeated_kernel_seconds;
    full.tensor.recompute = full.tensor.forward;
    full.expert.recompute = full.expert.forward;
    full.context = context_exposed(plan, block, overlap);
    cost.stored.context = {.forward = full.context.forward, .backward = full.context.backward};
    cost.stored.copies = host_copies(plan, cost.stored);
    full.copies = host_copies(plan, full);
    return cost;
}

template <Number N>
BasicExposedSeconds<N> BasicLayerCosts<N>::host_copies(const Plan &plan, const BasicLayerCost<N> &cost) const {
    if (plan.offload.activations <= 0)
        return {};
    const N bytes = formula::host_copy_bytes(
        label(cost.saved_bytes,
              {"saved_bytes", "bytes that a layer saves for backward per microbatch", Quantity::bytes}),
        m_machine->activation_slack,
        read<N>(plan.offload.activations,
                {Origin::plan, "offloaded", "fraction of activations offloaded to host memory", Quantity::share,
                 "/offload/activations"}));
    const auto waiting = [&](const N &pass) {
        return label(formula::host_copy_seconds(bytes, m_machine->host_link_rate, pass),
                     {"copies", "waiting for activations in host memory", time});
    };
    return {.forward = waiting(cost.whole_forward_seconds()), .backward = waiting(cost.backward_seconds())};
}

template <Number N>
void BasicLayerCosts<N>::add_communication(const Plan &plan, const Block &block, BasicLayerCost<N> &cost) const {
    const N hidden_bytes = hidden_state_bytes(m_shape, plan.model);
    const auto *experts = std::get_if<Experts>(&block.transform);
    const bool has_mixer = !std::holds_alternative<Nothing>(block.mixer);
    const bool split_transform =
        std::holds_alternative<FeedForward>(block.transform) || (experts != nullptr && experts->shared_hidden > 0);
    const N parts = model_property<N>("parts", "tensor-parallel blocks of the layer",
                                      (has_mixer ? 1 : 0) + (split_transform && !(block.parallel && has_mixer) ? 1 : 0),
                                      Quantity::number);
    const BasicGroup<N> &tensor = m_groups.tensor;
    const auto overlapped = [&](const char *field, double value) {
        return stack_property<N>(plan.stack, field, "overlap", "overlapped fraction", value, Quantity::share);
    };
    if (plan.parallelism.sequence_parallel) {
        const N one = label(network().all_gather_seconds(tensor, hidden_bytes),
                            {"gather_seconds", "time of one all-gather or reduce-scatter", time});
        const N copy = plan.stack.copies_gathered_sequences && tensor.members > 1
            ? label(formula::copy_seconds(hidden_bytes, device().memory_bytes_per_second()),
                    {"copy_seconds", "time to reorder a gathered tensor", time})
            : N(0);
        const N overlap = overlapped("tensor_overlap", plan.stack.tensor_overlap);
        cost.tensor.forward = formula::sequence_forward_seconds(parts, one, overlap, copy);
        cost.tensor.backward = formula::sequence_backward_seconds(parts, one, overlap, copy);
    } else {
        cost.tensor.forward = cost.tensor.backward =
            formula::tensor_forward_seconds(parts,
                                            label(network().all_reduce_seconds(tensor, hidden_bytes),
                                                  {"reduce_seconds", "time of one all-reduce", time}));
    }
    if (experts == nullptr)
        return;
    const N copies = model_property<N>("copies", "experts per token", experts->experts_per_token);
    const N sent = label(hidden_bytes / m_shape.expert_ways * copies,
                         {"sent", "bytes of the token copies sent by a rank", Quantity::bytes,
                          "every token goes to all of its experts"});
    cost.expert.forward = cost.expert.backward = formula::expert_exchange_seconds(
        label(network().all_to_all_seconds(m_groups.expert, sent, copies),
              {"dispatch_seconds", "time of the all-to-all of tokens to their experts", time}),
        label(network().all_gather_seconds(m_groups.expert_tensor, sent * m_shape.expert_tensor),
              {"gather_seconds", "time of the all-gather for expert tensor parallelism", time}),
        overlapped("expert_overlap", plan.stack.expert_overlap));
}

template <Number N>
BasicExposedSeconds<N> BasicLayerCosts<N>::context_exposed(const Plan &plan, const Block &block,
                                                           const BasicOverlapSeconds<N> &overlap) const {
    if (m_groups.context.members <= 1)
        return {};
    const N positions =
        label(read<N>(static_cast<double>(plan.batch.micro_sequences),
                      {Origin::plan, "micro_sequences", "sequences per microbatch", Quantity::count,
                       "/batch/micro_sequences"})
                  * m_shape.sequence,
              {"positions", "tokens of a microbatch before they are split across ranks", Quantity::count});
    const auto exchange_of = [&](const N &bytes) {
        return label(network().all_gather_seconds(m_groups.context, bytes),
                     {"exchange_seconds", "time of the all-gather of keys and values", time});
    };
    if (const auto *attention = std::get_if<Attention>(&block.mixer)) {
        const N heads = model_property<N>("kv_heads", "key-value heads", attention->kv_heads);
        const N width = model_property<N>("kv_width", "key-value heads times head dimension",
                                          attention->kv_heads * attention->head_dim);
        const N exchange = exchange_of(
            formula::ring_exchange_bytes(positions, width, m_shape.activation_bytes,
                                         label(min(m_shape.tensor, heads),
                                               {"ways", "ranks that split the key-value heads", Quantity::count,
                                                "key-value heads are replicated if there are fewer than ranks"})));
        const auto attending = [](const N &seconds) {
            return label(seconds,
                         {"attention_seconds", "attention kernel time plus host wait time", time,
                          "the ring exchange overlaps with attention kernels and host waits"});
        };
        return {.forward = formula::ring_forward_seconds(exchange, attending(overlap.forward)),
                .backward = formula::ring_backward_seconds(exchange, attending(overlap.backward)),
                .recompute = formula::ring_forward_seconds(exchange, attending(overlap.recompute))};
    }
    if (const auto *latent = std::get_if<LatentAttention>(&block.mixer)) {
        const N width = model_property<N>("width", "dimensions of latent and rotary key",
                                          latent->key_value_rank + latent->rope_head_dim);
        const N exchange = exchange_of(formula::saved_tensor_bytes(positions, width, m_shape.activation_bytes));
        const auto passes = [](double number) {
            return model_property<N>("passes",
                                     "number of exchanges of latents: 1 in the forward pass, 2 in the backward pass",
                                     number, Quantity::number);
        };
        const N forward = formula::latent_gather_seconds(exchange, passes(1));
        return {
            .forward = forward, .backward = formula::latent_gather_seconds(exchange, passes(2)), .recompute = forward};
    }
    return {};
}

template class BasicLayerCosts<double>;
// Not the class as a whole, because Clang would also instantiate the members that exist only for double.
template BasicLayerCosts<Traced>::BasicLayerCosts(const Plan &, std::shared_ptr<const BasicMachine<Traced>>,
                                                  const BasicLayerKernels<Traced> &, const BasicGroups<Traced> &);

} // namespace meshwright

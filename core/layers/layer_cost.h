// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/network.h"
#include "cost/placement.h"
#include "layers/operations.h"

#include <memory>

namespace meshwright {

/// Exposed communication of one layer and microbatch, in seconds.
struct ExposedSeconds {
    double forward = 0;
    double backward = 0;
    double recompute = 0; ///< communication that the recomputed forward pass repeats
    double total() const { return forward + backward + recompute; }
    void add(const ExposedSeconds &other, double times) {
        forward += times * other.forward;
        backward += times * other.backward;
        recompute += times * other.recompute;
    }
};

/// Duration of a layer's attention plus its waits for the host. The ring exchange of keys and values overlaps with
/// both.
struct OverlapSeconds {
    double forward = 0;
    double backward = 0;
    double recompute = 0;
};

/// Cost of one layer, or of several layers, per rank and microbatch.
struct LayerCost {
    double forward_seconds = 0; ///< compute, including host time
    double input_gradient_seconds = 0;
    double weight_gradient_seconds = 0;
    double recompute_seconds = 0;
    ExposedSeconds tensor;
    ExposedSeconds context;
    ExposedSeconds expert;
    ExposedSeconds copies; ///< time that forward and backward passes wait for activation copies to or from host memory
    double saved_bytes = 0; ///< bytes saved for backward per microbatch
    RankParameters parameters;

    double compute_seconds() const { return forward_seconds + input_gradient_seconds + weight_gradient_seconds; }
    double backward_seconds() const {
        return input_gradient_seconds + weight_gradient_seconds + recompute_seconds + tensor.backward + tensor.recompute
            + context.backward + context.recompute + expert.backward + expert.recompute + copies.backward;
    }
    double whole_forward_seconds() const {
        return forward_seconds + tensor.forward + context.forward + expert.forward + copies.forward;
    }
    double seconds() const { return whole_forward_seconds() + backward_seconds(); }
    /// Adds the cost of several equal layers. Inline, so that single layers are added without a multiplication.
    void add(const LayerCost &other, double times) {
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
    LayerCost &operator+=(const LayerCost &other) {
        add(other, 1);
        return *this;
    }
};

/// Peak memory while one layer runs its backward pass.
template <Number N>
struct BasicWorkingSet {
    N bytes = 0; ///< bytes of recomputed activations and one operation's gradients, in addition to saved activations
    std::string_view operation; ///< operation at which the peak occurs
};
using WorkingSet = BasicWorkingSet<double>;

template <Number N>
struct BasicBlockMemory {
    N stored_bytes = 0; ///< bytes saved for backward without full recomputation
    N recomputed_bytes = 0; ///< bytes of the layer's input, which is all that full recomputation saves
    BasicWorkingSet<N> stored_working;
    BasicWorkingSet<N> recomputed_working;
};
template <Number N>
BasicBlockMemory<N> block_memory(const Plan &plan, const std::vector<BasicLayerOperation<N>> &operations,
                                 const BasicRankShape<N> &shape);

struct SavedTensor {
    std::string_view name;
    double bytes = 0;
};

struct BlockCost {
    LayerCost stored; ///< cost without full recomputation, but with selective or module recomputation
    LayerCost recomputed; ///< cost with full recomputation, which saves only the input
    WorkingSet stored_working;
    WorkingSet recomputed_working;
    double sharded_unit = 0; ///< number of parameters that ZeRO gathers or reduces at once
};

/// Host time of a layer's forward pass.
struct HostSeconds {
    double launches = 0; ///< launch time, during which previously launched kernels continue to run
    double waits = 0; ///< wait time, during which the device is idle
};

/// Host time to launch one layer's forward pass: the stack's value, without contention.
double launch_seconds(const Plan &plan, const Block &block);
/// Device idle time while the host reads the number of tokens per expert, which the host needs to launch further
/// kernels. The stack's value applies to every expert layer with dropless routing.
double routing_seconds(const Plan &plan, const Block &block);

/// Rates of device, network and host. They are the same for all configurations of a plan, so a search calculates them
/// once.
struct Machine {
    Machine(const Plan &plan, const Assumptions &assumptions);
    Device device;
    Network network;
    double host_time_factor;
    /// Time per step of the all-reduces of gradient norm and loss over all accelerators of a site.
    double step_sums_seconds;
    double activation_slack; ///< allocated activation memory / bytes that operations save
    double host_link_rate; ///< bandwidth of copies to and from host memory, bytes/s per direction
    double host_update_rate; ///< bandwidth of host memory during the optimizer update, bytes/s per accelerator
};
/// Bandwidth to host memory in bytes/s per direction. Assumes PCI Express 4.0 x16 if the accelerator's bandwidth is
/// unknown.
double host_bandwidth(const Accelerator &accelerator);
/// Bytes of an FP32 number that is all-reduced over all accelerators.
inline constexpr double summed_number_bytes = 4;

struct ModelWeights {
    explicit ModelWeights(const Model &model);
    std::vector<std::vector<Weight>> blocks;
    std::vector<Weight> input;
    std::vector<Weight> tied_copy; ///< the last stage's copy of the weights in `input`
    std::vector<Weight> output;
    std::vector<Weight> prediction_module; ///< empty if there are no MTP modules
};

struct BlockKernels {
    LayerCost all; ///< cost of the layer without recomputation
    double attention_seconds = 0; ///< forward time of attention
    double attention_backward_seconds = 0;
    double last_multiply_seconds = 0; ///< forward time of the last GEMM in the feed-forward or expert part
    double recomputed_seconds = 0; ///< forward time of individually recomputed operations
    BasicBlockMemory<double> memory; ///< memory with individually recomputed operations
    double sharded_unit = 0; ///< number of parameters that ZeRO gathers or reduces at once
};

/// Kernel costs of every kind of layer of a plan. They depend on the shapes per rank and on selective recomputation,
/// but not on communication groups, so many configurations share them.
struct LayerKernels {
    LayerKernels(const Plan &plan, const Device &device, const ModelWeights &weights);
    std::vector<BlockKernels> blocks;
    LayerCost embedding;
    RankParameters tied_copy; ///< parameters of the last stage's copy of the embedding
    LayerCost head;
    KernelSeconds joining; ///< input projection of an MTP module
    RankParameters module_parameters;
};

template <Number N>
double recomputed_fraction(const Plan &plan, const BasicLayerOperation<N> &operation);

class LayerCosts {
public:
    LayerCosts(const Plan &plan, const Assumptions &assumptions);
    /// Reuses kernel costs calculated earlier for the plan.
    LayerCosts(const Plan &plan, std::shared_ptr<const Machine> machine, const LayerKernels &kernels);

    const BlockCost &of_block(std::size_t index) const { return m_blocks[index]; }
    const LayerCost &embedding() const { return m_embedding; }
    /// Parameters of the LM head's copy of a tied embedding, if it is on another rank.
    const RankParameters &tied_copy() const { return m_tied_copy; }
    /// Cost of the LM head for one prediction; its saved bytes exclude the logits.
    const LayerCost &head() const { return m_head; }
    /// Cost of an MTP module without its head.
    const LayerCost &prediction_module() const { return m_prediction_module; }
    /// Tensors that a layer of a block saves for backward per microbatch, operation by operation. If only outputs are
    /// saved, the list omits the layer's input.
    std::vector<SavedTensor> saved_tensors(const Plan &plan, std::size_t block) const;
    double logits_elements() const { return m_logits_elements; }
    const RankShape &shape() const { return m_shape; }
    const Groups &groups() const { return m_groups; }
    /// Adopts the communication groups of a plan that differs only in pipeline, data, schedule or sharding; these do
    /// not affect the cost of a layer. @returns false, without a change, if a group inside a layer differs
    bool regroup(const Plan &plan);
    /// Costs of a plan that differs only in full recomputation.
    LayerCosts recomputed_in_full(const Plan &plan) const;
    const Network &network() const { return m_machine->network; }
    double step_sums_seconds() const { return m_machine->step_sums_seconds; }
    double host_link_rate() const { return m_machine->host_link_rate; }
    double host_update_rate() const { return m_machine->host_update_rate; }
    /// Host time of one layer's forward pass, including network contention.
    HostSeconds host_seconds(const Plan &plan, const Block &block) const {
        const double launches = m_machine->host_time_factor * launch_seconds(plan, block);
        const double waits = m_machine->host_time_factor * routing_seconds(plan, block);
        return plan.stack.launches_wait ? HostSeconds{.launches = m_contended_seconds, .waits = waits + launches}
                                        : HostSeconds{.launches = launches + m_contended_seconds, .waits = waits};
    }
    /// Part of the launch time that is caused by network contention.
    double contended_seconds() const { return m_contended_seconds; }
    const Device &device() const { return m_machine->device; }

private:
    LayerCosts(const Plan &plan, std::shared_ptr<const Machine> machine);
    BlockCost block_cost(const Plan &plan, const Block &block, const BlockKernels &kernels) const;
    void add_prediction_module(const Plan &plan);
    void add_communication(const Plan &plan, const Block &block, LayerCost &cost) const;
    ExposedSeconds context_exposed(const Plan &plan, const Block &block, OverlapSeconds overlap) const;
    ExposedSeconds host_copies(const Plan &plan, const LayerCost &cost) const;

    std::shared_ptr<const Machine> m_machine;
    RankShape m_shape;
    Groups m_groups;
    std::vector<BlockCost> m_blocks;
    LayerCost m_embedding;
    RankParameters m_tied_copy;
    LayerCost m_head;
    LayerCost m_prediction_module;
    KernelSeconds m_joining;
    RankParameters m_module_parameters;
    double m_logits_elements = 0;
    double m_contended_seconds = 0;
};

} // namespace meshwright

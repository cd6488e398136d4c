// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/network.h"
#include "cost/placement.h"
#include "layers/operations.h"

#include <memory>

namespace meshwright {

/// Exposed communication of one layer and microbatch, in seconds.
template <Number N>
struct BasicExposedSeconds {
    N forward = 0;
    N backward = 0;
    N recompute = 0; ///< communication that the recomputed forward pass repeats
    N total() const { return forward + backward + recompute; }
    void add(const BasicExposedSeconds &other, const N &times) {
        forward += times * other.forward;
        backward += times * other.backward;
        recompute += times * other.recompute;
    }
};
using ExposedSeconds = BasicExposedSeconds<double>;

/// Duration of a layer's attention plus its waits for the host. The ring exchange of keys and values overlaps with
/// both.
template <Number N>
struct BasicOverlapSeconds {
    N forward = 0;
    N backward = 0;
    N recompute = 0;
};

/// Cost of one layer, or of several layers, per rank and microbatch.
template <Number N>
struct BasicLayerCost {
    N forward_seconds = 0; ///< compute, including host time
    N input_gradient_seconds = 0;
    N weight_gradient_seconds = 0;
    N recompute_seconds = 0;
    BasicExposedSeconds<N> tensor;
    BasicExposedSeconds<N> context;
    BasicExposedSeconds<N> expert;
    BasicExposedSeconds<N> copies; ///< time that passes wait for activation copies to or from host memory
    N saved_bytes = 0; ///< bytes saved for backward per microbatch
    BasicRankParameters<N> parameters;

    N compute_seconds() const { return forward_seconds + input_gradient_seconds + weight_gradient_seconds; }
    N backward_seconds() const {
        return input_gradient_seconds + weight_gradient_seconds + recompute_seconds + tensor.backward + tensor.recompute
            + context.backward + context.recompute + expert.backward + expert.recompute + copies.backward;
    }
    N whole_forward_seconds() const {
        return forward_seconds + tensor.forward + context.forward + expert.forward + copies.forward;
    }
    N seconds() const { return whole_forward_seconds() + backward_seconds(); }
    /// Adds the cost of several equal layers. Inline, so that single layers are added without a multiplication.
    void add(const BasicLayerCost &other, const N &times) {
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
    BasicLayerCost &operator+=(const BasicLayerCost &other) {
        add(other, 1);
        return *this;
    }
};
using LayerCost = BasicLayerCost<double>;

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

template <Number N>
struct BasicBlockCost {
    BasicLayerCost<N> stored; ///< cost without full recomputation, but with selective or module recomputation
    BasicLayerCost<N> recomputed; ///< cost with full recomputation, which saves only the input
    BasicWorkingSet<N> stored_working;
    BasicWorkingSet<N> recomputed_working;
    N sharded_unit = 0; ///< number of parameters that ZeRO gathers or reduces at once
};
using BlockCost = BasicBlockCost<double>;

/// Host time of a layer's forward pass.
template <Number N>
struct BasicHostSeconds {
    N launches = 0; ///< launch time, during which previously launched kernels continue to run
    N waits = 0; ///< wait time, during which the device is idle
};

/// Host time to launch one layer's forward pass: the stack's value, without contention.
template <Number N = double>
N launch_seconds(const Plan &plan, const Block &block);
/// Device idle time while the host reads the number of tokens per expert, which the host needs to launch further
/// kernels. The stack's value applies to every expert layer with dropless routing.
template <Number N = double>
N routing_seconds(const Plan &plan, const Block &block);

/// Rates of device, network and host. They are the same for all configurations of a plan, so a search calculates them
/// once.
template <Number N>
struct BasicMachine {
    /// @param site  all accelerators of a site
    BasicMachine(const Plan &plan, const Assumptions &assumptions, const BasicGroup<N> &site);
    BasicDevice<N> device;
    BasicNetwork<N> network;
    N host_time_factor;
    /// Time per step of the all-reduces of gradient norm and loss over all accelerators of a site.
    N step_sums_seconds;
    N activation_slack; ///< allocated activation memory / bytes that operations save
    N host_link_rate; ///< bandwidth of copies to and from host memory, bytes/s per direction
    N host_update_rate; ///< bandwidth of host memory during the optimizer update, bytes/s per accelerator
};
using Machine = BasicMachine<double>;
std::shared_ptr<const Machine> machine_of(const Plan &plan, const Assumptions &assumptions);
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

template <Number N>
struct BasicBlockKernels {
    BasicLayerCost<N> all; ///< cost of the layer without recomputation
    N attention_seconds = 0; ///< forward time of attention
    N attention_backward_seconds = 0;
    N last_multiply_seconds = 0; ///< forward time of the last GEMM in the feed-forward or expert part
    N recomputed_seconds = 0; ///< forward time of individually recomputed operations
    BasicBlockMemory<N> memory; ///< memory with individually recomputed operations
    N sharded_unit = 0; ///< number of parameters that ZeRO gathers or reduces at once
};

/// Kernel costs of every kind of layer of a plan. They depend on the shapes per rank and on selective recomputation,
/// but not on communication groups, so many configurations share them.
template <Number N>
struct BasicLayerKernels {
    BasicLayerKernels(const Plan &plan, const BasicDevice<N> &device, const ModelWeights &weights);
    std::vector<BasicBlockKernels<N>> blocks;
    BasicLayerCost<N> embedding;
    BasicRankParameters<N> tied_copy; ///< parameters of the last stage's copy of the embedding
    BasicLayerCost<N> head;
    BasicKernelSeconds<N> joining; ///< input projection of an MTP module
    BasicRankParameters<N> module_parameters;
};
using LayerKernels = BasicLayerKernels<double>;

template <Number N>
N recomputed_fraction(const Plan &plan, const BasicLayerOperation<N> &operation);

template <Number N>
class BasicLayerCosts {
public:
    BasicLayerCosts(const Plan &plan, const Assumptions &assumptions) requires std::same_as<N, double>;
    /// Reuses kernel costs calculated earlier for the plan.
    BasicLayerCosts(const Plan &plan, std::shared_ptr<const BasicMachine<N>> machine,
                    const BasicLayerKernels<N> &kernels, const BasicGroups<N> &groups);

    const BasicBlockCost<N> &of_block(std::size_t index) const { return m_blocks[index]; }
    const BasicLayerCost<N> &embedding() const { return m_embedding; }
    /// Parameters of the LM head's copy of a tied embedding, if it is on another rank.
    const BasicRankParameters<N> &tied_copy() const { return m_tied_copy; }
    /// Cost of the LM head for one prediction; its saved bytes exclude the logits.
    const BasicLayerCost<N> &head() const { return m_head; }
    /// Cost of an MTP module without its head.
    const BasicLayerCost<N> &prediction_module() const { return m_prediction_module; }
    const N &logits_elements() const { return m_logits_elements; }
    const BasicRankShape<N> &shape() const { return m_shape; }
    const BasicGroups<N> &groups() const { return m_groups; }
    /// Adopts the communication groups of a plan that differs only in pipeline, data, schedule or sharding; these do
    /// not affect the cost of a layer. @returns false, without a change, if a group inside a layer differs
    bool regroup(const Plan &plan) requires std::same_as<N, double>;
    /// Costs of a plan that differs only in full recomputation.
    BasicLayerCosts recomputed_in_full(const Plan &plan) const;
    const BasicNetwork<N> &network() const { return m_machine->network; }
    const N &step_sums_seconds() const { return m_machine->step_sums_seconds; }
    const N &host_link_rate() const { return m_machine->host_link_rate; }
    const N &host_update_rate() const { return m_machine->host_update_rate; }
    /// Part of the launch time that is caused by network contention.
    const N &contended_seconds() const { return m_contended_seconds; }
    const BasicDevice<N> &device() const { return m_machine->device; }

private:
    BasicLayerCosts(const Plan &plan,
                    const std::shared_ptr<const BasicMachine<N>> &machine) requires std::same_as<N, double>;
    BasicBlockCost<N> block_cost(const Plan &plan, const Block &block, const BasicBlockKernels<N> &kernels) const;
    /// Host time of one layer's forward pass, including network contention.
    BasicHostSeconds<N> host_seconds(const Plan &plan, const Block &block) const;
    void add_prediction_module(const Plan &plan);
    void add_communication(const Plan &plan, const Block &block, BasicLayerCost<N> &cost) const;
    BasicExposedSeconds<N> context_exposed(const Plan &plan, const Block &block,
                                           const BasicOverlapSeconds<N> &overlap) const;
    BasicExposedSeconds<N> host_copies(const Plan &plan, const BasicLayerCost<N> &cost) const;

    std::shared_ptr<const BasicMachine<N>> m_machine;
    BasicRankShape<N> m_shape;
    BasicGroups<N> m_groups;
    std::vector<BasicBlockCost<N>> m_blocks;
    BasicLayerCost<N> m_embedding;
    BasicRankParameters<N> m_tied_copy;
    BasicLayerCost<N> m_head;
    BasicLayerCost<N> m_prediction_module;
    BasicKernelSeconds<N> m_joining;
    BasicRankParameters<N> m_module_parameters;
    N m_logits_elements = 0;
    N m_contended_seconds = 0;
};
using LayerCosts = BasicLayerCosts<double>;

/// Tensors that a layer of a block saves for backward per microbatch, operation by operation. If only outputs are
/// saved, the list omits the layer's input.
std::vector<SavedTensor> saved_tensors(const Plan &plan, const LayerCosts &layers, std::size_t block);

} // namespace meshwright

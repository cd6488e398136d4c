// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/network.h"
#include "cost/placement.h"
#include "layers/operations.h"

#include <memory>

namespace meshwright {

/// Communication of one layer and microbatch that compute does not hide, in seconds.
struct ExposedSeconds {
    double forward = 0;
    double backward = 0;
    double recompute = 0; ///< repeated with a recomputed forward pass
    double total() const { return forward + backward + recompute; }
    ExposedSeconds &operator+=(const ExposedSeconds &other);
};

/// How long a layer's attention (and the wait for the host) lasts, beside which a ring of keys and values turns.
struct OverlapSeconds {
    double forward = 0;
    double backward = 0;
    double recompute = 0;
};

/// What one layer, or a run of layers, costs a rank for one microbatch.
struct LayerCost {
    double forward_seconds = 0; ///< compute, host time included
    double input_gradient_seconds = 0;
    double weight_gradient_seconds = 0;
    double recompute_seconds = 0;
    ExposedSeconds tensor;
    ExposedSeconds context;
    ExposedSeconds expert;
    ExposedSeconds copies; ///< passes that wait for activations on their way to host memory, or back
    double saved_bytes = 0; ///< kept for the backward pass of one microbatch
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
    LayerCost &operator+=(const LayerCost &other);
};

/// Where memory stands highest while one layer runs backward.
struct WorkingSet {
    double bytes = 0; ///< beyond what is saved: recomputed activations and the gradients of one operation
    std::string_view operation; ///< at which
};

/// A tensor that an operation keeps for the backward pass.
struct KeptTensor {
    std::string_view name; ///< of the operation
    double bytes = 0;
};

struct BlockCost {
    LayerCost stored; ///< a layer that keeps its activations, except what selective or module recomputation frees
    LayerCost recomputed; ///< a layer that keeps its input only
    WorkingSet stored_working;
    WorkingSet recomputed_working;
    double sharded_unit = 0; ///< parameters that ZeRO gathers or reduces at once
};

/// What a layer's forward pass asks of the host.
struct HostSeconds {
    double launches = 0; ///< beside which kernels that were launched before run on
    double waits = 0; ///< in which the device runs nothing
};

/// Time in which the host launches one layer's forward pass, by the software's figure, nothing holding it
/// up.
double launch_seconds(const Plan &plan, const Block &block);
/// Time in which the device waits while the host reads how many tokens each expert receives, before it can launch what
/// depends on that, by the software's figure. Dropless routing asks for it in every expert layer.
double routing_seconds(const Plan &plan, const Block &block);

/// What stands around the layers of a plan and is the same for all its layouts.
struct Machine {
    Machine(const Plan &plan, const Assumptions &assumptions);
    Device device;
    Network network;
    double host_time_factor;
    double step_sums_seconds; ///< summing the norm of gradients and the loss over all accelerators of a site
    double activation_slack; ///< what is allocated of activations against the sum over operations
    double host_link_rate; ///< of copies to and from host memory, bytes a second each way
    double host_update_rate; ///< what the host's processors move of their memory, bytes a second for an accelerator
};
/// To host memory, bytes a second each way: the accelerator's, or that of PCI Express 4.0 x16 where it is not known.
double host_bandwidth(const Accelerator &accelerator);
/// Bytes of a number that all accelerators sum: FP32.
inline constexpr double summed_number_bytes = 4;

/// The weights of a model's layers and of its ends.
struct ModelWeights {
    explicit ModelWeights(const Model &model);
    std::vector<std::vector<Weight>> blocks;
    std::vector<Weight> input;
    std::vector<Weight> tied_copy; ///< of `input`, on the last stage
    std::vector<Weight> output;
    std::vector<Weight> prediction_module; ///< none without
};

/// What the kernels of one layer take and keep, with nothing around them: no host, no traffic.
struct BlockKernels {
    LayerCost all; ///< everything is kept
    double attention_seconds = 0; ///< forward
    double attention_backward_seconds = 0;
    double last_multiply_seconds = 0; ///< forward, of the transform
    double recomputed_seconds = 0; ///< of operations that run again one by one, forward
    double saved_bytes = 0; ///< then
    WorkingSet stored_working;
    WorkingSet recomputed_working; ///< where the whole layer runs again
    double sharded_unit = 0; ///< parameters that ZeRO gathers or reduces at once
};

/// The same of every kind of layer of a plan. It depends on what a rank sees of a microbatch and on what is recomputed
/// one by one, and on no group, so that many layouts share it.
struct LayerKernels {
    LayerKernels(const Plan &plan, const Device &device, const ModelWeights &weights);
    std::vector<BlockKernels> blocks;
    LayerCost embedding;
    RankParameters tied_copy; ///< of the embedding's weights, on the last stage
    LayerCost head;
    KernelSeconds joining; ///< hidden states of a prediction module
    RankParameters module_parameters; ///< of a prediction module
};

/// Which share of an operation is done again before the backward pass of a layer that keeps its activations.
double recomputed_fraction(const Plan &plan, const LayerOperation &operation);

/// Costs of every kind of layer of a plan, computed once.
class LayerCosts {
public:
    LayerCosts(const Plan &plan, const Assumptions &assumptions);
    /// The same. @param kernels  of the plan
    LayerCosts(const Plan &plan, std::shared_ptr<const Machine> machine, const LayerKernels &kernels);

    const BlockCost &of_block(std::size_t index) const { return m_blocks[index]; }
    const LayerCost &embedding() const { return m_embedding; }
    /// What a head on another rank than the embedding holds of a tied embedding.
    const RankParameters &tied_copy() const { return m_tied_copy; }
    const LayerCost &head() const { return m_head; } ///< of one prediction; saved bytes without the logits
    const LayerCost &prediction_module() const { return m_prediction_module; } ///< without its head
    /// What a layer of a block keeps of one microbatch, operation by operation; its input is not among them where only
    /// results are kept.
    std::vector<KeptTensor> kept_tensors(const Plan &plan, std::size_t block) const;
    double logits_elements() const { return m_logits_elements; }
    const RankShape &shape() const { return m_shape; }
    const Groups &groups() const { return m_groups; }
    /// Takes the groups of a plan that differs in pipeline, data, schedule or sharding alone, where the costs of a
    /// layer stay what they are. @returns false, and changes nothing, where a group inside a layer lies elsewhere
    bool regroup(const Plan &plan);
    /// Costs of a plan that differs in recomputing every layer in full.
    LayerCosts recomputed_in_full(const Plan &plan) const;
    const Network &network() const { return m_machine->network; }
    double step_sums_seconds() const { return m_machine->step_sums_seconds; }
    double host_link_rate() const { return m_machine->host_link_rate; }
    double host_update_rate() const { return m_machine->host_update_rate; }
    /// The host's part of one layer's forward pass, with what it waits for the network.
    HostSeconds host_seconds(const Plan &plan, const Block &block) const {
        const double launches = m_machine->host_time_factor * launch_seconds(plan, block);
        const double waits = m_machine->host_time_factor * routing_seconds(plan, block);
        return plan.stack.launches_wait ? HostSeconds{.launches = m_contended_seconds, .waits = waits + launches}
                                        : HostSeconds{.launches = launches + m_contended_seconds, .waits = waits};
    }
    double contended_seconds() const { return m_contended_seconds; } ///< of it, for the network
    const Device &device() const { return m_machine->device; }

private:
    LayerCosts(const Plan &plan, std::shared_ptr<const Machine> machine);
    BlockCost block_cost(const Plan &plan, const Block &block, const BlockKernels &kernels) const;
    void add_prediction_module(const Plan &plan);
    void add_communication(const Plan &plan, const Block &block, LayerCost &cost) const;
    ExposedSeconds context_exposed(const Plan &plan, const Block &block, OverlapSeconds hiding) const;
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

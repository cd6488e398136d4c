// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/device.h"
#include "layers/rank_shape.h"

#include <string_view>
#include <vector>

namespace meshwright {

/// Module of an operation, for recomputation by module. The names are those of Megatron-Core.
enum class Module {
    projection,
    core_attention,
    norm,
    latent_up,
    feed_forward,
    expert,
    activation,
    shared_expert,
    residual
};

/// The shape of a GEMM: `rows` x `columns` outputs over `depth`, in `groups` groups.
template <Number N>
struct BasicGemmShape {
    N rows = 0; ///< number of rows; 0 if the operation is not a GEMM
    N columns = 0;
    N depth = 0;
    N groups = 1;
    MatrixUnits units = MatrixUnits::compute;
};

/// Memory traffic of a fused kernel: the number of times that it reads or writes a tensor.
template <Number N>
struct BasicTensorPasses {
    N bytes = 0; ///< bytes of the tensor; 0 if there is no traffic
    N forward = 0;
    N backward = 0;
};

/// One operation of a layer on one rank, for one microbatch. With Traced numbers, shapes and bytes carry their
/// derivation from the plan and the model, and labels state why bytes are saved.
template <Number N>
struct BasicLayerOperation {
    std::string_view name; ///< a string literal
    Module module = Module::projection;
    BasicKernelSeconds<N> seconds;
    BasicTensorPasses<N> moved; ///< memory traffic in addition to that of the GEMM and the attention core
    BasicGemmShape<N> multiply;
    BasicAttentionShape<N> attention{.heads = 0}; ///< shape of an attention core; 0 heads for other operations
    bool feeds_core = false; ///< marks a GEMM whose output is read by an attention core
    bool ends_layer = false; ///< marks a GEMM whose output only the next layer reads
    N saved_bytes = 0; ///< bytes saved for backward without recomputation
    /// Part of saved_bytes: the input of a module that starts with this operation, needed to recompute the module.
    N entry_bytes = 0;
    /// Bytes freed by recomputing only this operation. Without recomputation, they are saved by this operation, or by a
    /// later operation that saves this one's output as its input.
    N freed_bytes = 0;
    N output_bytes = 0; ///< bytes of the output, whose gradient is in memory during the backward pass
};
using LayerOperation = BasicLayerOperation<double>;
using TracedOperation = BasicLayerOperation<Traced>;

/// The operations of one layer in forward order. Saved bytes follow Korthikanti et al. 2022 (arXiv 2205.05198, section
/// 4), extended to grouped-query attention, gated networks, latent attention and experts.
template <Number N>
std::vector<BasicLayerOperation<N>> layer_operations(const Model &model, const Block &block,
                                                     const BasicRankShape<N> &shape, const BasicDevice<N> &device,
                                                     const Plan &plan);
/// Same as above, for a block whose weights are known. @param weights  result of weights_of() for the block
template <Number N>
std::vector<BasicLayerOperation<N>> layer_operations(const Model &model, const Block &block,
                                                     const std::vector<Weight> &weights, const BasicRankShape<N> &shape,
                                                     const BasicDevice<N> &device, const Plan &plan);

/// Operations of the last stage: final norm, LM head and cross-entropy.
template <Number N>
std::vector<BasicLayerOperation<N>> head_operations(const Model &model, const BasicRankShape<N> &shape,
                                                    const BasicDevice<N> &device, const Plan &plan);
/// Input projection of an MTP module, from hidden states and embedding to hidden states.
template <Number N>
std::vector<BasicLayerOperation<N>> join_operations(const Model &model, const BasicRankShape<N> &shape,
                                                    const BasicDevice<N> &device);
/// Operation of the first stage: embedding lookup.
template <Number N>
std::vector<BasicLayerOperation<N>> embedding_operations(const Model &model, const BasicRankShape<N> &shape,
                                                         const BasicDevice<N> &device, const Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/device.h"
#include "layers/rank_shape.h"

#include <string_view>
#include <vector>

namespace meshwright {

/// The part of a layer that an operation belongs to, for recomputation by module (Megatron-Core's names).
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
struct GemmShape {
    double rows = 0; ///< 0: not a GEMM
    double columns = 0;
    double depth = 0;
    double groups = 1;
    MatrixUnits units = MatrixUnits::compute;
};

/// Memory traffic of a fused kernel: how many times it reads or writes a tensor.
struct TensorPasses {
    double bytes = 0; ///< of the tensor; 0: no traffic
    double forward = 0;
    double backward = 0;
};

/// One operation of a layer on one rank, for one microbatch.
struct LayerOperation {
    std::string_view name; ///< a string literal
    Module module = Module::projection;
    KernelSeconds seconds;
    TensorPasses moved; ///< in addition to GEMMs and the attention core
    GemmShape multiply;
    AttentionShape attention{.heads = 0}; ///< set for an attention core; otherwise no heads
    bool feeds_core = false; ///< a GEMM whose output is read by an attention core
    bool ends_layer = false; ///< a GEMM whose output is read only by the next layer
    double saved_bytes = 0; ///< saved for backward without recomputation
    double entry_bytes = 0; ///< part of it: the input of a module that starts here, needed to recompute the module
    /// freed by recomputing this single operation, here or in the operation that saves its output
    double freed_bytes = 0;
    double output_bytes = 0; ///< of its output, whose gradient is in memory during the backward pass
};

/// The operations of one layer in forward order. Saved bytes follow Korthikanti et al. 2022 (arXiv 2205.05198, section
/// 4), extended to grouped-query attention, gated networks, latent attention and experts.
std::vector<LayerOperation> layer_operations(const Model &model, const Block &block, const RankShape &shape,
                                             const Device &device, const Plan &plan);
/// As above. @param weights of the block
std::vector<LayerOperation> layer_operations(const Model &model, const Block &block, const std::vector<Weight> &weights,
                                             const RankShape &shape, const Device &device, const Plan &plan);

/// Final norm, LM head and cross-entropy on the last stage.
std::vector<LayerOperation> head_operations(const Model &model, const RankShape &shape, const Device &device,
                                            const Plan &plan);
/// Embedding lookup on the first stage.
std::vector<LayerOperation> embedding_operations(const Model &model, const RankShape &shape, const Device &device,
                                                 const Plan &plan);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/device.h"
#include "layers/rank_shape.h"

#include <string_view>
#include <vector>

namespace meshwright {

/// What part of a layer an operation belongs to, for recomputation by module (Megatron-Core's names).
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

/// The shape of an operation that is a matrix multiply: `rows` x `columns` over `depth`, in `groups` side by side.
struct GemmShape {
    double rows = 0; ///< 0: not a multiply
    double columns = 0;
    double depth = 0;
    double groups = 1;
    MatrixUnits units = MatrixUnits::compute;
};

/// What a fused kernel moves: a tensor that it reads or writes so often.
struct TensorPasses {
    double bytes = 0; ///< of the tensor; 0: it moves none
    double forward = 0;
    double backward = 0;
};

/// One operation of a layer on one rank, for one microbatch.
struct LayerOperation {
    std::string_view name; ///< a literal
    Module module = Module::projection;
    KernelSeconds seconds;
    TensorPasses moved; ///< beside multiplies and an attention core
    GemmShape multiply;
    AttentionShape attention{.heads = 0}; ///< of an attention core; no heads: it is none
    bool feeds_core = false; ///< a multiply whose result an attention core reads
    bool ends_layer = false; ///< a multiply whose result goes to the next layer alone
    double saved_bytes = 0; ///< kept from forward to backward where nothing is recomputed
    double entry_bytes = 0; ///< of them, the input of a module that starts here: recomputing the module needs it
    double freed_bytes = 0; ///< what recomputing this very operation frees, here or where its result is kept
    double output_bytes = 0; ///< of its result while the layer runs: its gradient stands in memory in the backward pass
};

/// The operations of one layer in forward order. Saved bytes follow Korthikanti et al. 2022 (arXiv 2205.05198, section
/// 4), extended to grouped queries, gated networks, latent attention and experts.
std::vector<LayerOperation> layer_operations(const Model &model, const Block &block, const RankShape &shape,
                                             const Device &device, const Plan &plan);
/// The same. @param weights  the block's
std::vector<LayerOperation> layer_operations(const Model &model, const Block &block, const std::vector<Weight> &weights,
                                             const RankShape &shape, const Device &device, const Plan &plan);

/// Final norm, LM head and cross-entropy on the last stage.
std::vector<LayerOperation> head_operations(const Model &model, const RankShape &shape, const Device &device,
                                            const Plan &plan);
/// Embedding look-up on the first stage.
std::vector<LayerOperation> embedding_operations(const Model &model, const RankShape &shape, const Device &device,
                                                 const Plan &plan);

} // namespace meshwright

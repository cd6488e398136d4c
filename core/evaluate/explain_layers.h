// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/explain_context.h"
#include "layers/operations.h"

#include <map>

namespace meshwright {

enum class Pass { forward, input_gradient, weight_gradient };
double of_pass(const KernelSeconds &seconds, Pass pass);
double of_pass(const LayerCost &cost, Pass pass);

/// One operation of a layer in one pass: the roofline, attention's rate, or bytes over the memory's bandwidth.
Derivation operation_seconds(const ExplainContext &context, const Block *block, const LayerOperation &operation,
                             Pass pass);
/// Forward and backward pass of one layer of a kind: kernels, and what the host's launches add.
Derivation layer_compute(const ExplainContext &context, std::size_t index);
/// What one microbatch computes on the busiest rank.
Derivation microbatch_compute(const ExplainContext &context);
/// What it computes again there.
Derivation microbatch_recompute(const ExplainContext &context);

/// How often a microbatch passes a kind of layer on the busiest rank, that keeps its activations or is recomputed.
struct PassedLayers {
    double stored = 0;
    double recomputed = 0;
};
std::map<std::size_t, PassedLayers> layers_passed(const ExplainContext &context);

/// A collective of a group over the site's tiers.
Derivation gather_seconds(const ExplainContext &context, Labelled what, Group group, Derivation tensor);
Derivation reduce_seconds(const ExplainContext &context, Labelled what, Group group, Derivation tensor);
/// Tensor, context or expert traffic that is seen of one microbatch on the busiest rank.
Derivation microbatch_tensor(const ExplainContext &context);
Derivation microbatch_context(const ExplainContext &context);
Derivation microbatch_expert(const ExplainContext &context);

/// Data-parallel traffic that is seen of a step, and the time of the optimizer.
Derivation explain_data(const ExplainContext &context);
Derivation explain_optimizer(const ExplainContext &context);
/// One send between stages.
Derivation explain_hop(const ExplainContext &context);

} // namespace meshwright

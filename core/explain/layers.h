// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/context.h"
#include "explain/layout.h"
#include "explain/shapes.h"
#include "layers/operations.h"

#include <functional>
#include <optional>

namespace meshwright {

enum class Pass { forward, input_gradient, weight_gradient };
const Traced &of_pass(const BasicLayerCost<Traced> &cost, Pass pass);
/// Cost of one of these layers with its derivation.
const BasicLayerCost<Traced> &traced_cost_of(const ExplainContext &context, const CarriedLayers &layers);

/// Forward and backward pass of one layer of each kind: kernels plus exposed host launches.
Derivation layer_compute(const ExplainContext &context, std::size_t index);
/// Compute of one microbatch on the busiest rank.
Derivation microbatch_compute(const ExplainContext &context);
Derivation microbatch_recompute(const ExplainContext &context);

/// Number of layers of each kind, and of MTP modules, that a microbatch passes through on the busiest rank.
std::vector<CarriedLayers> layers_passed(const ExplainContext &context);
double modules_passed(const ExplainContext &context);

/// Derives a value of one layer of a kind, as a node with the given name. Returns nothing if the layer has no such
/// value.
using OneLayer = std::function<std::optional<Derivation>(const CarriedLayers &, const std::string &)>;
/// Sums a value over the layers that a microbatch passes through on the busiest rank.
/// @param pointer  field that sets the number of layers
Derivation over_layers(const ExplainContext &context, Labelled what, const char *pointer, const OneLayer &one_layer);

Derivation pass_compute(const ExplainContext &context, std::size_t index, Pass pass, std::string name);
/// Recomputation of a layer before its backward pass.
Derivation layer_again(const ExplainContext &context, const CarriedLayers &layers, std::string name);

/// Time per microbatch spent waiting for activations on their way to or from host memory.
Derivation microbatch_copies(const ExplainContext &context);
enum class TrafficKind { tensor, context, expert };
const char *name_of(TrafficKind traffic);
/// Exposed communication of a layer.
template <Number N>
const BasicExposedSeconds<N> &exposed_of(const BasicLayerCost<N> &cost, TrafficKind traffic) {
    return traffic == TrafficKind::tensor ? cost.tensor : traffic == TrafficKind::context ? cost.context : cost.expert;
}
/// Exposed communication of one pass of a layer. @param title  the pass
Derivation exposed_seconds(std::string name, TrafficKind traffic, const char *title, const Traced &seconds);

/// Time of one pass of a microbatch through some ranks: the number of layers, embeddings and heads, each multiplied by
/// its time. These times are references to the figures of explain_passes().
Derivation carried_pass(const ExplainContext &context, Labelled what, const std::vector<std::size_t> &ranks, Pass pass);
/// Forward and backward pass of a microbatch on the rank that determines the step time.
Derivation forward_of_rank(const ExplainContext &context, Labelled what);
Derivation backward_of_rank(const ExplainContext &context, Labelled what);
/// Forward or backward pass of the rank that determines the step time; a reference if the pipeline has this figure.
Derivation whole_pass(const ExplainContext &context, Labelled what, bool forward);
/// Compute of the embedding, the LM head and MTP modules on the busiest rank.
Derivation ends_compute(const ExplainContext &context);
/// Inputs of the schedules' closed forms: stages, microbatches, chunks, and the mean pass times of all ranks but the
/// busiest.
std::vector<Derivation> schedule_inputs(const ExplainContext &context);
/// A figure from the simulated schedule, where each stage has its own times.
Derivation executed_figure(const ExplainContext &context, Labelled what, double value);
Derivation executed_figure(const ExplainContext &context, Labelled what, double value, std::size_t rank);
Derivation closed_form_bubble(const ExplainContext &context, Labelled what);
Derivation closed_form_sends(const ExplainContext &context, Labelled what);
CarriedLayers module_layers(const ExplainContext &context);
bool both_directions(const Plan &plan);

/// Exposed tensor, context or expert communication of one microbatch on the busiest rank.
Derivation microbatch_tensor(const ExplainContext &context);
Derivation microbatch_context(const ExplainContext &context);
Derivation microbatch_expert(const ExplainContext &context);
enum class ExpertPasses { forward, backward };
Derivation expert_of_passes(const ExplainContext &context, ExpertPasses passes);

/// Exposed data-parallel communication per step, and the time of the optimizer step.
Derivation explain_data(const ExplainContext &context);
Derivation explain_optimizer(const ExplainContext &context);
Derivation explain_hop(const ExplainContext &context);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/explain_context.h"
#include "evaluate/explain_shapes.h"
#include "layers/operations.h"

#include <functional>
#include <optional>

namespace meshwright {

enum class Pass { forward, input_gradient, weight_gradient };
double of_pass(const KernelSeconds &seconds, Pass pass);
double of_pass(const LayerCost &cost, Pass pass);

/// One operation of a layer in one pass: the roofline, attention's rate, or bytes over the memory's bandwidth.
Derivation operation_seconds(const ExplainContext &context, const Block *block, const LayerOperation &operation,
                             Pass pass);
/// What training sustains of the memory's bandwidth.
Derivation memory_rate(const ExplainContext &context);
/// Tokens of a microbatch that a multiply takes, or of routed ones those that reach the rank with most of them.
Derivation rows_of(const ExplainContext &context, const LayerOperation &multiply);
/// The rate that whole waves of tiles leave of a sustained one, in one pass of a multiply.
Derivation tiled_rate(const ExplainContext &context, const GemmShape &shape, Pass pass, Derivation sustained,
                      Derivation memory_rate);
/// Forward and backward pass of one layer of a kind: kernels, and what the host's launches add.
Derivation layer_compute(const ExplainContext &context, std::size_t index);
/// What one microbatch computes on the busiest rank.
Derivation microbatch_compute(const ExplainContext &context);
/// What it computes again there.
Derivation microbatch_recompute(const ExplainContext &context);

/// How often a microbatch passes each kind of layer on the busiest rank, and how often a prediction module.
std::vector<CarriedLayers> layers_passed(const ExplainContext &context);
double modules_passed(const ExplainContext &context);

/// Makes what one layer of a kind has, under the name that is given; nothing where it has none.
using OneLayer = std::function<std::optional<Derivation>(const CarriedLayers &, const std::string &)>;
/// A sum over the layers that a microbatch passes on the busiest rank. @param pointer  of the field that says how many
Derivation over_layers(const ExplainContext &context, Labelled what, const char *pointer, const OneLayer &one_layer);

/// What one pass of a layer computes: kernels, and what the host's launches add.
Derivation pass_compute(const ExplainContext &context, std::size_t index, Pass pass, std::string name);
/// The same of the whole forward or backward pass: kernels bound by their launches.
Derivation layer_kernels(const ExplainContext &context, std::size_t index, Pass pass, std::string name);
/// What a layer does again before its backward pass.
Derivation layer_again(const ExplainContext &context, const CarriedLayers &layers, std::string name);

/// What a microbatch waits for activations on their way to host memory, or back.
Derivation microbatch_copies(const ExplainContext &context);
/// The same of one pass of a layer. @param beside  what else the pass is made of
Derivation waiting_for_copies(const ExplainContext &context, Labelled what, double saved_bytes,
                              std::vector<Derivation> beside);
/// The update of states that lie in host memory. @param parameters  theirs
Derivation host_update(const ExplainContext &context, Derivation parameters);

enum class TrafficKind { tensor, context, expert };
const char *name_of(TrafficKind traffic);
const ExposedSeconds &exposed_of(const LayerCost &cost, TrafficKind traffic);
/// What is seen of a layer's traffic in one pass, and of what a recomputed forward pass repeats.
Derivation traffic_pass(const ExplainContext &context, std::size_t index, TrafficKind traffic, Pass pass,
                        std::string name, double value);
Derivation traffic_again(const ExplainContext &context, std::size_t index, TrafficKind traffic, std::string name,
                         double value);

/// One pass of a microbatch through some ranks: layers and ends of the model times one of each, by reference to the
/// figures of explain_passes().
Derivation carried_pass(const ExplainContext &context, Labelled what, const std::vector<std::size_t> &ranks, Pass pass);
/// The passes of a microbatch on the rank whose times the context's step has.
Derivation forward_of_rank(const ExplainContext &context, Labelled what);
Derivation backward_of_rank(const ExplainContext &context, Labelled what);
/// One of them, by reference where it is the pipeline's figure.
Derivation whole_pass(const ExplainContext &context, Labelled what, bool forward);
/// What the busiest rank computes beside the model's own layers.
Derivation ends_compute(const ExplainContext &context);
/// What closed forms of schedules take: stages, microbatches, chunks, and the mean passes of the other ranks.
std::vector<Derivation> schedule_inputs(const ExplainContext &context);
/// A figure that executing the schedule gives, each stage with its own times.
Derivation executed_figure(const ExplainContext &context, Labelled what, double value);
/// The same of one rank.
Derivation executed_figure(const ExplainContext &context, Labelled what, double value, std::size_t rank);
/// Bubble and sends of the schedule's closed forms.
Derivation closed_form_bubble(const ExplainContext &context, Labelled what);
Derivation closed_form_sends(const ExplainContext &context, Labelled what);
/// A prediction module's layer, as it is stored.
CarriedLayers module_layers(const ExplainContext &context);
bool both_directions(const Plan &plan);

/// A collective of a group over the site's tiers, its bytes in so many pieces.
Derivation gather_seconds(const ExplainContext &context, Labelled what, Group group, Derivation tensor,
                          const std::optional<Derivation> &pieces = std::nullopt);
Derivation reduce_seconds(const ExplainContext &context, Labelled what, Group group, Derivation tensor,
                          const std::optional<Derivation> &pieces = std::nullopt);
/// Launch and handshake of a collective; one that leaves its node takes longer on a measured network.
Derivation collective_base(const ExplainContext &context, Group group, bool beside_computation);
/// Nodes that a group lies on.
Derivation nodes_of(const ExplainContext &context, Group group, std::string name);
/// What a tier sustains for one accelerator.
Derivation sustained_bandwidth(const ExplainContext &context, const Network::TierLinks &tier, std::size_t index);
/// "tier_nvlink"
std::string tier_name(const ExplainContext &context, std::size_t index);
/// Tensor, context or expert traffic that is seen of one microbatch on the busiest rank.
Derivation microbatch_tensor(const ExplainContext &context);
Derivation microbatch_context(const ExplainContext &context);
Derivation microbatch_expert(const ExplainContext &context);
/// Expert traffic that is seen in its forward pass, or in its backward pass with what is done again.
enum class ExpertPasses { forward, backward };
Derivation expert_of_passes(const ExplainContext &context, ExpertPasses passes);

/// Data-parallel traffic that is seen of a step, and the time of the optimizer.
Derivation explain_data(const ExplainContext &context);
Derivation explain_optimizer(const ExplainContext &context);
/// One send between stages.
Derivation explain_hop(const ExplainContext &context);

} // namespace meshwright

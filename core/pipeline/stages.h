// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/layer_cost.h"
#include "pipeline/closed_forms.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace meshwright {

/// The layer at which memory peaks in a backward pass that frees activations layer by layer.
struct FullestLayer {
    /// Working set of this layer, owned by the layers' costs; null if there are no layers.
    const WorkingSet *working = nullptr;
    double saved_bytes = 0; ///< bytes saved for backward by the stage's layers up to this one
};

/// One virtual stage: consecutive layers of the model, with the embedding or the head at the ends.
struct StageCost {
    std::int64_t first_layer = 0;
    std::int64_t layers = 0;
    LayerCost cost; ///< cost per microbatch, with embedding, LM head and MTP modules
    /// Largest working set of its layers, owned by the layers' costs; null if there are no layers.
    const WorkingSet *working = nullptr;
    FullestLayer fullest;
    RankParameters layer_parameters; ///< parameters of the stage's layers, without embedding and LM head
    /// Number of parameters of the largest layer or weight, which ZeRO gathers or reduces at once.
    double sharded_unit = 0;
    bool holds_embedding = false;
    bool holds_head = false;
};

struct RankCost {
    std::vector<std::int64_t> stages;
    LayerCost cost; ///< cost per microbatch over all stages of the rank
    double seconds() const { return cost.seconds(); }
};

struct PipelineCosts {
    std::vector<StageCost> stages;
    std::vector<RankCost> ranks;
    std::size_t busiest = 0; ///< rank with the longest time per microbatch
    double send_factor = 1; ///< multiplier of the time of a send between stages, for variations that change only sends
};
/// Returns costs with the times of all forward passes, backward passes and sends multiplied by the given factors.
PipelineCosts longer_by(PipelineCosts costs, double forward, double backward, double send);

/// One layer of a stage. Its cost and working set include recomputation if the plan recomputes the layer.
struct StageLayer {
    std::size_t block = 0;
    const LayerCost *cost = nullptr;
    const WorkingSet *working = nullptr;
};
/// The layers of a stage in model order. The pointers are valid during the lifetime of `layers`.
std::vector<StageLayer> layers_of_stage(const Plan &plan, const LayerCosts &layers, const StageCost &stage);

PipelineCosts pipeline_costs(const Plan &plan, const LayerCosts &layers);

/// Layers of one block, all of them recomputed or none.
struct PartLayers {
    std::size_t block = 0;
    bool recomputed = false;
    double count = 0;
    bool operator<(const PartLayers &other) const {
        return std::tie(block, recomputed, count) < std::tie(other.block, other.recomputed, other.count);
    }
};
/// The parts of the model on some virtual stages: a sum over them gives what a rank computes, sends and holds.
struct ModelParts {
    std::vector<PartLayers> layers; ///< by block, then by recomputation
    double embeddings = 0;
    double tied_copies = 0; ///< LM head's own copies of a tied embedding
    double heads = 0;
    double modules = 0; ///< MTP modules, each of which runs the LM head once more
    bool operator<(const ModelParts &other) const {
        return std::tie(layers, embeddings, tied_copies, heads, modules)
            < std::tie(other.layers, other.embeddings, other.tied_copies, other.heads, other.modules);
    }
};
ModelParts parts_of_stages(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                           const std::vector<std::int64_t> &stages);
/// The parts that a microbatch passes through on some ranks. On a rank with one stage per direction, it passes through
/// half of the parts on average.
ModelParts parts_passed(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                        const std::vector<std::size_t> &ranks);
/// Whether each microbatch passes through only one of the rank's two stages.
bool passes_one_of_two(const Plan &plan, const RankCost &rank);

std::vector<std::size_t> blocks_in_order(const Model &model);
/// Adds the costs of the last stage's LM head and of MTP modules with their heads.
void add_head(const Plan &plan, const LayerCosts &layers, LayerCost &cost);
/// Halves the costs of a rank with one stage per direction, because each microbatch passes through only one of them.
/// Parameters are unchanged.
void pass_one_of_two(LayerCost &cost);

/// Bytes that one rank sends to the next stage per microbatch. Each tensor-parallel rank sends a shard of the hidden
/// states if the sequence is sharded or the stack scatters sends, otherwise all hidden states.
template <Number N>
N sent_bytes(const Plan &plan, const BasicLayerCosts<N> &layers);
/// Whether each tensor-parallel rank sends a shard of a whole tensor, which the receivers gather over their own links.
/// Source: Narayanan et al., arXiv 2104.04473, section 4.1.
bool scatters_sends(const Plan &plan);

/// Time of one send between pipeline ranks; 0 without a pipeline.
double stage_hop_seconds(const Plan &plan, const LayerCosts &layers);
/// @param line  the ranks of one pipeline
template <Number N>
N stage_hop_seconds(const Plan &plan, const BasicLayerCosts<N> &layers, const BasicGroup<N> &line);

/// Inputs of the closed forms: mean times per microbatch of all ranks but one, with recomputation, exposed
/// communication and waits for activation copies.
/// @param rank the rank that is left out; it determines the step's terms, and its bubble depends on the other ranks
PipelineShape pipeline_shape(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs, std::size_t rank);
/// Mean times per microbatch of all ranks but one.
template <Number N>
struct BasicMeanPasses {
    N forward = 0;
    N input_gradient = 0; ///< with recomputation and exposed communication
    N weight_gradient = 0;
};
/// @param others sum of the costs of the other ranks
template <Number N>
BasicMeanPasses<N> mean_passes(const Plan &plan, const BasicLayerCost<N> &others);

/// Inputs of the closed forms, from given costs.
/// @param others sum of the costs of the other ranks
/// @param hop time of one send in seconds
PipelineShape shape_beside(const Plan &plan, const LayerCost &others, double hop);

} // namespace meshwright

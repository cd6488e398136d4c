// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/layer_cost.h"
#include "pipeline/closed_forms.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// The layer where a backward pass needs most memory if it frees each layer's activations as it goes.
struct FullestLayer {
    const WorkingSet *working = nullptr; ///< working set of that layer, owned by the layers' costs; null without layers
    double saved_bytes = 0; ///< bytes saved for backward by the stage's layers up to that one
};

/// One virtual stage: consecutive layers of the model, with the embedding or the head at the ends.
struct StageCost {
    std::int64_t first_layer = 0;
    std::int64_t layers = 0;
    LayerCost cost; ///< cost per microbatch, with embedding, LM head and MTP modules
    const WorkingSet *working = nullptr; ///< largest of its layers, in the layers' costs; null without layers
    FullestLayer fullest;
    RankParameters layer_parameters; ///< parameters of the stage's layers, without embedding and LM head
    double sharded_unit = 0; ///< parameters that ZeRO gathers or reduces at once: of its largest layer or weight
    bool holds_embedding = false;
    bool holds_head = false;
};

/// One pipeline rank with all its virtual stages.
struct RankCost {
    std::vector<std::int64_t> stages; ///< indices of its virtual stages
    LayerCost cost; ///< cost per microbatch over all stages of the rank
    double seconds() const { return cost.seconds(); }
};

struct PipelineCosts {
    std::vector<StageCost> stages; ///< virtual stages in model order
    std::vector<RankCost> ranks;
    std::size_t busiest = 0; ///< rank with the longest time per microbatch
    double send_factor = 1; ///< factor on the time of a send between stages, so that a variation can change only sends
};
/// Copies costs with factors on every forward pass, every backward pass and every send.
PipelineCosts longer_by(PipelineCosts costs, double forward, double backward, double send);

/// One layer of a stage, with or without recomputation as in the plan.
struct StageLayer {
    std::size_t block = 0; ///< index of the block in the model
    const LayerCost *cost = nullptr;
    const WorkingSet *working = nullptr;
};
/// A stage's layers in model order. The pointers are valid as long as `layers`.
std::vector<StageLayer> layers_of_stage(const Plan &plan, const LayerCosts &layers, const StageCost &stage);

PipelineCosts pipeline_costs(const Plan &plan, const LayerCosts &layers);

/// The block of each layer, in model order.
std::vector<std::size_t> blocks_in_order(const Model &model);
/// Adds what the last stage costs in addition to its layers: the head, and MTP modules with their heads.
void add_head(const Plan &plan, const LayerCosts &layers, LayerCost &cost);
/// Halves the costs of a rank with one stage per direction, because each microbatch passes through only one of the two.
/// Parameters are unchanged.
void pass_one_of_two(LayerCost &cost);

/// Bytes that one rank sends to the next stage per microbatch: hidden states, or each tensor-parallel rank's shard of
/// them if the sequence is sharded or the stack scatters sends.
double sent_bytes(const Plan &plan, const LayerCosts &layers);
/// Whether each tensor-parallel rank sends a shard of a whole tensor, which the receivers gather over their own links.
/// Source: Narayanan et al., arXiv 2104.04473, section 4.1.
bool scatters_sends(const Plan &plan);

/// Time of one send between pipeline ranks; 0 without a pipeline.
double stage_hop_seconds(const Plan &plan, const LayerCosts &layers);

/// The shape that the closed forms take: times of the mean rank, including everything that delays a microbatch.
/// @param the rank that the step's terms describe; its bubble depends on the other ranks
PipelineShape pipeline_shape(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs, std::size_t rank);
/// The shape for the closed forms, from given costs.
/// @param others costs of the other ranks together
/// @param hop seconds of one send
PipelineShape shape_beside(const Plan &plan, const LayerCost &others, double hop);

} // namespace meshwright

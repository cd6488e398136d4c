// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/layer_cost.h"
#include "pipeline/closed_forms.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// Where memory stands highest in a backward pass that frees each layer's activations as it goes.
struct FullestLayer {
    const WorkingSet *working = nullptr; ///< of that layer, in the layers' costs; null without layers
    double saved_bytes = 0; ///< of the stage's layers up to it
};

/// One virtual stage: consecutive layers of the model, with the embedding or the head at the ends.
struct StageCost {
    std::int64_t first_layer = 0;
    std::int64_t layers = 0;
    LayerCost cost; ///< of one microbatch, embedding, head and prediction modules included
    const WorkingSet *working = nullptr; ///< largest of its layers', in the layers' costs; null without layers
    FullestLayer fullest;
    RankParameters layer_parameters; ///< of its layers alone
    double sharded_unit = 0; ///< parameters that ZeRO gathers or reduces at once: of its largest layer or weight
    bool holds_embedding = false;
    bool holds_head = false;
};

/// One pipeline rank: its virtual stages together.
struct RankCost {
    std::vector<std::int64_t> stages; ///< indices of its virtual stages
    LayerCost cost; ///< of one microbatch through all its stages
    double seconds() const { return cost.seconds(); }
};

struct PipelineCosts {
    std::vector<StageCost> stages; ///< in model order
    std::vector<RankCost> ranks;
    std::size_t busiest = 0; ///< rank that a microbatch keeps longest
    double send_factor = 1; ///< on what a send between stages takes: other than 1 where that is varied alone
};
/// The same with every forward pass, every backward pass and every send longer by a factor.
PipelineCosts longer_by(PipelineCosts costs, double forward, double backward, double send);

/// One layer of a stage, as the plan stores or recomputes it.
struct StageLayer {
    std::size_t block = 0; ///< of the model
    const LayerCost *cost = nullptr;
    const WorkingSet *working = nullptr;
};
/// A stage's layers in model order; what they point to lives as long as `layers`.
std::vector<StageLayer> layers_of_stage(const Plan &plan, const LayerCosts &layers, const StageCost &stage);

PipelineCosts pipeline_costs(const Plan &plan, const LayerCosts &layers);

/// The block of each layer, in model order.
std::vector<std::size_t> blocks_in_order(const Model &model);
/// What the last stage holds beside its layers: the head, and prediction modules with theirs.
void add_head(const Plan &plan, const LayerCosts &layers, LayerCost &cost);
/// Of a rank with one stage in either direction: half of the microbatches come from either end, so that each passes one
/// of the two. All but the parameters.
void pass_one_of_two(LayerCost &cost);

/// What one rank sends to the next stage for a microbatch, in bytes: hidden states, each tensor-parallel rank its share
/// where the sequence is sharded or the software scatters what it sends.
double sent_bytes(const Plan &plan, const LayerCosts &layers);
/// Whether each tensor-parallel rank sends its share of a whole tensor, which the receivers gather over their own
/// links. Source: Narayanan and others, arXiv 2104.04473, section 4.1.
bool scatters_sends(const Plan &plan);

/// Of one send from a rank to the next; 0 where there is none.
double stage_hop_seconds(const Plan &plan, const LayerCosts &layers);

/// The shape that the closed forms take: times of the mean rank, all that delays a microbatch included.
/// @param rank  whose times are taken apart: what it waits for are the others
PipelineShape pipeline_shape(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs, std::size_t rank);
/// The same. @param others  costs of the other ranks together @param hop  seconds of one send
PipelineShape shape_beside(const Plan &plan, const LayerCost &others, double hop);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/stages.h"
#include "plan/valid_values.h"

#include <algorithm>
#include <map>

namespace meshwright {

namespace {

bool layer_is_recomputed(const Recompute &recompute, std::int64_t index_in_stage) {
    return recompute.mode == RecomputeMode::full
        || (recompute.mode == RecomputeMode::layers && index_in_stage < recompute.layers);
}

void add_layer(StageCost &stage, const BlockCost &block, bool recomputed) {
    const LayerCost &cost = recomputed ? block.recomputed : block.stored;
    const WorkingSet &working = recomputed ? block.recomputed_working : block.stored_working;
    stage.cost += cost;
    stage.layer_parameters += cost.parameters;
    stage.sharded_unit = std::max(stage.sharded_unit, block.sharded_unit);
    if (stage.working == nullptr || working.bytes > stage.working->bytes)
        stage.working = &working;
    if (stage.fullest.working == nullptr
        || stage.cost.saved_bytes + working.bytes > stage.fullest.saved_bytes + stage.fullest.working->bytes)
        stage.fullest = {.working = &working, .saved_bytes = stage.cost.saved_bytes};
    ++stage.layers;
}

void add_ends(const Plan &plan, const LayerCosts &layers, std::vector<StageCost> &stages) {
    stages.front().cost += layers.embedding();
    stages.front().holds_embedding = true;
    add_head(plan, layers, stages.back().cost);
    stages.back().holds_head = true;
}

} // namespace

std::vector<std::size_t> blocks_in_order(const Model &model) {
    std::vector<std::size_t> order;
    for (const LayerRun &run : model.layers)
        order.insert(order.end(), static_cast<std::size_t>(run.count), static_cast<std::size_t>(run.block));
    return order;
}

void add_head(const Plan &plan, const LayerCosts &layers, LayerCost &cost) {
    cost += layers.head();
    for (std::int64_t i = 0; i < plan.model.mtp_layers; ++i) {
        cost += layers.prediction_module();
        LayerCost head = layers.head();
        head.parameters = {}; // the MTP modules share the model's LM head
        cost += head;
    }
}

void pass_one_of_two(LayerCost &cost) {
    cost.forward_seconds /= 2;
    cost.input_gradient_seconds /= 2;
    cost.weight_gradient_seconds /= 2;
    cost.recompute_seconds /= 2;
    for (ExposedSeconds *exposed : {&cost.tensor, &cost.context, &cost.expert, &cost.copies})
        *exposed = {exposed->forward / 2, exposed->backward / 2, exposed->recompute / 2};
    cost.saved_bytes /= 2;
}

std::vector<StageLayer> layers_of_stage(const Plan &plan, const LayerCosts &layers, const StageCost &stage) {
    const std::vector<std::size_t> order = blocks_in_order(plan.model);
    std::vector<StageLayer> held;
    for (std::int64_t i = 0; i < stage.layers; ++i) {
        const std::size_t index = order[static_cast<std::size_t>(stage.first_layer + i)];
        const BlockCost &block = layers.of_block(index);
        const bool recomputed = layer_is_recomputed(plan.recompute, i);
        held.push_back({.block = index,
                        .cost = recomputed ? &block.recomputed : &block.stored,
                        .working = recomputed ? &block.recomputed_working : &block.stored_working});
    }
    return held;
}

ModelParts parts_of_stages(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                           const std::vector<std::int64_t> &stages) {
    ModelParts parts;
    std::map<std::pair<std::size_t, bool>, double> counts;
    for (const std::int64_t s : stages) {
        const StageCost &stage = costs.stages[static_cast<std::size_t>(s)];
        for (const StageLayer &layer : layers_of_stage(plan, layers, stage))
            counts[{layer.block, layer.cost == &layers.of_block(layer.block).recomputed}] += 1;
        parts.embeddings += stage.holds_embedding ? 1 : 0;
        parts.heads += stage.holds_head ? 1 : 0;
    }
    for (const auto &[kind, number] : counts)
        parts.layers.push_back({kind.first, kind.second, number});
    parts.modules = parts.heads * static_cast<double>(plan.model.mtp_layers);
    parts.tied_copies = plan.model.tied_embeddings && parts.heads > 0 && parts.embeddings == 0 ? 1 : 0;
    return parts;
}

ModelParts parts_passed(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                        const std::vector<std::size_t> &ranks) {
    std::vector<std::int64_t> stages;
    bool one_of_two = false;
    for (const std::size_t r : ranks) {
        const RankCost &rank = costs.ranks[r];
        stages.insert(stages.end(), rank.stages.begin(), rank.stages.end());
        one_of_two = one_of_two || passes_one_of_two(plan, rank);
    }
    ModelParts parts = parts_of_stages(plan, layers, costs, stages);
    if (!one_of_two)
        return parts;
    for (PartLayers &each : parts.layers)
        each.count /= 2;
    for (double *const number : {&parts.embeddings, &parts.tied_copies, &parts.heads, &parts.modules})
        *number /= 2;
    return parts;
}

bool passes_one_of_two(const Plan &plan, const RankCost &rank) {
    return runs_both_ways(plan.parallelism.schedule) && rank.stages.size() > 1;
}

PipelineCosts pipeline_costs(const Plan &plan, const LayerCosts &layers) {
    PipelineCosts costs;
    const std::vector<std::int64_t> counts = stage_layers(plan);
    const std::vector<std::size_t> order = blocks_in_order(plan.model);
    std::size_t layer = 0;
    costs.stages.reserve(counts.size());
    for (const std::int64_t count : counts) {
        StageCost stage{.first_layer = static_cast<std::int64_t>(layer)};
        for (std::int64_t i = 0; i < count && layer < order.size(); ++i, ++layer)
            add_layer(stage, layers.of_block(order[layer]), layer_is_recomputed(plan.recompute, i));
        costs.stages.push_back(std::move(stage));
    }
    add_ends(plan, layers, costs.stages);
    costs.ranks.reserve(static_cast<std::size_t>(plan.parallelism.pipeline));
    for (std::int64_t r = 0; r < plan.parallelism.pipeline; ++r) {
        RankCost rank{.stages =
                          stages_of_rank(plan.parallelism.schedule, plan.parallelism.pipeline, plan.layer_chunks(), r)};
        bool embedding = false;
        bool head = false;
        for (const std::int64_t s : rank.stages) {
            const StageCost &stage = costs.stages[static_cast<std::size_t>(s)];
            rank.cost += stage.cost;
            embedding = embedding || stage.holds_embedding;
            head = head || stage.holds_head;
        }
        if (plan.model.tied_embeddings && head && !embedding) // the LM head needs its own copy of the tied weight
            rank.cost.parameters += layers.tied_copy();
        if (passes_one_of_two(plan, rank))
            pass_one_of_two(rank.cost);
        costs.ranks.push_back(std::move(rank));
        if (costs.ranks.back().seconds() > costs.ranks[costs.busiest].seconds())
            costs.busiest = costs.ranks.size() - 1;
    }
    return costs;
}

bool scatters_sends(const Plan &plan) {
    return plan.stack.scatters_pipeline_sends && !plan.parallelism.sequence_parallel && plan.parallelism.tensor > 1;
}

template <Number N>
N sent_bytes(const Plan &plan, const BasicLayerCosts<N> &layers) {
    const BasicRankShape<N> &shape = layers.shape();
    return label(hidden_state_bytes(shape, plan.model) / (scatters_sends(plan) ? shape.tensor : shape.sequence_ways),
                 {"bytes", "activations sent by one rank", Quantity::bytes,
                  "each tensor-parallel rank sends its part if the sequence is sharded or the send is scattered"});
}
template double sent_bytes(const Plan &, const LayerCosts &);
template Traced sent_bytes(const Plan &, const BasicLayerCosts<Traced> &);

template <Number N>
N stage_hop_seconds(const Plan &plan, const BasicLayerCosts<N> &layers, const BasicGroup<N> &line) {
    const BasicNetwork<N> &network = layers.network();
    const N send = network.send_seconds(line, sent_bytes(plan, layers));
    if (!scatters_sends(plan))
        return send;
    const N gathering =
        network.all_gather_seconds(layers.groups().tensor, hidden_state_bytes(layers.shape(), plan.model));
    return label(send, {"send_seconds", "time of one send, split across tensor-parallel ranks", Quantity::seconds, {}})
        + label(gathering, {"gather_seconds", "time to all-gather over tensor-parallel ranks", Quantity::seconds, {}});
}
template Traced stage_hop_seconds(const Plan &, const BasicLayerCosts<Traced> &, const TracedGroup &);

double stage_hop_seconds(const Plan &plan, const LayerCosts &layers) {
    return plan.parallelism.pipeline <= 1 ? 0 : stage_hop_seconds<double>(plan, layers, layers.groups().pipeline);
}

namespace {

void lengthen(LayerCost &cost, double forward, double backward) {
    cost.forward_seconds *= forward;
    for (double *const seconds : {&cost.input_gradient_seconds, &cost.weight_gradient_seconds, &cost.recompute_seconds})
        *seconds *= backward;
    for (ExposedSeconds *const exposed : {&cost.tensor, &cost.context, &cost.expert}) {
        exposed->forward *= forward;
        exposed->backward *= backward;
        exposed->recompute *= backward;
    }
}

} // namespace

PipelineCosts longer_by(PipelineCosts costs, double forward, double backward, double send) {
    for (StageCost &stage : costs.stages)
        lengthen(stage.cost, forward, backward);
    for (RankCost &rank : costs.ranks)
        lengthen(rank.cost, forward, backward);
    costs.send_factor *= send;
    return costs;
}

PipelineShape pipeline_shape(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs, std::size_t rank) {
    // the other ranks determine the duration of warm-up and drain
    LayerCost others;
    for (std::size_t r = 0; r < costs.ranks.size(); ++r)
        if (r != rank || costs.ranks.size() == 1)
            others += costs.ranks[r].cost;
    return shape_beside(plan, others, costs.send_factor * stage_hop_seconds(plan, layers));
}

template <Number N>
BasicMeanPasses<N> mean_passes(const Plan &plan, const BasicLayerCost<N> &others) {
    using std::max;
    const N count = label(max(N(1), pipeline_degree<N>(plan) - 1),
                          {"ranks", "ranks of the pipeline besides this one", Quantity::count});
    const N backward =
        label(others.backward_seconds(), {"backward", "backward pass, sum over the other ranks", Quantity::seconds});
    const N weight = others.weight_gradient_seconds;
    const auto mean = [&](const N &seconds, std::string_view name) {
        return label(seconds / count,
                     {name, "mean of the other ranks", Quantity::seconds, "this rank waits for the other ranks"});
    };
    return {.forward = mean(others.whole_forward_seconds(), "forward"),
            .input_gradient = mean(backward - weight, "input_gradient"),
            .weight_gradient = mean(weight, "weight_gradient")};
}
template BasicMeanPasses<double> mean_passes(const Plan &, const BasicLayerCost<double> &);
template BasicMeanPasses<Traced> mean_passes(const Plan &, const BasicLayerCost<Traced> &);

PipelineShape shape_beside(const Plan &plan, const LayerCost &others, double hop) {
    const BasicMeanPasses<double> mean = mean_passes(plan, others);
    return {.schedule = plan.parallelism.schedule,
            .stages = plan.parallelism.pipeline,
            .microbatches = plan.microbatches(),
            .chunks = plan.parallelism.chunks,
            .group = interleaving_group(plan),
            .forward = mean.forward,
            .input_gradient = mean.input_gradient,
            .weight_gradient = mean.weight_gradient,
            .hop = hop};
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/longest_rank.h"

#include <algorithm>

namespace meshwright {

namespace {

void add(LayerCost &sum, const LayerCost &cost, double factor) {
    sum.forward_seconds += factor * cost.forward_seconds;
    sum.input_gradient_seconds += factor * cost.input_gradient_seconds;
    sum.weight_gradient_seconds += factor * cost.weight_gradient_seconds;
    sum.recompute_seconds += factor * cost.recompute_seconds;
    for (const auto part : {&LayerCost::tensor, &LayerCost::context, &LayerCost::expert}) {
        (sum.*part).forward += factor * (cost.*part).forward;
        (sum.*part).backward += factor * (cost.*part).backward;
        (sum.*part).recompute += factor * (cost.*part).recompute;
    }
    sum.parameters.dense += factor * cost.parameters.dense;
    sum.parameters.experts += factor * cost.parameters.experts;
}

LayerCost cost_of(const Plan &plan, const LayerCosts &layers, const RankKind &kind, bool recomputed) {
    LayerCost cost;
    for (std::size_t i = 0; i < kind.layers.size(); ++i)
        add(cost, recomputed ? layers.of_block(i).recomputed : layers.of_block(i).stored, kind.layers[i]);
    if (kind.embedding)
        cost += layers.embedding();
    if (kind.head)
        add_head(plan, layers, cost);
    if (plan.model.tied_embeddings && kind.head && !kind.embedding)
        cost.parameters += layers.embedding().parameters;
    return cost;
}

/// Of one microbatch through the rank's layers, and the head.
double seconds_of(const Plan &plan, const LayerCosts &layers, const RankKind &kind, bool recomputed) {
    LayerCost head;
    if (kind.head)
        add_head(plan, layers, head);
    double seconds = head.seconds();
    for (std::size_t i = 0; i < kind.layers.size(); ++i)
        seconds += kind.layers[i] * (recomputed ? layers.of_block(i).recomputed : layers.of_block(i).stored).seconds();
    return seconds;
}

} // namespace

LongestRank::LongestRank(const Plan &plan, const LayerCosts &layers, const LayerCost &all, const StageRuns &runs,
                         bool recomputed, double hop, double straggler)
    : m_kind(&*std::max_element(runs.fullest.begin(), runs.fullest.end(),
                                [&](const RankKind &a, const RankKind &b) {
                                    return seconds_of(plan, layers, a, recomputed)
                                        < seconds_of(plan, layers, b, recomputed);
                                }))
    , m_cost(cost_of(plan, layers, *m_kind, recomputed))
    , m_others(all)
    , m_hop(hop) {
    if (runs.both_ways)
        pass_one_of_two(m_cost);
    if (plan.parallelism.pipeline > 1)
        add(m_others, m_cost, -1);
    m_seconds = passes_of_rank(plan, m_cost, straggler, Pairing::alone).total();
    m_paired_seconds = passes_of_rank(plan, m_cost, straggler, Pairing::paired).total();
}

double LongestRank::pipeline_seconds(const Plan &plan) const {
    const PipelineShape shape = shape_beside(plan, m_others, m_hop);
    return (pairing_of(plan) == Pairing::paired ? m_paired_seconds : m_seconds) + bubble_seconds(shape)
        + send_seconds(shape, plan.stack.overlaps_pipeline_sends);
}

double LongestRank::apart_seconds(const Plan &plan, const LayerCosts &layers, const Assumptions &assumed) const {
    return meshwright::apart_seconds(plan, layers, m_cost, assumed);
}

} // namespace meshwright

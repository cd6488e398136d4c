// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/longest_rank.h"

#include "plan/valid_values.h"

#include <algorithm>

namespace meshwright {

namespace {

std::size_t longest_of(const std::vector<RankKind> &kinds, const RankCosts &costs) {
    std::size_t longest = 0;
    double most = costs.seconds_of(kinds.front());
    for (std::size_t i = 1; i < kinds.size(); ++i)
        if (const double seconds = costs.seconds_of(kinds[i]); seconds > most) {
            most = seconds;
            longest = i;
        }
    return longest;
}

} // namespace

RankCosts::RankCosts(const Plan &plan, const LayerCosts &layers, bool recomputed)
    : m_embedding(layers.embedding())
    , m_tied_copy(plan.model.tied_embeddings ? layers.tied_copy() : RankParameters{}) {
    m_blocks.reserve(plan.model.blocks.size());
    for (std::size_t i = 0; i < plan.model.blocks.size(); ++i) {
        const LayerCost &cost = recomputed ? layers.of_block(i).recomputed : layers.of_block(i).stored;
        m_blocks.push_back({.cost = cost, .seconds = cost.seconds()});
    }
    add_head(plan, layers, m_head);
    m_head_seconds = m_head.seconds();
    for (const LayerRun &run : plan.model.layers)
        m_all.add(m_blocks[static_cast<std::size_t>(run.block)].cost, static_cast<double>(run.count));
    m_all += m_embedding;
    m_all += m_head;
}

LayerCost RankCosts::of(const RankKind &kind) const {
    LayerCost cost;
    for (std::size_t i = 0; i < kind.layers.size(); ++i)
        cost.add(m_blocks[i].cost, kind.layers[i]);
    if (kind.embedding)
        cost += m_embedding;
    if (kind.head)
        cost += m_head;
    if (kind.head && !kind.embedding)
        cost.parameters += m_tied_copy;
    return cost;
}

double RankCosts::seconds_of(const RankKind &kind) const {
    double seconds = kind.head ? m_head_seconds : 0;
    for (std::size_t i = 0; i < kind.layers.size(); ++i)
        seconds += kind.layers[i] * m_blocks[i].seconds;
    return seconds;
}

LongestRank::LongestRank(const Plan &plan, const RankCosts &costs, const StageRuns &runs, double hop, double straggler)
    : m_kind(longest_of(runs.fullest, costs))
    , m_cost(costs.of(runs.fullest[m_kind])) {
    if (runs.both_ways)
        pass_one_of_two(m_cost);
    LayerCost others = costs.all();
    if (plan.parallelism.pipeline > 1)
        others.add(m_cost, -1);
    m_shape = shape_beside(plan, others, hop);
    m_shape.group = interleaving_group(m_shape.stages, m_shape.microbatches);
    m_seconds = passes_of_rank(plan, m_cost, straggler, Pairing::alone).total();
    m_paired_seconds = passes_of_rank(plan, m_cost, straggler, Pairing::paired).total();
}

double LongestRank::pipeline_seconds(const Plan &plan) const {
    PipelineShape shape = m_shape;
    shape.schedule = plan.parallelism.schedule;
    shape.chunks = plan.parallelism.chunks;
    shape.group = plan.parallelism.group.value_or(m_shape.group);
    return (pairing_of(plan) == Pairing::paired ? m_paired_seconds : m_seconds) + bubble_seconds(shape)
        + send_seconds(shape, plan.stack.overlaps_pipeline_sends);
}

double LongestRank::unoverlapped_seconds(const Plan &plan, const LayerCosts &layers, const DataRings &rings,
                                         const Assumptions &assumed) const {
    return meshwright::unoverlapped_seconds(plan, layers, rings, m_cost, assumed);
}

} // namespace meshwright

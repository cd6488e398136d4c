// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/step_model.h"

#include "formulas/offload.h"
#include "formulas/preset_property.h"
#include "formulas/rank_memory.h"
#include "formulas/step_terms.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

Pairing pairing_of(const Plan &plan) {
    return definition_of(plan.parallelism.schedule).pairs_passes ? Pairing::paired : Pairing::alone;
}

template <Number N>
N exposed_expert_seconds(const Plan &plan, const BasicLayerCost<N> &cost, Pairing pairing) {
    const N exposed = cost.expert.total();
    return pairing == Pairing::alone || value_of(exposed) == 0
        ? exposed
        : formula::paired_exchange_seconds(exposed,
                                           stack_property<N>(plan.stack, "expert_overlap", "overlap",
                                                             "overlapped fraction", plan.stack.expert_overlap,
                                                             Quantity::share),
                                           cost.seconds() - exposed);
}

template <Number N>
N hidden_expert_share(const Plan &plan, const BasicLayerCost<N> &cost, Pairing pairing) {
    if (pairing == Pairing::alone || !(cost.expert.total() > 0))
        return 0;
    return label(1 - exposed_expert_seconds(plan, cost, pairing) / cost.expert.total(),
                 {"hidden", "hidden fraction of expert-parallel communication", Quantity::share,
                  "two microbatches on a rank hide part of each other's expert communication"});
}
template double hidden_expert_share(const Plan &, const LayerCost &, Pairing);

template <Number N>
BasicStepSeconds<N> passes_of_rank(const Plan &plan, const BasicLayerCost<N> &rank, const N &straggler,
                                   Pairing pairing) {
    const N microbatches = microbatches_of<N>(plan);
    const auto every = [&](const N &seconds, const N &factor) {
        return value_of(seconds) == 0 ? N(0) : formula::microbatched_seconds(microbatches, seconds, factor);
    };
    BasicStepSeconds<N> step;
    step.copies = label(every(rank.copies.total(), 1),
                        {"copies", "waiting for activations in host memory", Quantity::seconds, {}});
    step.compute = every(rank.compute_seconds(), straggler) + step.copies;
    step.recompute = every(rank.recompute_seconds, straggler);
    step.tensor = every(rank.tensor.total(), 1);
    step.context = every(rank.context.total(), 1);
    step.expert = every(exposed_expert_seconds(plan, rank, pairing), 1);
    return step;
}
template StepSeconds passes_of_rank(const Plan &, const LayerCost &, const double &, Pairing);
template BasicStepSeconds<Traced> passes_of_rank(const Plan &, const BasicLayerCost<Traced> &, const Traced &, Pairing);

template <Number N>
N straggler_of(const Plan &plan, const Assumptions &assumptions) {
    return formula::straggler_factor(
        constant<N>(ConstantId::straggler_per_doubling, assumptions[ConstantId::straggler_per_doubling]),
        site_accelerators<N>(plan));
}
template double straggler_of(const Plan &, const Assumptions &);
template Traced straggler_of(const Plan &, const Assumptions &);

template <Number N>
BasicDataLoad<N> data_load(const Plan &plan, const BasicLayerCost<N> &rank) {
    const BasicExposedSeconds<N> &expert = rank.expert;
    const N hidden = hidden_expert_share(plan, rank, pairing_of(plan));
    return {.parameters = rank.parameters,
            .forward_seconds = rank.whole_forward_seconds() - hidden * expert.forward,
            .backward_seconds = rank.backward_seconds() - hidden * (expert.backward + expert.recompute)};
}
template DataLoad data_load(const Plan &, const LayerCost &);
template BasicDataLoad<Traced> data_load(const Plan &, const BasicLayerCost<Traced> &);

namespace {

StepSeconds step_of_rank(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, std::size_t index) {
    const LayerCost &rank = costs.ranks[index].cost;
    const PipelineShape shape = pipeline_shape(plan, layers, costs, index);
    StepSeconds step = passes_of_rank(plan, rank, straggler_of<double>(plan, assumptions), pairing_of(plan));
    step.rank = step.apart_rank = index;
    step.bubble = bubble_seconds(shape);
    step.pipeline = send_seconds(shape, plan.stack.overlaps_pipeline_sends);
    step.makespan = step.total();
    step.idle = formula::waiting_seconds(step.bubble, step.pipeline);
    const DataRings rings = data_rings(plan, layers);
    const DataLoad load = data_load(plan, rank);
    step.data = DataTraffic(plan, layers, rings, load, assumptions).exposed_seconds();
    step.optimizer = optimizer_seconds(plan, layers, rings, stage_copies(plan), rank.parameters, assumptions);
    return step;
}

bool are_alike(const RankCost &a, const RankCost &b) {
    return a.seconds() == b.seconds() && a.cost.parameters.dense == b.cost.parameters.dense
        && a.cost.parameters.experts == b.cost.parameters.experts;
}

/// The step of the rank with the longest `part`; if several ranks tie, the step of the first one.
template <typename Part>
StepSeconds longest_step(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, const Part &part) {
    StepSeconds longest = step_of_rank(plan, layers, costs, assumptions, 0);
    for (std::size_t rank = 1; rank < costs.ranks.size(); ++rank) {
        if (are_alike(costs.ranks[rank], costs.ranks[rank - 1]))
            continue;
        StepSeconds step = step_of_rank(plan, layers, costs, assumptions, rank);
        if (part(step) > part(longest))
            longest = step;
    }
    return longest;
}

} // namespace

double unoverlapped_seconds(const Plan &plan, const LayerCosts &layers, const DataRings &rings, const LayerCost &rank,
                            const Assumptions &assumptions) {
    const DataLoad load = data_load(plan, rank);
    return DataTraffic(plan, layers, rings, load, assumptions).exposed_seconds()
        + optimizer_seconds(plan, layers, rings, stage_copies(plan), rank.parameters, assumptions);
}

RankCollectives rank_collectives(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                 const Assumptions &assumptions, std::size_t rank) {
    const DataRings rings = data_rings(plan, layers);
    const DataLoad load = data_load(plan, costs.ranks[rank].cost);
    return DataTraffic(plan, layers, rings, load, assumptions).collectives();
}

StepSeconds step_seconds(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, SpanBubble span) {
    StepSeconds longest =
        longest_step(plan, layers, costs, assumptions, [](const StepSeconds &step) { return step.total(); });
    if (span == SpanBubble::computed)
        longest.span_idle = formula::waiting_seconds(
            span_bubble_seconds(pipeline_shape(plan, layers, costs, longest.rank)), longest.pipeline);
    return longest;
}

StepSeconds step_of_longest_unoverlapped(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                         const Assumptions &assumptions) {
    return longest_step(plan, layers, costs, assumptions,
                        [](const StepSeconds &step) { return step.data + step.optimizer; });
}

} // namespace meshwright

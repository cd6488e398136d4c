// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"
#include "pipeline/timeline.h"

#include <optional>

namespace meshwright {

/// Seconds of one optimizer step of one site, as terms that add up. Times are those of the pipeline rank that ends
/// last, its share of the gradients and of the optimizer included; what it waits for is bubble, what it sends in plain
/// sight is the exposed term of its dimension.
struct StepSeconds {
    double compute = 0; ///< kernels, host time, imbalance between stages, stragglers, copies to host memory
    double copies = 0; ///< of it, waiting for activations on their way to host memory, or back
    double recompute = 0;
    double bubble = 0;
    double tensor = 0;
    double context = 0;
    double expert = 0;
    double pipeline = 0;
    double data = 0;
    double optimizer = 0;
    std::size_t rank = 0; ///< whose times these are
    std::size_t apart_rank = 0; ///< whose data and optimizer terms: another one where the pipeline is executed
    double makespan = 0; ///< of the pipeline alone
    double idle = 0; ///< what the busiest rank waits until the last one ends; no term, as the next
    double span_idle = 0; ///< what it waits between its own first and last operation
    std::optional<double> closed_form_makespan; ///< where the pipeline is executed: what the closed forms give

    double total() const {
        return compute + recompute + bubble + tensor + context + expert + pipeline + data + optimizer;
    }
};

/// What the data term of a rank is made of, in seconds: collectives, and the passes of a microbatch beside them.
struct DataParts {
    double reduce = 0; ///< all gradients, once
    double gather = 0; ///< all weights, once
    double forward = 0; ///< of one microbatch, of its expert traffic what is seen
    double backward = 0;
    double forward_window = 0; ///< of the passes, what hides traffic
    double backward_window = 0;
};
DataParts data_parts(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                     const Assumptions &assumptions, std::size_t rank);

/// Whether two microbatches run side by side on a rank, so that the expert traffic of one hides behind the other.
enum class Pairing { alone, paired };
Pairing pairing_of(const Plan &plan);
/// What is seen of a microbatch's expert traffic on a rank.
double seen_expert_seconds(const Plan &plan, const LayerCost &cost, Pairing pairing);

/// What the passes of its microbatches take a rank: compute, recomputation and what it sends in plain sight, no wait.
/// @param rank  costs of one microbatch @param straggler  see formula::straggler_factor
StepSeconds passes_of_rank(const Plan &plan, const LayerCost &rank, double straggler, Pairing pairing);

/// Rings in which gradients and weights go round among the ranks that share them (ZeRO), of any rank.
struct DataRings {
    Network::Ring dense;
    Network::Ring experts;
};
/// Of the plan's layout; without ZeRO there are none.
DataRings data_rings(const Plan &plan, const LayerCosts &layers);

/// The data and optimizer terms of one rank: what a step takes beside its pipeline. @param rings  of the plan's layout
double unoverlapped_seconds(const Plan &plan, const LayerCosts &layers, const DataRings &rings, const LayerCost &rank,
                            const Assumptions &assumptions);

/// The data term of a rank collective by collective, with what is hidden of each.
RankCollectives rank_collectives(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                 const Assumptions &assumptions, std::size_t rank);

/// The step by the closed forms of its schedule, which take the mean stage: what a search compares. What is no term
/// costs more than all terms where a schedule has no closed form for it: a search leaves it out.
enum class SpanBubble { worked_out, left_out };
StepSeconds step_seconds(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, SpanBubble span = SpanBubble::worked_out);

/// The same of the rank with most to do beside its pipeline, which a step waits for where the pipelines of all ranks
/// take one time.
StepSeconds step_of_longest_apart(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                  const Assumptions &assumptions);

} // namespace meshwright

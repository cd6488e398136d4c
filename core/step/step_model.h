// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"
#include "pipeline/timeline.h"
#include "step/data_traffic.h"

#include <optional>

namespace meshwright {

/// Time of one optimizer step of one site in seconds, as terms that add up to the total. The times are those of the
/// pipeline rank that ends last, including its gradient communication and its optimizer step. Its waiting time is the
/// bubble; its exposed communication is in the terms of the parallel dimensions.
template <Number N>
struct BasicStepSeconds {
    N compute = 0; ///< kernels, host time, stage imbalance, stragglers, activation offloading
    N copies = 0; ///< part of compute: waiting for activations on their way to or from host memory
    N recompute = 0;
    N bubble = 0;
    N tensor = 0;
    N context = 0;
    N expert = 0;
    N pipeline = 0;
    N data = 0;
    N optimizer = 0;
    std::size_t rank = 0; ///< index of the rank with these times
    /// Index of the rank whose data and optimizer terms are used. It may differ from `rank` if the pipeline is
    /// executed.
    std::size_t apart_rank = 0;
    double makespan = 0; ///< makespan of the pipeline alone
    double idle = 0; ///< idle time of the busiest rank within the makespan; not part of total()
    double span_idle = 0; ///< idle time of the busiest rank between its first and last operation; not part of total()
    std::optional<double> closed_form_makespan; ///< makespan by the closed forms, if the pipeline is executed

    N total() const { return compute + recompute + bubble + tensor + context + expert + pipeline + data + optimizer; }
};
using StepSeconds = BasicStepSeconds<double>;

/// Whether two microbatches are paired on a rank, so that the expert communication of one overlaps with compute of the
/// other.
enum class Pairing { alone, paired };
Pairing pairing_of(const Plan &plan);
template <Number N>
N exposed_expert_seconds(const Plan &plan, const BasicLayerCost<N> &cost, Pairing pairing);
/// Fraction of expert communication that two paired microbatches hide behind each other's compute.
template <Number N>
N hidden_expert_share(const Plan &plan, const BasicLayerCost<N> &cost, Pairing pairing);

/// Time of the forward and backward passes of all microbatches on a rank: compute, recomputation and exposed
/// communication, without idle time.
/// @param rank costs per microbatch
template <Number N>
BasicStepSeconds<N> passes_of_rank(const Plan &plan, const BasicLayerCost<N> &rank, const N &straggler,
                                   Pairing pairing);
/// Slowdown from waiting for the slowest of a site's accelerators.
template <Number N>
N straggler_of(const Plan &plan, const Assumptions &assumptions);

/// What a rank sends and its passes, with only the exposed part of their expert communication.
template <Number N>
BasicDataLoad<N> data_load(const Plan &plan, const BasicLayerCost<N> &rank);

/// The data and optimizer terms of one rank, which are the part of a step outside the pipeline.
/// @param rings rings of the plan's configuration
double unoverlapped_seconds(const Plan &plan, const LayerCosts &layers, const DataRings &rings, const LayerCost &rank,
                            const Assumptions &assumptions);

/// The collectives in a rank's data term, each with its total and its exposed time.
RankCollectives rank_collectives(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                 const Assumptions &assumptions, std::size_t rank);

/// Step time for the mean stage by the closed forms of its schedule, as used in searches. Searches omit values that are
/// not terms: without a closed form, these take longer to calculate than all terms together.
enum class SpanBubble { computed, left_out };
StepSeconds step_seconds(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, SpanBubble span = SpanBubble::computed);

/// Step time of the rank with the longest data and optimizer terms. The step waits for this rank if all ranks'
/// pipelines take the same time.
StepSeconds step_of_longest_unoverlapped(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                         const Assumptions &assumptions);

} // namespace meshwright

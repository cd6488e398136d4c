// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/step_model.h"

#include "formulas/offload.h"
#include "formulas/rank_memory.h"
#include "formulas/step_terms.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

Pairing pairing_of(const Plan &plan) {
    return definition_of(plan.parallelism.schedule).pairs_passes ? Pairing::paired : Pairing::alone;
}

double exposed_expert_seconds(const Plan &plan, const LayerCost &cost, Pairing pairing) {
    const double exposed = cost.expert.total();
    return pairing == Pairing::alone
        ? exposed
        : formula::paired_exchange_seconds(exposed, plan.stack.expert_overlap, cost.seconds() - exposed);
}

StepSeconds passes_of_rank(const Plan &plan, const LayerCost &rank, double straggler, Pairing pairing) {
    const auto microbatches = static_cast<double>(plan.microbatches());
    const auto every = [microbatches](double seconds, double factor) {
        return formula::microbatched_seconds(microbatches, seconds, factor);
    };
    StepSeconds step;
    step.copies = every(rank.copies.total(), 1);
    step.compute = every(rank.compute_seconds(), straggler) + step.copies;
    step.recompute = every(rank.recompute_seconds, straggler);
    step.tensor = every(rank.tensor.total(), 1);
    step.context = every(rank.context.total(), 1);
    step.expert = every(exposed_expert_seconds(plan, rank, pairing), 1);
    return step;
}

namespace {

class DataTraffic {
public:
    DataTraffic(const Plan &plan, const LayerCosts &layers, const DataRings &rings, const LayerCost &rank,
                const Assumptions &assumed)
        : m_plan(plan)
        , m_layers(layers)
        , m_rings(rings)
        , m_rank(rank)
        , m_assumed(assumed)
        , m_shards(shard_groups_of(plan, layers.groups()))
        , m_microbatches(static_cast<double>(plan.microbatches())) {
        const ExposedSeconds &expert = rank.expert;
        const double hidden =
            expert.total() > 0 ? 1 - exposed_expert_seconds(plan, rank, pairing_of(plan)) / expert.total() : 0;
        m_forward_seconds = rank.whole_forward_seconds() - hidden * expert.forward;
        m_backward_seconds = rank.backward_seconds() - hidden * (expert.backward + expert.recompute);
    }

    double exposed_seconds() const {
        if (m_plan.parallelism.zero_stage >= 3)
            return fully_sharded();
        return m_plan.parallelism.zero_stage == 2 ? sharded_gradients() : once_a_step();
    }

    RankCollectives collectives() const {
        RankCollectives of;
        const int stage = static_cast<int>(m_plan.parallelism.zero_stage);
        if (stage >= 3) {
            if (keeps_gathered_weights(m_plan)) {
                of.gather_seconds = gather(weight_bytes());
                of.gather_exposed_seconds = gathered_first();
                of.reduce_seconds = reduce_scatter(gradient_bytes());
                of.reduce_exposed_seconds = fully_sharded() - of.gather_exposed_seconds;
                return of;
            }
            of.forward_seconds = gather(weight_bytes());
            const double reduce = reduce_scatter(gradient_bytes());
            if (adds_gradients_up(m_plan)) {
                of.backward_seconds = of.forward_seconds;
                of.reduce_seconds = reduce;
                of.reduce_exposed_seconds = reduced_last();
            } else {
                of.backward_seconds = of.forward_seconds + reduce;
            }
            of.passes_exposed_seconds = fully_sharded() - of.reduce_exposed_seconds;
            return of;
        }
        const double reduce = stage == 0 ? all_reduce(gradient_bytes()) : reduce_scatter(gradient_bytes());
        if (stage == 2) {
            of.backward_seconds = reduce;
            of.microbatches_a_reduction = microbatches_a_reduction(m_plan);
            of.passes_exposed_seconds = reductions() * exposed_reduction(reduce, reduction_window());
        } else {
            of.reduce_seconds = reduce;
            of.reduce_exposed_seconds = exposed_reduction(reduce, window(m_backward_seconds));
        }
        of.gather_seconds = stage == 0 ? 0 : gather_updated();
        of.gather_exposed_seconds = exposed_gather(of.gather_seconds);
        return of;
    }

    DataParts parts() const {
        const double bytes = gradient_bytes();
        return {.reduce = m_plan.parallelism.zero_stage == 0 ? all_reduce(bytes) : reduce_scatter(bytes),
                .gather = m_plan.parallelism.zero_stage == 0 ? 0
                    : m_plan.parallelism.zero_stage < 3      ? gather_updated()
                                                             : gather(weight_bytes()),
                .forward = m_forward_seconds,
                .backward = m_backward_seconds,
                .forward_window = window(m_forward_seconds),
                .backward_window = window(m_backward_seconds)};
    }

private:
    const RankParameters &parameters() const { return m_rank.parameters; }

    /// Time to gather or scatter weights among the ranks that shard them.
    double gather(double bytes_per_parameter) const {
        return gather(m_rings.dense, parameters().dense * bytes_per_parameter)
            + gather(m_rings.experts, parameters().experts * bytes_per_parameter);
    }

    double gather(const Network::Ring &ring, double bytes) const {
        return m_layers.network().ring_gather_seconds(ring, bytes, pieces(bytes));
    }

    /// Time to gather updated weights among the ranks that shard their optimizer states.
    double gather_updated() const {
        const auto at_once = [&](const Network::Ring &ring, double count) {
            return m_layers.network().ring_gather_seconds(ring, count * weight_bytes(), 1);
        };
        return m_plan.stack.gathers_weights_at_once
            ? at_once(m_rings.dense, parameters().dense) + at_once(m_rings.experts, parameters().experts)
            : gather(weight_bytes());
    }

    /// Time of a reduce-scatter of gradients and, with hybrid sharding, of an all-reduce of each shard across its
    /// replicas.
    double reduce_scatter(double bytes_per_parameter) const {
        const Groups &groups = m_layers.groups();
        return gather(bytes_per_parameter)
            + reduce_copies(groups.data, m_shards.dense, parameters().dense * bytes_per_parameter)
            + reduce_copies(groups.expert_data, m_shards.experts, parameters().experts * bytes_per_parameter);
    }

    /// Number of collectives that send the bytes: one per bucket.
    double pieces(double bytes) const { return std::max(1.0, std::ceil(bytes / m_plan.stack.bucket_bytes)); }

    double reduce_copies(Group group, double shards, double bytes) const {
        const auto members = static_cast<std::int64_t>(shards);
        const Group copies{.members = group.members / members, .stride = group.stride * members};
        return m_layers.network().all_reduce_seconds(copies, bytes / shards, pieces(bytes / shards));
    }

    double all_reduce(double bytes_per_parameter) const {
        const Groups &groups = m_layers.groups();
        const double dense = parameters().dense * bytes_per_parameter;
        const double experts = parameters().experts * bytes_per_parameter;
        return m_layers.network().all_reduce_seconds(groups.data, dense, pieces(dense))
            + m_layers.network().all_reduce_seconds(groups.expert_data, experts, pieces(experts));
    }

    double gradient_bytes() const { return bytes_of(m_plan.precision.gradients); }
    double weight_bytes() const { return formula::sent_weight_bytes(bytes_of(m_plan.precision.weights)); }

    /// Exposed time of communication that starts during the last backward pass: the part that exceeds the overlap
    /// window, but at least a fixed fraction of the total.
    double exposed(double traffic, double window) const {
        return m_plan.stack.data_overlap
            ? formula::exposed_beyond_window(traffic, window, m_plan.stack.data_exposed_share)
            : traffic;
    }

    /// Exposed time of gradient reduction; the whole time if the stack does not overlap the reduce-scatter.
    double exposed_reduction(double traffic, double window) const {
        return m_plan.parallelism.zero_stage == 0 || m_plan.stack.overlaps_gradient_scatter ? exposed(traffic, window)
                                                                                            : traffic;
    }

    /// Exposed time of gathering updated weights; the whole time if the optimizer step waits for them.
    double exposed_gather(double traffic) const {
        return m_plan.stack.overlaps_weight_gather ? exposed(traffic, window(m_forward_seconds)) : traffic;
    }
    double exposed_update_gather() const { return exposed_gather(gather_updated()); }

    /// Compute that overlaps with communication: backward passes with gradient reduction, forward passes with weight
    /// gathering. Without chunks, this is a fixed fraction of one microbatch's pass; with chunks, half of the passes of
    /// a round of microbatches.
    double window(double pass_seconds) const {
        if (m_plan.layer_chunks() > 1)
            return formula::chunk_window_seconds(pass_seconds, m_microbatches,
                                                 static_cast<double>(m_plan.parallelism.pipeline));
        return formula::pass_window_seconds(pass_seconds, m_assumed[ConstantId::gradient_window_share]);
    }

    double once_a_step() const {
        const double backward = window(m_backward_seconds);
        if (m_plan.parallelism.zero_stage == 0)
            return exposed(all_reduce(gradient_bytes()), backward);
        return exposed_reduction(reduce_scatter(gradient_bytes()), backward) + exposed_update_gather();
    }

    /// Exposed time with ZeRO-2. Gradients are reduced several times per step, because each rank stores only a shard of
    /// them.
    double sharded_gradients() const {
        return formula::repeated_seconds(reductions(),
                                         exposed_reduction(reduce_scatter(gradient_bytes()), reduction_window()),
                                         exposed_update_gather());
    }

    bool reduces_every_microbatch() const { return microbatches_a_reduction(m_plan) == 1; }
    double reductions() const {
        return formula::reductions_a_step(m_microbatches, static_cast<double>(microbatches_a_reduction(m_plan)));
    }

    /// The reduction for one microbatch overlaps with its own backward pass and with half of the next forward pass;
    /// weight gathering may use the other half. The reduction for a round of microbatches overlaps with the next
    /// chunk's passes.
    double reduction_window() const {
        const double once = window(m_backward_seconds);
        return reduces_every_microbatch()
            ? formula::reduction_window_seconds(m_backward_seconds, m_forward_seconds, once)
            : once;
    }

    /// ZeRO-3 gathers weights for the forward and the backward pass of every microbatch, layer by layer with
    /// prefetching. The first layer's gathering and a fraction of the smaller of communication and compute are exposed.
    /// Gradients are reduced during every backward pass, or only during the last. With a pipeline, a stack may gather
    /// and reduce only once per step.
    double fully_sharded() const {
        if (keeps_gathered_weights(m_plan))
            return gathered_first() + reduced_alone();
        const double gathered = gather(weight_bytes());
        const double weights = parameters().total() * weight_bytes();
        const bool at_once = adds_gradients_up(m_plan);
        const double backward =
            at_once ? exposed_behind(m_backward_seconds, gathered, weights) : backward_with_gradients();
        return formula::repeated_seconds(m_microbatches,
                                         exposed_behind(m_forward_seconds, gathered, weights) + backward,
                                         at_once ? reduced_last() : 0);
    }

    /// Exposed time of gathering weights once per step, during the first forward pass.
    double gathered_first() const {
        return exposed_behind(m_forward_seconds, gather(weight_bytes()), parameters().total() * weight_bytes());
    }

    /// Exposed time of reducing gradients during a backward pass that gathers no weights.
    double reduced_alone() const {
        const double each = gradient_bytes();
        return exposed_behind(m_backward_seconds, reduce_scatter(each), parameters().total() * each);
    }

    /// Exposed time that gradient reduction adds to the last backward pass.
    double reduced_last() const {
        return backward_with_gradients()
            - exposed_behind(m_backward_seconds, gather(weight_bytes()), parameters().total() * weight_bytes());
    }

    double backward_with_gradients() const {
        const double each = gradient_bytes();
        return exposed_behind(m_backward_seconds, gather(weight_bytes()) + reduce_scatter(each),
                              parameters().total() * (weight_bytes() + each));
    }

    double exposed_behind(double pass, double traffic, double bytes) const {
        const double layers = std::max(
            1.0, static_cast<double>(m_plan.model.layer_count()) / static_cast<double>(m_plan.parallelism.pipeline));
        return formula::sharded_pass_seconds(
            pass, traffic, layers, m_plan.stack.sharded_exposed_share,
            formula::busy_links_seconds(traffic, bytes, m_layers.network().link_bandwidth()));
    }

    const Plan &m_plan;
    const LayerCosts &m_layers;
    DataRings m_rings;
    const LayerCost &m_rank;
    const Assumptions &m_assumed;
    ShardGroups m_shards;
    double m_microbatches;
    double m_forward_seconds; ///< time of one microbatch; expert communication counts only where exposed
    double m_backward_seconds;
};

double optimizer_seconds(const Plan &plan, const LayerCosts &layers, const RankParameters &parameters,
                         const Assumptions &assumed) {
    const ShardGroups shards = shard_groups_of(plan, layers.groups());
    const bool sharded = plan.parallelism.zero_stage >= 1;
    const double updated = sharded ? formula::updated_parameters(parameters.dense, parameters.experts, shards.dense,
                                                                 shards.experts, stage_copies(plan))
                                   : parameters.total();
    const double each = assumed[ConstantId::optimizer_bytes_per_parameter];
    const double on_device = formula::optimizer_seconds(
        updated * (1 - plan.offload.optimizer), each, layers.device().memory_bytes_per_second(),
        layers.device().kernel_gap_seconds(), plan.stack.step_seconds, layers.step_sums_seconds());
    if (plan.offload.optimizer <= 0)
        return on_device;
    return on_device
        + formula::host_update_seconds(updated * plan.offload.optimizer, each, bytes_of(plan.precision.gradients),
                                       formula::sent_weight_bytes(bytes_of(plan.precision.weights)),
                                       layers.host_link_rate(), layers.host_update_rate());
}

StepSeconds step_of_rank(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, std::size_t index) {
    const LayerCost &rank = costs.ranks[index].cost;
    const PipelineShape shape = pipeline_shape(plan, layers, costs, index);
    const double straggler = formula::straggler_factor(assumptions[ConstantId::straggler_per_doubling],
                                                       static_cast<double>(plan.site_accelerators()));
    StepSeconds step = passes_of_rank(plan, rank, straggler, pairing_of(plan));
    step.rank = step.apart_rank = index;
    step.bubble = bubble_seconds(shape);
    step.pipeline = send_seconds(shape, plan.stack.overlaps_pipeline_sends);
    step.makespan = step.total();
    step.idle = formula::waiting_seconds(step.bubble, step.pipeline);
    step.data = DataTraffic(plan, layers, data_rings(plan, layers), rank, assumptions).exposed_seconds();
    step.optimizer = optimizer_seconds(plan, layers, rank.parameters, assumptions);
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

DataParts data_parts(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                     const Assumptions &assumptions, std::size_t rank) {
    return DataTraffic(plan, layers, data_rings(plan, layers), costs.ranks[rank].cost, assumptions).parts();
}

DataRings data_rings(const Plan &plan, const LayerCosts &layers) {
    if (plan.parallelism.zero_stage == 0)
        return {};
    const Groups &groups = layers.groups();
    const ShardGroups shards = shard_groups_of(plan, groups);
    const auto ring = [&](Group group, double members) {
        group.members = static_cast<std::int64_t>(members);
        return layers.network().ring_of(group);
    };
    return {.dense = ring(groups.data, shards.dense), .experts = ring(groups.expert_data, shards.experts)};
}

double unoverlapped_seconds(const Plan &plan, const LayerCosts &layers, const DataRings &rings, const LayerCost &rank,
                            const Assumptions &assumptions) {
    return DataTraffic(plan, layers, rings, rank, assumptions).exposed_seconds()
        + optimizer_seconds(plan, layers, rank.parameters, assumptions);
}

RankCollectives rank_collectives(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                                 const Assumptions &assumptions, std::size_t rank) {
    return DataTraffic(plan, layers, data_rings(plan, layers), costs.ranks[rank].cost, assumptions).collectives();
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/step_model.h"

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

/// DualPipe runs one microbatch's forward beside another's backward pass, so that expert traffic hides behind both;
/// what is left is the longer of the two and a ninth for the seams (DeepSeek-V3's published training trace).
double seen_expert_seconds(const Plan &plan, const LayerCost &cost) {
    constexpr double seam = 0.09;
    const double seen = cost.expert.total();
    if (plan.parallelism.schedule != Schedule::dualpipe && plan.parallelism.schedule != Schedule::dualpipe_v)
        return seen;
    const double traffic = seen / std::max(0.05, 1 - plan.stack.expert_overlap);
    const double rest = cost.seconds() - seen;
    return std::min(seen, std::max(0.0, (1 + seam) * std::max(rest, traffic) - rest));
}

/// Gradient reduction and weight gathering of the busiest rank.
class DataTraffic {
public:
    DataTraffic(const Plan &plan, const LayerCosts &layers, const RankCost &rank, const Assumptions &assumed)
        : m_plan(plan)
        , m_layers(layers)
        , m_rank(rank)
        , m_assumed(assumed)
        , m_shards(shard_groups_of(plan))
        , m_microbatches(static_cast<double>(plan.microbatches())) {
        const ExposedSeconds &expert = rank.cost.expert;
        const double hidden = expert.total() > 0 ? 1 - seen_expert_seconds(plan, rank.cost) / expert.total() : 0;
        m_forward_seconds = rank.cost.whole_forward_seconds() - hidden * expert.forward;
        m_backward_seconds = rank.cost.backward_seconds() - hidden * (expert.backward + expert.recompute);
    }

    double exposed_seconds() const {
        if (m_plan.parallelism.zero_stage >= 3)
            return fully_sharded();
        return m_plan.parallelism.zero_stage == 2 ? sharded_gradients() : once_a_step();
    }

private:
    const RankParameters &parameters() const { return m_rank.cost.parameters; }

    /// Weights to or from the ranks that share them.
    double gather(double bytes_per_parameter) const {
        const Groups &groups = m_layers.groups();
        return gather(groups.data, m_shards.dense, parameters().dense * bytes_per_parameter)
            + gather(groups.expert_data, m_shards.experts, parameters().experts * bytes_per_parameter);
    }

    double gather(Group group, double shards, double bytes) const {
        group.members = static_cast<std::int64_t>(shards);
        return m_layers.network().all_gather_seconds(group, bytes);
    }

    /// Gradients to the ranks that share them, and of each share the sum over its copies (hybrid sharding).
    double reduce_scatter(double bytes_per_parameter) const {
        const Groups &groups = m_layers.groups();
        return gather(bytes_per_parameter)
            + reduce_copies(groups.data, m_shards.dense, parameters().dense * bytes_per_parameter)
            + reduce_copies(groups.expert_data, m_shards.experts, parameters().experts * bytes_per_parameter);
    }

    double reduce_copies(Group group, double shards, double bytes) const {
        const auto members = static_cast<std::int64_t>(shards);
        const Group copies{.members = group.members / members, .stride = group.stride * members};
        return m_layers.network().all_reduce_seconds(copies, bytes / shards);
    }

    double all_reduce(double bytes_per_parameter) const {
        const Groups &groups = m_layers.groups();
        return m_layers.network().all_reduce_seconds(groups.data, parameters().dense * bytes_per_parameter)
            + m_layers.network().all_reduce_seconds(groups.expert_data, parameters().experts * bytes_per_parameter);
    }

    double gradient_bytes() const { return bytes_of(m_plan.precision.gradients); }
    double weight_bytes() const { return std::min(2.0, bytes_of(m_plan.precision.weights)); }

    /// Traffic that starts while the last backward pass still runs: what does not fit beside it, and a share in any
    /// case.
    double beside(double traffic, double window) const {
        return m_plan.stack.data_overlap ? std::max(m_plan.stack.data_exposed_share * traffic, traffic - window)
                                         : traffic;
    }

    /// How much backward (forward) work stands beside the reduction (gathering): most of one microbatch's pass, with
    /// chunks half of a round of microbatches.
    double window(double pass_seconds) const {
        if (m_plan.layer_chunks() > 1)
            return 0.5 * std::min(m_microbatches, static_cast<double>(m_plan.parallelism.pipeline)) * pass_seconds;
        return m_assumed[ConstantId::gradient_window_share] * pass_seconds;
    }

    double once_a_step() const {
        const double backward = window(m_backward_seconds);
        if (m_plan.parallelism.zero_stage == 0)
            return beside(all_reduce(gradient_bytes()), backward);
        return beside(reduce_scatter(gradient_bytes()), backward)
            + beside(gather(weight_bytes()), window(m_forward_seconds));
    }

    /// ZeRO-2 keeps one shard of the gradients, so that every microbatch is reduced: beside its own backward pass and
    /// the next forward pass, of which the gathering of weights may want the other half.
    double sharded_gradients() const {
        const double own = m_backward_seconds + m_forward_seconds / 2;
        return m_microbatches * beside(reduce_scatter(gradient_bytes()), std::min(own, window(m_backward_seconds)))
            + beside(gather(weight_bytes()), window(m_forward_seconds));
    }

    /// ZeRO-3: weights are gathered for the forward and again for the backward pass of every microbatch, layer by layer
    /// ahead of use; the first layer's gathering and a share of the smaller of traffic and compute are seen.
    double fully_sharded() const {
        const double layers = std::max(
            1.0, static_cast<double>(m_plan.model.layer_count()) / static_cast<double>(m_plan.parallelism.pipeline));
        const double gathered = gather(weight_bytes());
        const double reduce = reduce_scatter(std::min(4.0, gradient_bytes()));
        const double share = m_plan.stack.sharded_exposed_share;
        const double traffic = gathered + reduce;
        const auto exposed = [&](double compute, double communication) {
            return std::max(0.0, communication - compute) + communication / layers
                + share * std::min(compute, communication) * (communication > 0 ? 1 : 0);
        };
        return m_microbatches * (exposed(m_forward_seconds, gathered) + exposed(m_backward_seconds, traffic));
    }

    const Plan &m_plan;
    const LayerCosts &m_layers;
    const RankCost &m_rank;
    const Assumptions &m_assumed;
    ShardGroups m_shards;
    double m_microbatches;
    double m_forward_seconds; ///< of one microbatch, of its expert traffic what is seen
    double m_backward_seconds;
};

double optimizer_seconds(const Plan &plan, const LayerCosts &layers, const RankParameters &parameters,
                         const Assumptions &assumed) {
    const ShardGroups shards = shard_groups_of(plan);
    const bool sharded = plan.parallelism.zero_stage >= 1;
    const double updated = sharded
        ? (parameters.dense / shards.dense + parameters.experts / shards.experts) / stage_copies(plan)
        : parameters.total();
    return layers.device().traffic_seconds(updated * assumed[ConstantId::optimizer_bytes_per_parameter])
        + plan.stack.step_seconds;
}

StepSeconds step_of_rank(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions, std::size_t index) {
    const RankCost &rank = costs.ranks[index];
    const PipelineShape shape = pipeline_shape(plan, layers, costs, index);
    const auto microbatches = static_cast<double>(plan.microbatches());
    const double doublings = std::log2(std::max(1.0, static_cast<double>(plan.site_accelerators()) / 8));
    const double straggler = 1 + assumptions[ConstantId::straggler_per_doubling] * doublings;
    StepSeconds step{.rank = index};
    step.compute = microbatches * rank.cost.compute_seconds() * straggler;
    step.recompute = microbatches * rank.cost.recompute_seconds * straggler;
    step.tensor = microbatches * rank.cost.tensor.total();
    step.context = microbatches * rank.cost.context.total();
    step.expert = microbatches * seen_expert_seconds(plan, rank.cost);
    step.bubble = bubble_seconds(shape);
    step.span_bubble = span_bubble_seconds(shape);
    step.pipeline = send_seconds(shape, plan.stack.overlaps_pipeline_sends);
    step.makespan = step.total();
    step.data = DataTraffic(plan, layers, rank, assumptions).exposed_seconds();
    step.optimizer = optimizer_seconds(plan, layers, rank.cost.parameters, assumptions);
    return step;
}

bool are_alike(const RankCost &a, const RankCost &b) {
    return a.seconds() == b.seconds() && a.cost.parameters.dense == b.cost.parameters.dense
        && a.cost.parameters.experts == b.cost.parameters.experts;
}

} // namespace

StepSeconds step_seconds(const Plan &plan, const LayerCosts &layers, const PipelineCosts &costs,
                         const Assumptions &assumptions) {
    StepSeconds longest = step_of_rank(plan, layers, costs, assumptions, 0);
    for (std::size_t rank = 1; rank < costs.ranks.size(); ++rank) {
        if (are_alike(costs.ranks[rank], costs.ranks[rank - 1]))
            continue;
        StepSeconds step = step_of_rank(plan, layers, costs, assumptions, rank);
        if (step.total() > longest.total())
            longest = step;
    }
    return longest;
}

} // namespace meshwright

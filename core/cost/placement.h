// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/network.h"
#include "formulas/traced.h"
#include "plan/plan.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace meshwright {

/// A plan's communication groups, in placement order. Dimensions are nested, innermost first. If the expert degree
/// exceeds tensor x context, expert groups also include some data-parallel ranks, which then belong to the expert
/// dimension instead of the data dimension.
template <Number N>
struct BasicGroups {
    BasicGroup<N> tensor;
    BasicGroup<N> context;
    BasicGroup<N> expert;
    BasicGroup<N> expert_tensor;
    BasicGroup<N> data; ///< group that reduces gradients of dense weights: data x context
    BasicGroup<N> expert_data; ///< group that reduces gradients of routed experts
    BasicGroup<N> pipeline;
    BasicGroup<N> site; ///< all accelerators of a site
};
using Groups = BasicGroups<double>;

template <Number N = double>
BasicGroups<N> groups_of(const Plan &plan);
template <Number N>
BasicGroup<N> group_of(const N &members, const N &stride) {
    const Group ranks{.members = static_cast<std::int64_t>(value_of(members)),
                      .stride = static_cast<std::int64_t>(value_of(stride))};
    if constexpr (std::same_as<N, double>)
        return ranks;
    else
        return {ranks, members, stride};
}

/// Number of ranks that shard the optimizer states (ZeRO) of dense weights and of routed experts. If states are sharded
/// only within a part of the data-parallel ranks (Megatron-Core, num_distributed_optimizer_instances; torchtitan,
/// HSDP), both numbers shrink by the same factor, because each expert-parallel group lies within one such part.
template <Number N>
struct BasicShardGroups {
    N dense = 1;
    N experts = 1;
    N copies = 1; ///< number of ranks that split a stage's optimizer update: stage_copies()
};
using ShardGroups = BasicShardGroups<double>;
template <Number N>
BasicShardGroups<N> shard_groups_of(const Plan &plan, const BasicGroups<N> &groups);
ShardGroups shard_groups_of(const Plan &plan);

/// Number of ranks in a pipeline that hold a copy of each stage: 2 in bidirectional schedules, otherwise 1.
template <Number N = double>
N stage_copies(const Plan &plan);

/// Number of microbatches for which a rank accumulates gradients before ZeRO-2 reduces them. In interleaved schedules,
/// a rank runs a chunk's backward passes of one microbatch group in a row; in breadth-first ones, those of all
/// microbatches. Until the last of these passes, it holds the chunk's gradients. Source: Breadth-First Pipeline
/// Parallelism, arXiv 2211.05953, section 4.
std::int64_t microbatches_a_reduction(const Plan &plan);

/// Whether pipeline ranks keep the weights gathered by ZeRO-3 until the end of the step. Source: torchtitan,
/// fsdp_reshard_after_forward: weights are never resharded with pipelines, which avoids an all-gather per microbatch.
bool keeps_gathered_weights(const Plan &plan);
/// Whether ranks accumulate unsharded gradients over a step's microbatches despite ZeRO, and reduce them with the last
/// microbatch. Source: PyTorch, FSDPModule.set_requires_gradient_sync (no_sync in FSDP1).
bool adds_gradients_up(const Plan &plan);

bool has_shards(const Plan &plan);

/// Number of slices per microbatch: 1 unless the schedule cuts sequences (Seq1F1B, arXiv 2406.03488).
template <Number N>
N slices_of(const Plan &plan) {
    return plan.cuts_sequences()
        ? read<N>(static_cast<double>(plan.parallelism.chunks),
                  {Origin::plan, "parts", "slices per microbatch", Quantity::count, "/parallelism/chunks"})
        : read<N>(1,
                  {Origin::plan, "parts", "slices per microbatch", Quantity::count, "/parallelism/schedule",
                   "the plan: the schedule does not cut sequences"});
}

template <Number N>
N pipeline_degree(const Plan &plan) {
    return read<N>(static_cast<double>(plan.parallelism.pipeline),
                   {Origin::plan, "pipeline", "pipeline stages", Quantity::count, "/parallelism/pipeline"});
}
/// A parallel degree of the plan, other than the pipeline's. @param which  its name in plans: "expert_tensor"
template <Number N>
N parallel_degree(std::int64_t degree, std::string_view which) {
    const auto ranks = static_cast<double>(degree);
    if constexpr (std::same_as<N, double>) {
        return ranks;
    } else {
        std::string title = std::string(which) + "-parallel ranks";
        std::replace(title.begin(), title.end(), '_', ' ');
        return read<N>(ranks, {Origin::plan, which, title, Quantity::count, "/parallelism/" + std::string(which)});
    }
}

/// Accelerators of one site.
template <Number N>
N site_accelerators(const Plan &plan) {
    const auto accelerators = static_cast<double>(plan.site_accelerators());
    if constexpr (std::same_as<N, double>)
        return accelerators;
    else
        return read<N>(accelerators,
                       {Origin::plan, "accelerators", "accelerators per site", Quantity::count,
                        "/cluster/tiers/" + std::to_string(plan.cluster.tiers.size() - 1) + "/accelerators"});
}

/// Number of microbatches per step on each data-parallel rank.
template <Number N>
N microbatches_of(const Plan &plan) {
    if constexpr (std::same_as<N, double>) {
        return static_cast<double>(plan.microbatches());
    } else {
        const auto field = [](std::int64_t value, std::string_view name, std::string_view title,
                              std::string_view place) {
            return read<N>(static_cast<double>(value), {Origin::plan, name, title, Quantity::count, place});
        };
        return label(
            field(plan.batch.global_sequences, "global_sequences", "sequences per step", "/batch/global_sequences")
                / (parallel_degree<N>(plan.parallelism.data, "data")
                   * field(plan.batch.micro_sequences, "micro_sequences", "sequences per microbatch",
                           "/batch/micro_sequences")),
            {"microbatches", "microbatches per step on each data-parallel rank", Quantity::count});
    }
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/runtime_memory.h"

#include "formulas/preset_property.h"
#include "formulas/rank_memory.h"

#include <algorithm>

namespace meshwright {

namespace {

using std::max;
using std::min;

/// Number of a rank's all-to-all peers in the same node; 0 without expert parallelism.
template <Number N>
N peers_in_node(const Plan &plan, const BasicLayerCosts<N> &layers) {
    const BasicGroup<N> &expert = layers.groups().expert;
    if (expert.members <= 1)
        return 0;
    return label(
        min(layers.network().members_in_node(expert),
            read<N>(static_cast<double>(plan.cluster.accelerators_per_node),
                    {Origin::plan, "node", "accelerators per node", Quantity::count, "/cluster/accelerators_per_node"}))
            - 1,
        {"peers", "all-to-all peers of a rank in its node", Quantity::count,
         "a rank sends to all others of its group"});
}

/// Communicators: one per parallel dimension, and one for all ranks.
template <Number N>
N communicators(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    N dimensions = 0;
    const auto add = [&](std::int64_t members, std::string_view name, std::string_view field) {
        if (members > 1)
            dimensions +=
                read<N>(1,
                        {Origin::plan, name, "1 for a parallel dimension with more than one member", Quantity::count,
                         field, "the plan: a dimension with more than one member communicates"});
    };
    add(parallelism.tensor, "tensor", "/parallelism/tensor");
    add(parallelism.context, "context", "/parallelism/context");
    add(parallelism.pipeline, "pipeline", "/parallelism/pipeline");
    add(parallelism.data, "data", "/parallelism/data");
    add(parallelism.expert, "expert", "/parallelism/expert");
    return formula::communicator_count(
        label(dimensions, {"dimensions", "parallel dimensions with more than one member", Quantity::count}));
}

} // namespace

template <Number N>
N allocator_reserve(const Plan &plan, const Assumptions &assumptions) {
    return label(
        min(stack_property<N>(plan.stack, "allocator_reserve_factor", "pool",
                              "allocator pool relative to allocated memory", plan.stack.allocator_reserve_factor)
                - 1,
            constant<N>(ConstantId::min_allocator_reserve, assumptions[ConstantId::min_allocator_reserve])),
        {"reserve", "minimum fragmentation as a fraction of activations and buffers", Quantity::share,
         "the allocator releases cached memory before it runs out"});
}
template double allocator_reserve<double>(const Plan &, const Assumptions &);
template Traced allocator_reserve<Traced>(const Plan &, const Assumptions &);

template <Number N>
N outside_bytes(const Plan &plan, const BasicLayerCosts<N> &layers) {
    const Stack &stack = plan.stack;
    return formula::outside_allocator(
        stack_property<N>(stack, "context_bytes", "context_bytes", "context of the driver and libraries",
                          stack.context_bytes, Quantity::bytes),
        communicators<N>(plan),
        stack_property<N>(stack, "communicator_bytes", "communicator_bytes", "bytes of buffers per communicator",
                          stack.communicator_bytes, Quantity::bytes),
        peers_in_node(plan, layers),
        stack_property<N>(stack, "peer_bytes", "peer_bytes", "bytes of all-to-all buffers per peer", stack.peer_bytes,
                          Quantity::bytes));
}
template double outside_bytes(const Plan &, const LayerCosts &);
template Traced outside_bytes(const Plan &, const BasicLayerCosts<Traced> &);

template <Number N>
N runtime_bytes(const Plan &plan, const Assumptions &assumptions, const N &outside, const N &transient) {
    const Accelerator &accelerator = plan.cluster.accelerator;
    return formula::runtime_bytes(outside,
                                  accelerator_property<N>(accelerator, "workspace_bytes", "workspace_bytes",
                                                          "workspace of GEMM libraries", accelerator.workspace_bytes,
                                                          Quantity::bytes),
                                  allocator_reserve<N>(plan, assumptions), transient);
}
template double runtime_bytes(const Plan &, const Assumptions &, const double &, const double &);
template Traced runtime_bytes(const Plan &, const Assumptions &, const Traced &, const Traced &);

template <Number N>
N reserved_bytes(const Plan &plan, const Assumptions &assumptions, const N &needed, const N &transient) {
    const Accelerator &accelerator = plan.cluster.accelerator;
    const N pool =
        label((stack_property<N>(plan.stack, "allocator_reserve_factor", "pool",
                                 "allocator pool relative to allocated memory", plan.stack.allocator_reserve_factor)
               - 1)
                  * transient,
              {"pool_bytes", "unused memory of a pool that has its full size", Quantity::bytes});
    const N least = label(allocator_reserve<N>(plan, assumptions) * transient,
                          {"least_bytes", "fragmentation that the stage's memory includes", Quantity::bytes});
    return max(
        needed,
        min(needed - least + pool,
            accelerator_property<N>(accelerator, "memory_bytes", "capacity", "memory capacity of the accelerator",
                                    accelerator.memory_bytes, Quantity::bytes)));
}
template double reserved_bytes(const Plan &, const Assumptions &, const double &, const double &);
template Traced reserved_bytes(const Plan &, const Assumptions &, const Traced &, const Traced &);

} // namespace meshwright

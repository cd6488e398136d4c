// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/kernels.h"
#include "formulas/preset_property.h"
#include "layers/layer_cost.h"

namespace meshwright {

namespace {

template <Number N>
N launched_seconds(const Plan &plan, const N &seconds) {
    const bool is_low = bytes_of(plan.precision.compute) < 2;
    return formula::layer_launch_seconds(
        seconds,
        read<N>(is_low ? 1 : 0,
                {Origin::plan, "low_precision", "1 if the compute format has fewer than 16 bits", Quantity::number,
                 "/precision/compute", "the plan: low precision adds casts"}),
        read<N>(plan.parallelism.tensor > 1 ? 1 : 0,
                {Origin::plan, "tensor_split", "1 with tensor parallelism", Quantity::number, "/parallelism/tensor",
                 "the plan: tensor parallelism adds collectives"}),
        stack_property<N>(plan.stack, "graph_share", "graph_share", "fraction of kernels launched by CUDA graphs",
                          plan.stack.graph_share, Quantity::share));
}

} // namespace

template <Number N>
N launch_seconds(const Plan &plan, const Block &block) {
    // Host time relative to ordinary attention: MLA also launches the down projections, their norms and the RoPE split.
    constexpr double latent_launches = 1.5;
    const Stack &stack = plan.stack;
    N seconds = stack_property<N>(stack, "host_seconds_per_layer", "host_seconds", "host time per layer",
                                  stack.host_seconds_per_layer, Quantity::seconds);
    if (std::holds_alternative<LatentAttention>(block.mixer))
        seconds = seconds * latent_launches;
    if (std::holds_alternative<Experts>(block.transform))
        seconds += stack_property<N>(stack, "host_seconds_per_expert_layer", "expert_seconds",
                                     "additional host time per expert layer", stack.host_seconds_per_expert_layer,
                                     Quantity::seconds);
    return launched_seconds(plan, seconds);
}
template double launch_seconds<double>(const Plan &, const Block &);
template Traced launch_seconds<Traced>(const Plan &, const Block &);

template <Number N>
N routing_seconds(const Plan &plan, const Block &block) {
    if (!std::holds_alternative<Experts>(block.transform) || plan.stack.routing_wait_seconds <= 0)
        return 0;
    return launched_seconds(plan,
                            stack_property<N>(plan.stack, "routing_wait_seconds", "routing_wait",
                                              "wait time for the experts' token counts",
                                              plan.stack.routing_wait_seconds, Quantity::seconds));
}
template double routing_seconds<double>(const Plan &, const Block &);
template Traced routing_seconds<Traced>(const Plan &, const Block &);

} // namespace meshwright

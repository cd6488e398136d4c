// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/kernels.h"
#include "layers/layer_cost.h"

namespace meshwright {

namespace {

double launched_seconds(const Plan &plan, double seconds) {
    return formula::layer_launch_seconds(seconds, bytes_of(plan.precision.compute) < 2 ? 1 : 0,
                                         plan.parallelism.tensor > 1 ? 1 : 0, plan.stack.graph_share);
}

} // namespace

double launch_seconds(const Plan &plan, const Block &block) {
    // Host time relative to ordinary attention: MLA also launches the down projections, their norms and the RoPE split.
    constexpr double latent_launches = 1.5;
    const Stack &stack = plan.stack;
    const double dense =
        stack.host_seconds_per_layer * (std::holds_alternative<LatentAttention>(block.mixer) ? latent_launches : 1);
    const bool experts = std::holds_alternative<Experts>(block.transform);
    return launched_seconds(plan, dense + (experts ? stack.host_seconds_per_expert_layer : 0));
}

double routing_seconds(const Plan &plan, const Block &block) {
    return std::holds_alternative<Experts>(block.transform) ? launched_seconds(plan, plan.stack.routing_wait_seconds)
                                                            : 0;
}

} // namespace meshwright

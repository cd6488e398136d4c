// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/bounds.h"

#include "formulas/step_terms.h"

#include <algorithm>

namespace meshwright {

LayerCost cost_of_all_layers(Plan &plan, const LayerCosts &layers, bool recomputed) {
    const std::int64_t pipeline = plan.parallelism.pipeline;
    const RecomputeMode mode = plan.recompute.mode;
    plan.parallelism.pipeline = 1;
    plan.parallelism.layout.clear();
    plan.parallelism.schedule = Schedule::one_f_one_b;
    plan.parallelism.chunks = 1;
    plan.recompute.mode = recomputed ? RecomputeMode::full : RecomputeMode::none;
    const LayerCost all = pipeline_costs(plan, layers).ranks.front().cost;
    plan.parallelism.pipeline = pipeline;
    plan.recompute.mode = mode;
    return all;
}

double least_step_seconds(const Plan &plan, const LayerCost &all, const Assumptions &assumed, bool admits_paired) {
    const double shares = static_cast<double>(plan.batch.global_sequences)
        * static_cast<double>(plan.parallelism.tensor * plan.parallelism.context)
        / (static_cast<double>(plan.site_accelerators()) * static_cast<double>(plan.batch.micro_sequences));
    const double straggler = formula::straggler_factor(assumed[ConstantId::straggler_per_doubling],
                                                       static_cast<double>(plan.site_accelerators()));
    const double rest =
        (all.compute_seconds() + all.recompute_seconds) * straggler + all.tensor.total() + all.context.total();
    // Beside another microbatch's computation expert traffic is hidden, or hides the computation.
    const double expert = all.expert.total();
    return shares * (admits_paired ? std::max(rest, expert) : rest + expert);
}

} // namespace meshwright

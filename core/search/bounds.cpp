// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/bounds.h"

#include "step/step_model.h"

#include <algorithm>

namespace meshwright {

double min_step_seconds(const Plan &plan, const LayerCost &all, const Assumptions &assumed, bool admits_paired) {
    const double shares = static_cast<double>(plan.batch.global_sequences)
        * static_cast<double>(plan.parallelism.tensor * plan.parallelism.context)
        / (static_cast<double>(plan.site_accelerators()) * static_cast<double>(plan.batch.micro_sequences));
    const double straggler = straggler_of<double>(plan, assumed);
    const double rest = (all.compute_seconds() + all.recompute_seconds) * straggler + all.copies.total()
        + all.tensor.total() + all.context.total();
    // If microbatches are paired, the longer of expert communication and compute determines the time.
    const double expert = all.expert.total();
    return shares * (admits_paired ? std::max(rest, expert) : rest + expert);
}

} // namespace meshwright

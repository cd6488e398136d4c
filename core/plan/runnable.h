// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// Which rule of a stack a plan breaks.
enum class SoftwareLimit {
    tensor,
    sequence_parallel,
    kv_heads,
    context,
    expert,
    expert_tensor,
    schedule,
    group,
    layout,
    zero_stage,
    shard_group,
    recompute,
    optimizer_offload,
    activation_offload,
    compute,
    gradients,
    master,
    moments,
    placement
};

/// Something in a plan that its software cannot run.
struct NotRunnable {
    SoftwareLimit limit = SoftwareLimit::tensor;
    std::string reason; ///< "Megatron-Core 2025 has no schedule seq1f1b"
    std::string expected; ///< what it has instead
    std::vector<std::string> fields; ///< JSON pointers of the plan
    std::string source; ///< the option or file of the software that says so; empty where the stack names none
};

/// Everything in a valid plan that its software cannot run, and what is not known of it.
struct Runnability {
    std::vector<NotRunnable> limits;
    std::vector<std::string> unknown; ///< "context parallelism": what the plan uses and the stack says nothing of
    bool is_runnable() const { return limits.empty(); }
    /// Why it cannot be run, or what is not known of it; empty where it is known to run.
    std::string reason(const Plan &plan) const;
};
Runnability runnability_of(const Plan &plan);

/// The first of what the plan's software cannot run; nothing where it can, or where nobody knows that it cannot.
std::optional<NotRunnable> cannot_run(const Plan &plan);

/// Whether a change leaves a plan as runnable as it was: what a fix must not take away. Always where the plan's
/// constraints want any software.
bool stays_runnable(const Plan &before, const Plan &after);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// The rule of a stack that a plan violates.
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

struct NotRunnable {
    SoftwareLimit limit = SoftwareLimit::tensor;
    std::string reason; ///< for example "Megatron-Core 2025 does not support the schedule seq1f1b"
    std::string expected; ///< "expected ..." or "supported: ..."; may be empty
    std::vector<std::string> fields; ///< JSON pointers to the plan fields involved
    std::string source; ///< the software's option or file that defines the rule; empty if the stack names none
};

/// The features of a valid plan that its software does not support, and those that the stack does not describe.
struct Runnability {
    std::vector<NotRunnable> limits;
    /// Features of the plan that the stack does not describe, such as "context parallelism".
    std::vector<std::string> unknown;
    bool is_runnable() const { return limits.empty(); }
    /// Why the plan cannot run, or which of its features may be unsupported; empty if the plan is known to run.
    std::string reason(const Plan &plan) const;
};
Runnability runnability_of(const Plan &plan);

/// The first feature that the plan's software cannot run; empty if none is known.
std::optional<NotRunnable> cannot_run(const Plan &plan);

/// Whether a fix adds no new violation of the software's rules. Always true if the plan's
/// constraints allow any software.
bool stays_runnable(const Plan &before, const Plan &after);

} // namespace meshwright

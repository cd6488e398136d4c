// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/executed_order.h"

namespace meshwright {

/// Idle time of all pipeline ranks by cause, from the first operation of any rank to the last, as a fraction of the
/// ranks' total time in the pipeline (ranks x makespan). Unlike the three conventions for "bubble", which consider only
/// the busiest rank, this includes imbalance between stages.
struct IdleShares {
    double warm_up_and_drain = 0; ///< idle before a rank's first backward pass or after its last forward pass
    double imbalance = 0; ///< idle between warm-up and drain, waiting for another rank's operation
    double sends = 0; ///< idle while a message is in transfer
    double of_all_ranks() const { return warm_up_and_drain + imbalance + sends; }
};

/// Sums the idle_intervals() of all ranks.
IdleShares idle_shares(const OperationOrder &order, const Timeline &timeline);

/// Idle time of an executed order. If only shorter orders were executed, idle times and makespan are extrapolated from
/// them.
IdleShares idle_shares(const ExecutedOrder &executed, const PipelineWork &work);

} // namespace meshwright

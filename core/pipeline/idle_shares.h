// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/executed_order.h"

namespace meshwright {

/// Idle time of all pipeline ranks by cause, from the first operation of any rank to the last, as a fraction of the
/// ranks' total time in the pipeline (ranks x makespan). The three conventions for "bubble" consider the busiest rank
/// alone; this counts the idle time of every rank, so imbalance between stages shows.
struct IdleShares {
    double warm_up_and_drain = 0; ///< fraction idle before a rank's first backward pass and after its last forward pass
    double imbalance = 0; ///< fraction idle between warm-up and drain, waiting for another rank's operation
    double sends = 0; ///< waiting for a message in transfer
    double of_all_ranks() const { return warm_up_and_drain + imbalance + sends; }
};

/// Sums of the idle_intervals() of all ranks.
IdleShares idle_shares(const OperationOrder &order, const Timeline &timeline);

/// The idle shares of an order that may be shortened: idle times and makespan are extrapolated like the other figures.
IdleShares idle_shares(const ExecutedOrder &executed, const PipelineWork &work);

} // namespace meshwright

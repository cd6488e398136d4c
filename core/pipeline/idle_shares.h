// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/executed_order.h"

namespace meshwright {

/// Idle time of all pipeline ranks, from the first operation of any rank to the last, over the ranks' whole time in the
/// pipeline (ranks x makespan), by cause. Unlike the three conventions of "bubble", which look at the busiest rank
/// alone, this counts what every rank waits for, so that stages of different lengths show.
struct IdleShares {
    double warm_up_and_drain = 0; ///< before a rank's first backward pass, and after its last forward pass
    double imbalance = 0; ///< in between, for another rank's operation
    double sends = 0; ///< for a message on its way
    double of_all_ranks() const { return warm_up_and_drain + imbalance + sends; }
};

/// What idle_intervals() of all ranks add up to.
IdleShares idle_shares(const OperationOrder &order, const Timeline &timeline);

/// The same of an order that may be shortened: seconds and makespan go on as the other figures do.
IdleShares idle_shares(const ExecutedOrder &executed, const PipelineWork &work);

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Failures and checkpoints of the whole run.
struct Goodput {
    double share = 1; ///< of the time that is left for training
    double checkpoint_bytes = 0;
    double checkpoint_interval_seconds = 0;
    double mtbf_seconds = 0; ///< of what has to stop together
    double stopping_accelerators = 0; ///< how many that are
    double write_seconds = 0; ///< of one checkpoint, while training waits
    double stored_seconds = 0; ///< until it is stored; the next one cannot begin before
};

/// Checkpoint at Young's interval, sqrt(2 x write x MTBF) (Young 1974), or the plan's, but no sooner than the last one
/// is stored; waste to first order: write / interval + interval / (2 MTBF) + recovery / MTBF. With an outer loop one
/// failure stops one site; without, everything.
/// @param parameters  trained weights
Goodput goodput(const Plan &plan, double parameters);

/// Bytes of a checkpoint: weights, master copy and moments.
double checkpoint_bytes(const Plan &plan, double parameters);

} // namespace meshwright

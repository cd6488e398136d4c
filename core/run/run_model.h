// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

/// Failures and checkpoints of the whole run.
struct Goodput {
    double share = 1; ///< fraction of time left for training after failures and checkpoints
    double checkpoint_bytes = 0;
    double checkpoint_interval_seconds = 0;
    double mtbf_seconds = 0; ///< mean time between failures of the accelerators that stop together
    double stopping_accelerators = 0; ///< accelerators that stop together
    double write_seconds = 0; ///< training time blocked by one checkpoint
    double stored_seconds = 0; ///< time until a checkpoint is stored; the next one cannot start earlier
};

/// Checkpoint interval by Young, sqrt(2 x write x MTBF) (Young 1974), or the plan's own, but at least the time to store
/// a checkpoint. First-order waste: write / interval + interval / (2 MTBF) + recovery / MTBF. With an outer loop a
/// failure stops one site, without it all sites.
/// @param parameters trained weights
Goodput goodput(const Plan &plan, double parameters);

/// Bytes of a checkpoint: weights, master weights and moments.
double checkpoint_bytes(const Plan &plan, double parameters);

} // namespace meshwright

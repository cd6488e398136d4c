// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/plan.h"

namespace meshwright {

struct Goodput {
    double share = 1; ///< fraction of time left for training
    double checkpoint_bytes = 0;
    double checkpoint_interval_seconds = 0;
    double mtbf_seconds = 0; ///< mean time until any of the accelerators that stop together fails
    double stopping_accelerators = 0;
    double write_seconds = 0; ///< time for which one checkpoint blocks training
    double stored_seconds = 0; ///< time until a checkpoint is stored; the next one cannot start earlier
};

/// The checkpoint interval is the plan's own, or sqrt(2 x write x MTBF) (Young 1974), but at least the time to store a
/// checkpoint. First-order waste: write / interval + interval / (2 MTBF) + recovery / MTBF. With an outer loop, a
/// failure stops one site; otherwise it stops all.
/// @param parameters  number of trained parameters
Goodput goodput(const Plan &plan, double parameters);

/// Bytes of a checkpoint: weights, master weights and Adam states.
double checkpoint_bytes(const Plan &plan, double parameters);

} // namespace meshwright

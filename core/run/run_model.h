// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/traced.h"
#include "plan/plan.h"
#include "run/run_figures.h"

#include <optional>

namespace meshwright {

/// What failures and checkpoints cost, and the times that it follows from.
template <Number N>
struct BasicGoodput {
    N share = 1; ///< fraction of time left for training
    N checkpoint_bytes = 0;
    N checkpoint_interval_seconds = 0;
    N mtbf_seconds = 0; ///< mean time until any of the accelerators that stop together fails
    N stopping_accelerators = 0;
    N write_seconds = 0; ///< time for which one checkpoint blocks training
    N stored_seconds = 0; ///< time until a checkpoint is stored; the next one cannot start earlier
};
using Goodput = BasicGoodput<double>;

/// The checkpoint interval is the plan's own, or sqrt(2 x write x MTBF) (Young 1974), but at least the time to store a
/// checkpoint. First-order waste: write / interval + interval / (2 MTBF) + recovery / MTBF. With an outer loop, a
/// failure stops one site; otherwise it stops all.
/// @param parameters  number of trained parameters
template <Number N>
BasicGoodput<N> goodput(const Plan &plan, const N &parameters);

/// Bytes of a checkpoint: weights, master weights and Adam states.
template <Number N>
N checkpoint_bytes(const Plan &plan, const N &parameters);

/// Figures that a run follows from, besides its plan.
template <Number N>
struct RunInputs {
    N parameters = 0; ///< number of trained parameters
    N step_tokens = 0; ///< tokens per step of one site
    N step_seconds = 0;
    std::optional<N> round_seconds = {}; ///< with an outer loop
};

template <Number N>
BasicRunEstimate<N> run_estimate(const Plan &plan, const RunInputs<N> &inputs);

template <Number N>
BasicClusterCompute<N> cluster_compute(const Plan &plan, const Assumptions &assumptions);

/// Accelerators of all sites.
template <Number N>
N all_accelerators(const Plan &plan);

} // namespace meshwright

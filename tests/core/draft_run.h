// SPDX-License-Identifier: GPL-3.0-or-later
// A draft of a run over 72 sites, which several tests simulate.
#pragma once

#include "outer/simulation.h"
#include "random_plans.h"

namespace meshwright {

inline constexpr double draft_weights = 144e9;

/// 72 sites, 144e9 weights, 128 steps of 25 s per round, 100 Mb/s and one bit per parameter in each direction.
inline Plan seed_plan() {
    Plan plan = preset_plan("ten-to-25");
    plan.outer.fragments = 36;
    plan.outer.overlap_steps = 4;
    plan.outer.up = plan.outer.down = {.bits = 4, .density = 0.25, .index = IndexEncoding::none};
    return plan;
}

inline OuterRun simulated(const Plan &plan, SimulationSize size = {}) {
    return simulate_outer(plan, draft_weights, 25, 1, size);
}

inline bool same(const OuterRun &a, const OuterRun &b) {
    return a.utilisation == b.utilisation && a.stall_seconds == b.stall_seconds && a.round_seconds == b.round_seconds
        && a.staleness_steps == b.staleness_steps && a.goodput == b.goodput && a.updates.late == b.updates.late
        && a.updates.lost == b.updates.lost;
}

} // namespace meshwright

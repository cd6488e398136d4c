// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/simulation.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// Of several runs, between neighbours in proportion.
struct Percentiles {
    double p10 = 0;
    double p50 = 0;
    double p90 = 0;
};
/// @pre values is not empty
Percentiles percentiles_of(std::vector<double> values);

/// Runs of one plan with seeds that follow one another.
struct OuterRuns {
    std::vector<OuterRun> runs;
    Percentiles of(double OuterRun::*figure) const;
};

/// One where nothing is random; else as many up to 15 as a moment allows.
std::int64_t usual_runs(const Plan &plan);
inline constexpr std::uint64_t usual_seed = 1;

/// In parallel; the same on any number of threads. Parameters: simulate_outer().
OuterRuns simulate_runs(const Plan &plan, double parameters, double step_seconds, std::uint64_t seed, std::int64_t runs,
                        const SimulationSize &size = {});

/// The median of every figure over the usual runs: what an evaluation says.
OuterRun usual_run(const Plan &plan, double parameters, double step_seconds, const SimulationSize &size = {});

/// One run of few rounds with the usual seed, for setting a plan against one that differs little: both draw the same
/// numbers, so that what differs between them is the plan's doing. Where one site stands for all, the usual run itself.
/// @param size  but its rounds
OuterRun brief_run(const Plan &plan, double parameters, double step_seconds, SimulationSize size = {});

} // namespace meshwright

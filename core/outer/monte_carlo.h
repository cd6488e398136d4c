// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outer/simulation.h"

#include <cstdint>
#include <vector>

namespace meshwright {

/// Percentiles over several runs, linearly interpolated.
struct Percentiles {
    double p10 = 0;
    double p50 = 0;
    double p90 = 0;
};
/// @pre values is not empty
Percentiles percentiles_of(std::vector<double> values);

/// Runs of one plan with consecutive seeds.
struct OuterRuns {
    std::vector<OuterRun> runs;
    Percentiles of(double OuterRun::*figure) const;
};

/// Default number of runs: 1 without randomness, otherwise up to 15, and fewer for expensive plans.
std::int64_t usual_runs(const Plan &plan);
inline constexpr std::uint64_t usual_seed = 1;

/// Runs in parallel; the result does not depend on the number of threads. Parameters as in simulate_outer().
OuterRuns simulate_runs(const Plan &plan, double parameters, double step_seconds, std::uint64_t seed, std::int64_t runs,
                        const SimulationSize &size = {});

/// The median of every figure over the default runs: the values that an evaluation reports.
OuterRun usual_run(const Plan &plan, double parameters, double step_seconds, const SimulationSize &size = {});

/// One run of a few rounds with the default seed, for comparing similar plans: all of them draw the same random
/// numbers, so that differences come from the plans. If all sites are alike, returns usual_run().
/// @param size  its numbers of rounds are ignored
OuterRun brief_run(const Plan &plan, double parameters, double step_seconds, SimulationSize size = {});

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/monte_carlo.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

Percentiles percentiles_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        const double place = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
    };
    return {.p10 = at(0.1), .p50 = at(0.5), .p90 = at(0.9)};
}

Percentiles OuterRuns::of(double OuterRun::*figure) const {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const OuterRun &run : runs)
        values.push_back(run.*figure);
    return percentiles_of(std::move(values));
}

std::int64_t usual_runs(const Plan &plan) {
    if (is_deterministic(plan))
        return 1;
    constexpr double affordable_updates = 5e5;
    constexpr double most = 15;
    return static_cast<std::int64_t>(std::clamp(affordable_updates / simulated_updates(plan, {}), 1.0, most));
}

OuterRuns simulate_runs(const Plan &plan, double parameters, double step_seconds, std::uint64_t seed, std::int64_t runs,
                        const SimulationSize &size) {
    const auto wanted = static_cast<std::size_t>(runs);
    if (is_deterministic(plan)) // every seed gives the same
        return {std::vector<OuterRun>(wanted, simulate_outer(plan, parameters, step_seconds, seed, size))};
    OuterRuns all{std::vector<OuterRun>(wanted)};
    tbb::parallel_for(std::size_t{0}, wanted, [&](std::size_t run) {
        all.runs[run] = simulate_outer(plan, parameters, step_seconds, seed + run, size);
    });
    return all;
}

OuterRun usual_run(const Plan &plan, double parameters, double step_seconds) {
    const OuterRuns runs = simulate_runs(plan, parameters, step_seconds, usual_seed, usual_runs(plan));
    OuterRun usual = runs.runs.front();
    if (runs.runs.size() == 1)
        return usual;
    for (double OuterRun::*const figure :
         {&OuterRun::utilisation, &OuterRun::inner_seconds, &OuterRun::stall_seconds, &OuterRun::away_seconds,
          &OuterRun::round_seconds, &OuterRun::uplink_load, &OuterRun::downlink_load, &OuterRun::staleness_steps,
          &OuterRun::goodput, &OuterRun::quorum_seconds, &OuterRun::departures})
        usual.*figure = runs.of(figure).p50;
    return usual;
}

OuterRun brief_run(const Plan &plan, double parameters, double step_seconds) {
    constexpr std::int64_t few_rounds = 6;
    return are_alike(plan) ? usual_run(plan, parameters, step_seconds)
                           : simulate_outer(plan, parameters, step_seconds, usual_seed, {.rounds = few_rounds});
}

} // namespace meshwright

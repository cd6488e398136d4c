// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/monte_carlo.h"

#include "input/stop_scope.h"
#include "threads/for_each_index.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace meshwright {

namespace {

struct Wanted {
    Plan plan;
    double parameters;
    double step_seconds;
    std::uint64_t seed;
    std::size_t runs;
    SimulationSize size;
    bool operator==(const Wanted &) const = default;
};

/// Cache of the latest simulations. An evaluation, its explanation and its chart request the same runs in quick
/// succession. Cached results are identical to new ones.
class LatestRuns {
public:
    std::optional<OuterRuns> of(const Wanted &wanted) {
        const std::lock_guard lock(m_mutex);
        const auto kept =
            std::find_if(m_kept.begin(), m_kept.end(), [&wanted](const auto &each) { return each.first == wanted; });
        return kept == m_kept.end() ? std::nullopt : std::optional(kept->second);
    }
    void keep(Wanted wanted, const OuterRuns &runs) {
        constexpr std::size_t most = 4;
        const std::lock_guard lock(m_mutex);
        if (m_kept.size() >= most)
            m_kept.pop_front();
        m_kept.emplace_back(std::move(wanted), runs);
    }

private:
    std::mutex m_mutex;
    std::deque<std::pair<Wanted, OuterRuns>> m_kept;
};

OuterRuns simulated(const Wanted &wanted) {
    const auto run = [&wanted](std::uint64_t place) {
        return simulate_outer(wanted.plan, wanted.parameters, wanted.step_seconds, wanted.seed + place, wanted.size);
    };
    if (is_deterministic(wanted.plan)) // every seed gives the same run
        return {std::vector<OuterRun>(wanted.runs, run(0))};
    OuterRuns all{std::vector<OuterRun>(wanted.runs)};
    for_each_index(wanted.runs, [&, stop = StopScope::current()](std::size_t place) {
        const StopScope scope(stop);
        all.runs[place] = run(place);
    });
    return all;
}

} // namespace

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
    static LatestRuns latest;
    Wanted wanted{plan, parameters, step_seconds, seed, static_cast<std::size_t>(runs), size};
    if (are_alike(plan)) // identical sites are simulated as one site, which is so fast that no cache is needed
        return simulated(wanted);
    if (std::optional<OuterRuns> kept = latest.of(wanted))
        return std::move(*kept);
    OuterRuns all = simulated(wanted);
    latest.keep(std::move(wanted), all);
    return all;
}

OuterRun usual_run(const Plan &plan, double parameters, double step_seconds, const SimulationSize &size) {
    const OuterRuns runs = simulate_runs(plan, parameters, step_seconds, usual_seed, usual_runs(plan), size);
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

OuterRun brief_run(const Plan &plan, double parameters, double step_seconds, SimulationSize size) {
    if (are_alike(plan))
        return usual_run(plan, parameters, step_seconds, size);
    // With more updates per round than this, two rounds instead of six are enough for a stable average.
    constexpr double many_updates = 1e5;
    size.rounds = updates_of_a_round(plan) > many_updates ? 2 : 6;
    return simulate_outer(plan, parameters, step_seconds, usual_seed, size);
}

} // namespace meshwright

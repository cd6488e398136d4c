// SPDX-License-Identifier: GPL-3.0-or-later
// The loop between sites in a case without shortcuts: it simulates every site and fragment. Speed is reported as
// updates (sites x fragments x rounds) per second. `per_update` is the time of one update relative to one draw of the
// simulation's random numbers, so that a slow or busy machine affects both.
#include "catalog/library.h"
#include "outer/randomness.h"
#include "outer/simulation.h"
#include "plan/plan_json.h"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <chrono>

namespace meshwright {
namespace {

constexpr double parameters = 144e9;
constexpr double step_seconds = 23;

Plan uneven_plan(std::int64_t sites, std::int64_t fragments) {
    static const Library library({MESHWRIGHT_PRESETS});
    Plan plan = plan_from_json(library.json(PresetKind::plan, "ten-to-25"), library);
    plan.cluster.sites = sites;
    plan.outer.quorum = sites * 64 / 72;
    plan.outer.fragments = fragments;
    plan.outer.overlap_steps = 4;
    plan.outer.down = plan.outer.up;
    plan.cluster.wan->rate_variation = 0.1;
    plan.cluster.wan->rate_interval_seconds = 60;
    plan.faults.step_variation = 0.05;
    return plan;
}

double draw_seconds() {
    constexpr int draws = 200'000;
    const Draws source = Randomness(1).draws(Randomness::Use::step, 3);
    double sum = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < draws; ++i)
        sum += source.normal(i);
    benchmark::DoNotOptimize(sum);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / draws;
}

void follow(benchmark::State &state, const Plan &plan, std::int64_t rounds) {
    const double draw = draw_seconds();
    const double updates = static_cast<double>(plan.cluster.sites) * static_cast<double>(plan.outer.fragments)
        * static_cast<double>(rounds);
    const auto start = std::chrono::steady_clock::now();
    for (auto _ : state)
        benchmark::DoNotOptimize(
            simulate_outer(plan, parameters, step_seconds, 1, {.settling_rounds = 1, .rounds = rounds - 1}));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()
        / static_cast<double>(state.iterations());
    state.counters["updates_a_second"] = updates / seconds;
    state.counters["per_update"] = seconds / updates / draw;
}

/// 72 sites x 100 rounds x 563 fragments, with an aggregator that is not saturated.
void sites_72_rounds_100_fragments_563(benchmark::State &state) {
    follow(state, uneven_plan(72, 563), 100);
}
BENCHMARK(sites_72_rounds_100_fragments_563)->Unit(benchmark::kMillisecond);

/// The same with an aggregator whose capacity is three quarters of the links' total rate.
void with_a_saturated_aggregator(benchmark::State &state) {
    Plan plan = uneven_plan(72, 563);
    plan.aggregation.ingress_bits_per_second = 0.75 * 72 * plan.cluster.wan->uplink_bits_per_second;
    follow(state, plan, 20);
}
BENCHMARK(with_a_saturated_aggregator)->Unit(benchmark::kMillisecond);

void sites_10000(benchmark::State &state) {
    follow(state, uneven_plan(10'000, 36), 20);
}
BENCHMARK(sites_10000)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace meshwright

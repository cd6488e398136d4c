// SPDX-License-Identifier: GPL-3.0-or-later
#include "advise/advice.h"
#include "advise/complete_result.h"
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "memory/memory_model.h"
#include "outer/simulation.h"
#include "plan/plan_json.h"
#include "step/step_model.h"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <string>

namespace meshwright {
namespace {

const Library &presets() {
    static const Library library({MESHWRIGHT_PRESETS});
    return library;
}

Plan preset_plan(const std::string &id) {
    return plan_from_json(presets().json(PresetKind::plan, id), presets());
}

/// A thousand dependent multiplications, divisions and square roots. Evaluation times are given in this unit, because a
/// slower machine slows down both.
double bare_arithmetic(double x) {
    for (int i = 0; i < 1000; ++i)
        x = std::sqrt(x * 1.0001 + 1 / x);
    return x;
}

double arithmetic_seconds() {
    constexpr int repetitions = 2000;
    double x = 1.5;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < repetitions; ++i)
        benchmark::DoNotOptimize(x = bare_arithmetic(x));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repetitions;
}

/// Runs `work` and reports its time relative to bare arithmetic, measured right before.
template <typename Work>
void measure(benchmark::State &state, Work work) {
    const double unit = arithmetic_seconds();
    const auto start = std::chrono::steady_clock::now();
    for (auto _ : state)
        work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    state.counters["per_arithmetic"] = seconds / static_cast<double>(state.iterations()) / unit;
}

void arithmetic(benchmark::State &state) {
    double x = 1.5;
    for (auto _ : state)
        benchmark::DoNotOptimize(x = bare_arithmetic(x));
}
BENCHMARK(arithmetic);

void numbers(benchmark::State &state, const std::string &id) {
    const Plan plan = preset_plan(id);
    measure(state, [&] { benchmark::DoNotOptimize(evaluate(plan, Depth::numbers)); });
}
BENCHMARK_CAPTURE(numbers, ten_to_25, "ten-to-25");
BENCHMARK_CAPTURE(numbers, llama3_405b, "llama3-405b-16k");
BENCHMARK_CAPTURE(numbers, deepseek_v3, "deepseek-v3");
BENCHMARK_CAPTURE(numbers, pretrain_8b, "pretrain-8b");

void with_advice(benchmark::State &state, const std::string &id) {
    const Plan plan = preset_plan(id);
    measure(state, [&] { benchmark::DoNotOptimize(complete_result(plan)); });
}
BENCHMARK_CAPTURE(with_advice, ten_to_25, "ten-to-25");
BENCHMARK_CAPTURE(with_advice, deepseek_v3, "deepseek-v3");

/// The layer costs, which a search shares among all configurations with the same tensor, context and expert degrees and
/// microbatch size.
void layer_costs(benchmark::State &state, const std::string &id) {
    const Plan plan = preset_plan(id);
    const Assumptions assumed;
    measure(state, [&] { benchmark::DoNotOptimize(LayerCosts(plan, assumed)); });
}
BENCHMARK_CAPTURE(layer_costs, llama3_405b, "llama3-405b-16k");
BENCHMARK_CAPTURE(layer_costs, deepseek_v3, "deepseek-v3");

/// The step time of a configuration whose layer costs are known.
void step_from_layer_costs(benchmark::State &state, const std::string &id) {
    const Plan plan = preset_plan(id);
    const Assumptions assumed;
    const LayerCosts layers(plan, assumed);
    measure(state, [&] {
        const PipelineCosts costs = pipeline_costs(plan, layers);
        benchmark::DoNotOptimize(step_seconds(plan, layers, costs, assumed));
    });
}
BENCHMARK_CAPTURE(step_from_layer_costs, pretrain_8b, "pretrain-8b");
BENCHMARK_CAPTURE(step_from_layer_costs, llama3_405b, "llama3-405b-16k");
BENCHMARK_CAPTURE(step_from_layer_costs, deepseek_v3, "deepseek-v3");

/// Step time and peak memory where stage costs are known too, without executing the pipeline. Configurations that
/// differ only in ZeRO stage or schedule share stage costs.
void evaluation_from_factors(benchmark::State &state, const std::string &id) {
    const Plan plan = preset_plan(id);
    const Assumptions assumed;
    const LayerCosts layers(plan, assumed);
    const PipelineCosts costs = pipeline_costs(plan, layers);
    measure(state, [&] {
        benchmark::DoNotOptimize(step_seconds(plan, layers, costs, assumed));
        benchmark::DoNotOptimize(peak_bytes(plan, layers, costs, assumed));
    });
}
BENCHMARK_CAPTURE(evaluation_from_factors, ten_to_25, "ten-to-25");
BENCHMARK_CAPTURE(evaluation_from_factors, pretrain_8b, "pretrain-8b");
BENCHMARK_CAPTURE(evaluation_from_factors, llama3_405b, "llama3-405b-16k");
BENCHMARK_CAPTURE(evaluation_from_factors, deepseek_v3, "deepseek-v3");

void rounds(benchmark::State &state) {
    Plan plan = preset_plan("ten-to-25");
    plan.outer.fragments = state.range(0);
    measure(state, [&] { benchmark::DoNotOptimize(simulate_outer(plan, 144e9, 23, 1)); });
}
BENCHMARK(rounds)->Arg(1)->Arg(36)->Arg(563);

void reading(benchmark::State &state) {
    const nlohmann::ordered_json &document = presets().json(PresetKind::plan, "ten-to-25");
    measure(state, [&] { benchmark::DoNotOptimize(read_plan(document, presets())); });
}
BENCHMARK(reading);

void smallest_change_that_fits(benchmark::State &state) {
    const Plan plan = preset_plan("ten-to-25");
    measure(state, [&] { benchmark::DoNotOptimize(smallest_fit(plan)); });
}
BENCHMARK(smallest_change_that_fits)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace meshwright

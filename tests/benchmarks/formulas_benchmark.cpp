// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluate_bare.h"

#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "plan/plan_json.h"
#include "step/step_model.h"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string>

namespace meshwright {
namespace {

double cost_seconds(const Plan &plan) {
    const Assumptions assumed;
    const LayerCosts layers(plan, assumed);
    return step_seconds(plan, layers, pipeline_costs(plan, layers), assumed).total();
}

double compared_seconds(const Plan &plan) {
    return evaluate(plan, Depth::closed_forms).step.seconds;
}

double executed_seconds(const Plan &plan) {
    return evaluate(plan, Depth::numbers).step.seconds;
}

/// Compares the planner, whose formulas also produce explanations, with one whose formulas are bare arithmetic. Both
/// evaluate the same plan alternately in one run and give bit-identical step times.
void formulas_against_bare_arithmetic(benchmark::State &state, const std::string &id, double (*planner)(const Plan &),
                                      double (*arithmetic)(const bare::Plan &)) {
    using Clock = std::chrono::steady_clock;
    const Library presets({MESHWRIGHT_PRESETS});
    const nlohmann::ordered_json &document = presets.json(PresetKind::plan, id);
    const Plan plan = plan_from_json(document, presets);
    const auto bare_plan = bare::read(document.dump(), MESHWRIGHT_PRESETS);
    if (planner(plan) != arithmetic(*bare_plan)) {
        state.SkipWithError("the two planners differ");
        return;
    }
    constexpr int turn = 20; // short turns, so that some run without interference from other processes
    const auto seconds_of = [](const auto &work, const auto &of) {
        const auto start = Clock::now();
        for (int i = 0; i < turn; ++i)
            benchmark::DoNotOptimize(work(of));
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    double formulas = std::numeric_limits<double>::infinity();
    double bare_arithmetic = formulas;
    for (auto _ : state) {
        formulas = std::min(formulas, seconds_of(planner, plan));
        bare_arithmetic = std::min(bare_arithmetic, seconds_of(arithmetic, *bare_plan));
    }
    state.counters["per_bare_evaluation"] = formulas / bare_arithmetic; // ratio of the planners' fastest turns
}
BENCHMARK_CAPTURE(formulas_against_bare_arithmetic, cost_llama3_405b, "llama3-405b-16k", cost_seconds,
                  bare::cost_seconds)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(formulas_against_bare_arithmetic, compared_llama3_405b, "llama3-405b-16k", compared_seconds,
                  bare::compared_seconds)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(formulas_against_bare_arithmetic, executed_llama3_405b, "llama3-405b-16k", executed_seconds,
                  bare::executed_seconds)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(formulas_against_bare_arithmetic, cost_deepseek_v3, "deepseek-v3", cost_seconds, bare::cost_seconds)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(formulas_against_bare_arithmetic, compared_deepseek_v3, "deepseek-v3", compared_seconds,
                  bare::compared_seconds)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(formulas_against_bare_arithmetic, executed_deepseek_v3, "deepseek-v3", executed_seconds,
                  bare::executed_seconds)
    ->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "plan/plan_json.h"
#include "search/search.h"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <string>

namespace meshwright {
namespace {

const Library &presets() {
    static const Library library({MESHWRIGHT_PRESETS});
    return library;
}

enum class Front { left_out, wanted };

/// The benchmark's argument is the number of threads.
void search_through(benchmark::State &state, const Plan &plan, Front front) {
    SearchOptions options;
    options.threads = static_cast<int>(state.range(0));
    options.wanted = {.top = 10, .pareto = front == Front::wanted, .curves = false};
    SearchResult result;
    for (auto _ : state)
        benchmark::DoNotOptimize(result = search(plan, presets(), options));
    using benchmark::Counter;
    const auto rate = [](std::int64_t layouts) {
        return Counter(static_cast<double>(layouts), Counter::kIsIterationInvariantRate);
    };
    state.counters["layouts"] = static_cast<double>(result.considered);
    state.counters["evaluated"] = static_cast<double>(result.evaluated);
    state.counters["considered_per_second"] = rate(result.considered);
    state.counters["evaluated_per_second"] = rate(result.evaluated);
}

/// One search over the default space.
void search_of(benchmark::State &state, const std::string &id, Front front) {
    search_through(state, plan_from_json(presets().json(PresetKind::plan, id), presets()), front);
}

/// Also searches over the rank order of parallelism dimensions and offloading to host memory (1 TB per node of eight),
/// as exhaustive searches of other tools do.
void search_of_more_options(benchmark::State &state, const std::string &id) {
    nlohmann::ordered_json document = presets().json(PresetKind::plan, id);
    document["constraints"]["also"] = {"offload", "placement"};
    Plan plan = plan_from_json(document, presets());
    plan.cluster.accelerator.host_memory_bytes = 125e9;
    search_through(state, plan, Front::left_out);
}
BENCHMARK_CAPTURE(search_of_more_options, gpt3_on_1024, "gpt3-175b-1k")
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

#define MESHWRIGHT_SEARCHES(name, id)                                                                                  \
    BENCHMARK_CAPTURE(search_of, name, id, Front::left_out)                                                            \
        ->Arg(1)                                                                                                       \
        ->Arg(4)                                                                                                       \
        ->Unit(benchmark::kMillisecond)                                                                                \
        ->UseRealTime();                                                                                               \
    BENCHMARK_CAPTURE(search_of, name##_with_front, id, Front::wanted)                                                 \
        ->Arg(1)                                                                                                       \
        ->Arg(4)                                                                                                       \
        ->Unit(benchmark::kMillisecond)                                                                                \
        ->UseRealTime()
MESHWRIGHT_SEARCHES(gpt3_on_1024, "gpt3-175b-1k");
MESHWRIGHT_SEARCHES(llama3_405b_on_16384, "llama3-405b-16k");
MESHWRIGHT_SEARCHES(deepseek_v3_on_2048, "deepseek-v3");
MESHWRIGHT_SEARCHES(pretrain_8b, "pretrain-8b");

} // namespace
} // namespace meshwright

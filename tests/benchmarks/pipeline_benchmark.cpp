// SPDX-License-Identifier: GPL-3.0-or-later
#include "kept_memory.h"
#include "pipeline/simulation.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace meshwright {
namespace {

/// Minimum time to execute this many operations: one maximum and one addition of two times per operation.
double bare_seconds(std::size_t operations) {
    std::vector<double> times(operations, 1.0);
    double best = 1e9;
    for (int repetition = 0; repetition < 5; ++repetition) {
        const auto start = std::chrono::steady_clock::now();
        double now = 0;
        for (const double seconds : times)
            now = std::max(now, seconds) + seconds;
        benchmark::DoNotOptimize(now);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

OperationOrder order_of(const benchmark::State &state) {
    return operation_order({.schedule = static_cast<Schedule>(state.range(0)),
                            .ranks = state.range(1),
                            .microbatches = state.range(2),
                            .chunks = state.range(3)});
}

/// Reports millions of operations per second, and the time per operation relative to the minimum.
template <typename Work>
void measure(benchmark::State &state, std::size_t operations, Work work) {
    const double bare = bare_seconds(operations);
    const auto start = std::chrono::steady_clock::now();
    for (auto _ : state)
        work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()
        / static_cast<double>(state.iterations());
    state.counters["million_operations_a_second"] = static_cast<double>(operations) / seconds / 1e6;
    state.counters["per_bare_operation"] = seconds / bare;
}

void order_alone(benchmark::State &state) {
    const std::size_t operations = order_of(state).operations.size();
    measure(state, operations, [&] { benchmark::DoNotOptimize(order_of(state)); });
}

void times_alone(benchmark::State &state) {
    const OperationOrder order = order_of(state);
    const PipelineWork work = uniform_work(order, 1, 1, 1, 0.1);
    measure(state, order.operations.size(), [&] { benchmark::DoNotOptimize(pipeline_times(order, work)); });
}

/// Reuses the memory of the previous timeline, as the window does.
void whole_timeline(benchmark::State &state) {
    keep_freed_memory();
    const OperationOrder order = order_of(state);
    const PipelineWork work = uniform_work(order, 1, 1, 1, 0.1);
    measure(state, order.operations.size(), [&] { benchmark::DoNotOptimize(simulate(order, work)); });
}

void schedules(benchmark::internal::Benchmark *benchmark) {
    const auto add = [benchmark](Schedule schedule, std::int64_t ranks, std::int64_t microbatches,
                                 std::int64_t chunks) {
        benchmark->Args({static_cast<std::int64_t>(schedule), ranks, microbatches, chunks});
    };
    add(Schedule::interleaved, 16, 128, 8);
    add(Schedule::one_f_one_b, 64, 1024, 1);
    add(Schedule::zb_2p, 16, 128, 1);
    add(Schedule::zb_v, 16, 128, 2);
    add(Schedule::v_half, 16, 128, 2);
    add(Schedule::dualpipe, 16, 128, 1);
}
BENCHMARK(order_alone)->Apply(schedules)->Unit(benchmark::kMicrosecond);
BENCHMARK(times_alone)->Apply(schedules)->Unit(benchmark::kMicrosecond);
BENCHMARK(whole_timeline)->Apply(schedules)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace meshwright

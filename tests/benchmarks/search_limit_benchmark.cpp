// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "memory/memory_model.h"
#include "plan/plan_json.h"
#include "search/pieces.h"
#include "search/search.h"
#include "search/variants.h"
#include "step/step_model.h"

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace meshwright {
namespace {

const Library &presets() {
    static const Library library({MESHWRIGHT_PRESETS});
    return library;
}

/// Keeps the shortest of several times, because interference from other processes only makes times longer.
class Shortest {
public:
    template <typename Work>
    void time(const Work &work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        m_seconds = std::min(m_seconds, seconds);
    }
    double seconds() const { return m_seconds; }

private:
    double m_seconds = std::numeric_limits<double>::infinity();
};

/// Times each part of a search alone, on one thread, with the search's own functions.
class Parts {
public:
    /// @param found  result of a search of the plan
    Parts(const Plan &plan, const SearchResult &found)
        : m_plan(plan)
        , m_constraints(constraints_of(plan))
        , m_found(found) {
        m_layers.reserve(m_found.results.size());
        for (const SearchEntry &entry : m_found.results) {
            const LayerCosts &layers = m_layers.emplace_back(entry.plan, m_assumed);
            m_costs.push_back(pipeline_costs(entry.plan, layers));
        }
    }

    void run() {
        std::vector<Plan> variants = search_variants(m_plan, m_constraints, Objective::time, presets()).plans;
        std::unique_ptr<ConfigurationSpace> space;
        listing.time(
            [&] { space = std::make_unique<ConfigurationSpace>(m_plan, m_constraints, std::move(variants), Shard{}); });
        const ShapeSearch::Variant variant{.plan = &space->variants().front(),
                                           .assumed = m_assumed,
                                           .scorer = Scorer(m_plan, Objective::time, m_constraints),
                                           .kernels = std::make_shared<KernelTable>(m_plan, m_assumed),
                                           .activation_bound = std::make_shared<ActivationBoundTable>()};
        Plan scratch = m_plan;
        const auto bound = [&] {
            for (const ShapeFamily &family : space->families())
                benchmark::DoNotOptimize(min_step_seconds(family, *space, {}, variant, scratch));
        };
        factors_and_bounds.time(bound);
        bounds.time(bound); // in the second call, the factors are already known
        evaluation.time([&] {
            for (std::size_t i = 0; i < m_costs.size(); ++i) {
                const Plan &plan = m_found.results[i].plan;
                benchmark::DoNotOptimize(step_seconds(plan, m_layers[i], m_costs[i], m_assumed));
                benchmark::DoNotOptimize(peak_bytes(plan, m_layers[i], m_costs[i], m_assumed));
            }
        });
        stages.time([&] {
            for (std::size_t i = 0; i < m_layers.size(); ++i)
                benchmark::DoNotOptimize(pipeline_costs(m_found.results[i].plan, m_layers[i]));
        });
        execution.time([&] {
            for (const SearchEntry &entry : m_found.results)
                benchmark::DoNotOptimize(evaluate(entry.plan, Depth::numbers));
        });
        copying.time([&] {
            for (std::size_t copied = 0; copied < static_cast<std::size_t>(m_found.considered); copied += m_from.size())
                std::memcpy(m_to.data(), m_from.data(), m_from.size() * sizeof(double));
            benchmark::DoNotOptimize(m_to.data());
            benchmark::ClobberMemory();
        });
    }

    Shortest listing; ///< listing the search space
    Shortest factors_and_bounds; ///< calculating the layers' kernel times, and bounding every family of kernel shapes
    Shortest bounds; ///< bounding the families alone
    Shortest evaluation; ///< evaluating the results by closed forms, with layer and stage costs known
    Shortest stages; ///< calculating the results' stage costs, with layer costs known
    Shortest execution; ///< executing the results' pipelines
    Shortest copying; ///< copying one number per configuration considered

private:
    const Plan &m_plan;
    Constraints m_constraints;
    const SearchResult &m_found;
    Assumptions m_assumed;
    std::vector<LayerCosts> m_layers;
    std::vector<PipelineCosts> m_costs;
    std::vector<double> m_from = std::vector<double>(1 << 20, 1.0);
    std::vector<double> m_to = std::vector<double>(1 << 20);
};

/// Compares a search with the limits of the machine and shows where its time goes, in ratios within one run.
void search_against_limits(benchmark::State &state, const std::string &id) {
    constexpr int threads = 4;
    const Plan plan = plan_from_json(presets().json(PresetKind::plan, id), presets());
    SearchResult result;
    const auto search_on = [&](int count, bool front) {
        SearchOptions options;
        options.threads = count;
        options.wanted = {.top = min_executed, .pareto = front, .curves = false};
        result = search(plan, presets(), options);
    };
    search_on(1, false);
    const SearchResult found = result;
    Parts parts(plan, found);
    Shortest alone;
    Shortest together;
    Shortest with_front;
    for (auto _ : state) {
        alone.time([&] { search_on(1, false); });
        together.time([&] { search_on(threads, false); });
        with_front.time([&] { search_on(1, true); });
        parts.run();
    }
    const double whole = alone.seconds();
    const auto report = [&](const char *name, double value) { state.counters[name] = value; };
    report("thread_efficiency", whole / (threads * together.seconds()));
    // The minimum for any search with this method: list the space, bound every family from known factors, and execute
    // the results.
    report("per_floor", whole / (parts.listing.seconds() + parts.bounds.seconds() + parts.execution.seconds()));
    const double listed = static_cast<double>(found.results.size());
    const double evaluation = parts.evaluation.seconds() / listed;
    const auto evaluated = static_cast<double>(found.evaluated);
    report("evaluated_per_bare_evaluation", whole / evaluated / evaluation);
    report("considered_per_copied_number", whole / parts.copying.seconds());
    double rest = 1;
    const auto share = [&](const char *name, double seconds) {
        report(name, seconds / whole);
        rest -= seconds / whole;
    };
    share("share_listing", parts.listing.seconds());
    share("share_factors", parts.factors_and_bounds.seconds() - parts.bounds.seconds());
    share("share_bounds_of_families", parts.bounds.seconds());
    // Configurations that differ only in ZeRO stage share their stage costs, and several numbers of recomputed layers
    // are tried for each.
    share("share_evaluation", evaluated * (evaluation + parts.stages.seconds() / listed));
    share("share_execution", parts.execution.seconds());
    report("share_bounds_of_layouts", rest); // includes the bounds of smaller groups and sorting
    // Fraction of the search time that the Pareto front takes if the search builds it.
    report("front_share", 1 - whole / with_front.seconds());
}
BENCHMARK_CAPTURE(search_against_limits, gpt3_on_1024, "gpt3-175b-1k")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(search_against_limits, llama3_405b_on_16384, "llama3-405b-16k")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(search_against_limits, deepseek_v3_on_2048, "deepseek-v3")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
} // namespace meshwright

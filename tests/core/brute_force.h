// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/evaluate.h"
#include "plan/constraints.h"
#include "plan/runnable.h"
#include "plan/software_rules.h"
#include "random_plans.h"
#include "search/search.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace meshwright {

/// A configuration with the figures that brute force compares.
struct Found {
    Plan plan;
    double step_seconds = 0;
    double run_seconds = 0;
    double peak_bytes = 0;
    bool fits = false; ///< whether it fits with the headroom that the constraints require
};

inline Found found(const Plan &plan) {
    const Result result = evaluate(plan, Depth::closed_forms);
    return {.plan = plan,
            .step_seconds = result.step.seconds,
            .run_seconds = result.run.seconds,
            .peak_bytes = result.memory.peak_bytes,
            .fits = result.verdict.headroom_bytes >= headroom_bytes(plan, constraints_of(plan))};
}

inline bool has_a_form_of_its_own(const Plan &plan) {
    const Schedule schedule = plan.parallelism.schedule;
    const std::int64_t chunks = plan.parallelism.chunks;
    if (plan.parallelism.pipeline == 1)
        return schedule == Schedule::one_f_one_b;
    const bool chunked = schedule == Schedule::interleaved || schedule == Schedule::looped_bfs
        || schedule == Schedule::interleaved_zb || schedule == Schedule::seq1f1b;
    return !chunked || chunks > 1;
}

/// Finds the minimum number of recomputed first layers with which a plan fits; returns nothing if the plan fits without
/// recomputation.
inline std::optional<Found> with_fewest_layers(Plan plan) {
    plan.recompute.mode = RecomputeMode::none;
    if (found(plan).fits)
        return std::nullopt;
    const std::vector<std::int64_t> stages = stage_layers(plan);
    plan.recompute.mode = RecomputeMode::layers;
    for (std::int64_t layers = 1; layers < *std::max_element(stages.begin(), stages.end()); ++layers) {
        plan.recompute.layers = layers;
        if (const Found result = found(plan); result.fits)
            return result;
    }
    return std::nullopt;
}

/// Lists every configuration by trying all numbers with `check_plan` and `cannot_run`, independently of the search.
struct BruteForce {
    /// @param own  whether the plan itself is always a candidate if it meets the constraints, or only if the space
    /// contains it
    enum class Own { wherever_it_lies, like_others };
    explicit BruteForce(const Plan &present, Own own = Own::wherever_it_lies)
        : m_present(present)
        , m_own(own)
        , m_constraints(constraints_of(present))
        , m_base(present) {
        if (!m_constraints.any_software)
            make_settings_runnable(m_base);
        if (own == Own::wherever_it_lies)
            try_plan_itself();
        const std::int64_t site = present.site_accelerators();
        for (const std::int64_t tensor : divisors(site))
            for (const std::int64_t context : divisors(site / tensor))
                for (const std::int64_t pipeline : divisors(site / tensor / context))
                    degrees(tensor, context, pipeline, site / tensor / context / pipeline);
    }

    std::int64_t count = 0;
    std::vector<Found> all; ///< configurations that fit

private:
    void try_plan_itself() {
        std::vector<ConfigurationField> fields;
        for (std::size_t i = 0; i < configuration_field_count; ++i)
            fields.push_back(static_cast<ConfigurationField>(i));
        if (!admitted(m_present, fields) || !runs(m_present))
            return;
        ++count;
        if (const Found own = found(m_present); own.fits)
            all.push_back(own);
    }

    void degrees(std::int64_t tensor, std::int64_t context, std::int64_t pipeline, std::int64_t data) {
        Plan plan = m_base;
        plan.parallelism.group.reset();
        plan.parallelism.shard_group.reset();
        plan.parallelism.layout.clear();
        plan.parallelism.layout_text.clear();
        plan.parallelism.tensor = tensor;
        plan.parallelism.context = context;
        plan.parallelism.pipeline = pipeline;
        plan.parallelism.data = data;
        if (pipeline > plan.model.layer_count() || plan.batch.sequence_length % context != 0
            || plan.batch.global_sequences % data != 0)
            return;
        for (const std::int64_t micro : divisors(plan.batch.global_sequences / data)) {
            plan.batch.micro_sequences = micro;
            if (!admitted(plan,
                          {ConfigurationField::tensor, ConfigurationField::context, ConfigurationField::pipeline,
                           ConfigurationField::data, ConfigurationField::micro_sequences}))
                continue;
            for (const std::int64_t expert : divisors(std::max<std::int64_t>(1, routed_experts(plan.model))))
                for (const std::int64_t cut : divisors(expert_width(plan.model))) {
                    plan.parallelism.expert = expert;
                    plan.parallelism.expert_tensor = cut;
                    if (admitted(plan, {ConfigurationField::expert, ConfigurationField::expert_tensor}))
                        choices(plan);
                }
        }
    }

    void choices(Plan plan) {
        for (const bool sequence : {false, true})
            for (std::size_t schedule = 0; schedule < schedule_names().size(); ++schedule)
                for (std::int64_t chunks = 1; chunks <= std::max<std::int64_t>(16, plan.model.layer_count());
                     ++chunks) {
                    plan.parallelism.sequence_parallel = sequence;
                    plan.parallelism.schedule = static_cast<Schedule>(schedule);
                    plan.parallelism.chunks = chunks;
                    if (plan.parallelism.schedule == Schedule::seq1f1b
                        && (chunks > 16 || plan.batch.sequence_length % chunks != 0))
                        continue;
                    if (!admitted(plan,
                                  {ConfigurationField::chunks, ConfigurationField::schedule,
                                   ConfigurationField::sequence_parallel})
                        || (sequence && plan.parallelism.tensor == 1) || !has_a_form_of_its_own(plan)
                        || (sequence
                            && plan.batch.sequence_length % (plan.parallelism.context * plan.parallelism.tensor) != 0)
                        || !check_plan(plan).empty())
                        continue;
                    balances(plan);
                }
    }

    /// Tries lighter end stages and larger microbatch groups, where the constraints ask for them.
    void balances(const Plan &plan) {
        each_balance(plan, [this](const Plan &balanced) { groups(balanced); });
    }

    /// Calls `next` with the plan, then with its uneven pipeline layouts.
    template <typename Next>
    void each_balance(const Plan &plan, const Next &next) {
        next(plan);
        const std::int64_t stages = plan.virtual_stages();
        if (!m_constraints.searches(SearchOption::layout) || stages <= 2 || plan.model.layer_count() % stages == 0)
            return;
        for (const Balance balance : {Balance::light_last, Balance::light_ends}) {
            Plan uneven = plan;
            Configuration layout = configuration_of(plan);
            layout.balance = balance;
            apply(layout, uneven);
            next(uneven);
        }
    }

    void groups(Plan plan) {
        last_choices(plan);
        if (!m_constraints.searches(SearchOption::group) || plan.parallelism.schedule != Schedule::interleaved
            || !plan.parallelism.layout.empty())
            return;
        for (const std::int64_t group : divisors(plan.microbatches())) {
            plan.parallelism.group = group;
            if (group > plan.parallelism.pipeline && check_plan(plan).empty())
                each_balance(plan, [this](const Plan &balanced) { last_choices(balanced); });
        }
    }

    void last_choices(Plan plan) {
        sharded_alike(plan);
        const std::int64_t ranks = plan.parallelism.data * plan.parallelism.context;
        if (!m_constraints.searches(SearchOption::shard_group))
            return;
        for (const std::int64_t group : divisors(ranks))
            if (group > 1 && group < ranks) {
                plan.parallelism.shard_group = group;
                sharded_alike(plan);
            }
    }

    void sharded_alike(Plan plan) {
        for (std::int64_t stage = plan.parallelism.shard_group ? 1 : 0; stage <= 3; ++stage)
            for (const RecomputeMode mode :
                 {RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full, RecomputeMode::layers}) {
                plan.parallelism.zero_stage = stage;
                plan.recompute = {.mode = mode, .layers = 0, .modules = {}};
                if (!admitted(plan, {ConfigurationField::zero_stage, ConfigurationField::recompute}) || !runs(plan)
                    || (m_own == Own::wherever_it_lies && plan == m_present))
                    continue;
                ++count;
                if (mode == RecomputeMode::layers) {
                    if (const std::optional<Found> fewest = with_fewest_layers(plan))
                        all.push_back(*fewest);
                } else if (const Found result = found(plan); result.fits) {
                    all.push_back(result);
                }
            }
    }

    bool runs(const Plan &plan) const { return m_constraints.any_software || !cannot_run(plan); }

    bool admitted(const Plan &plan, const std::vector<ConfigurationField> &fields) const {
        return std::all_of(fields.begin(), fields.end(), [&](ConfigurationField field) {
            return m_constraints.admits(field, value_of(plan, field), value_of(m_present, field));
        });
    }

    const Plan &m_present;
    Own m_own;
    Constraints m_constraints;
    Plan m_base; ///< the plan with number formats and offloading that its software supports
};

inline nlohmann::ordered_json some(const std::vector<nlohmann::ordered_json> &values, int count) {
    nlohmann::ordered_json picked = nlohmann::ordered_json::array();
    for (int i = 0; i < count; ++i)
        picked.push_back(values[*rc::gen::inRange<std::size_t>(0, values.size())]);
    return picked;
}

/// Restricts each field to a few values, so that brute force finishes.
inline nlohmann::ordered_json narrowed(std::int64_t accelerators) {
    const std::vector<std::string> &every_schedule = schedule_names();
    std::vector<nlohmann::ordered_json> degrees;
    for (const std::int64_t degree : divisors(accelerators))
        if (degree <= 48)
            degrees.emplace_back(degree);
    nlohmann::ordered_json allowed;
    allowed["schedule"] = some({every_schedule.begin(), every_schedule.end()}, 2);
    allowed["schedule"].push_back("1f1b");
    allowed["recompute"] = some({"none", "selective", "full", "layers"}, 2);
    allowed["chunks"] = some({1, 2, 3, 4, 5, 6}, 2);
    allowed["chunks"].push_back(1);
    allowed["tensor"] = some({1, 2, 4, 8, 16}, 3);
    allowed["context"] = some({1, 1, 2, 3, 4, 6}, 2);
    allowed["pipeline"] = some(degrees, 3);
    allowed["micro_sequences"] = some({1, 1, 2, 3, 4}, 2);
    allowed["zero_stage"] = some({0, 1, 2, 3}, 2);
    allowed["expert"] = some({1, 2, 4, 8, 16, 20, 32}, 3);
    allowed["expert_tensor"] = some({1, 1, 2, 4}, 2);
    for (const char *of_experts : {"expert", "expert_tensor"})
        allowed[of_experts].push_back(1); // the only degree of a dense model
    return allowed;
}

/// A cluster with this many accelerators and a model that has few configurations, so that brute force finishes.
inline std::optional<Plan> small_space(std::int64_t accelerators) {
    const auto model =
        *rc::gen::element<std::string>("qwen2-0.5b", "phi-2", "mixtral-8x7b", "llama-3.1-8b", "deepseek-v2");
    const auto node = *rc::gen::element<std::int64_t>(4, 8, 12);
    nlohmann::ordered_json document{{"schema", "meshwright.plan/1"}, {"model", model}};
    nlohmann::ordered_json tiers = nlohmann::ordered_json::array();
    tiers.push_back(
        {{"name", "node"}, {"accelerators", node}, {"bandwidth_bytes_per_second", 450e9}, {"latency_seconds", 3e-6}});
    if (accelerators % node != 0)
        tiers[0]["accelerators"] = accelerators;
    else if (accelerators > node)
        tiers.push_back({{"name", "network"},
                         {"accelerators", accelerators},
                         {"bandwidth_bytes_per_second", 25e9},
                         {"latency_seconds", 7e-6}});
    document["cluster"] = {{"accelerator", *rc::gen::element<std::string>("a100-sxm-40gb", "h100-sxm-80gb", "mi300x")},
                           {"tiers", tiers}};
    document["stack"] = *rc::gen::element<std::string>("megatron-lm-2021", "megatron-core-2025", "torchtitan-2024",
                                                       "nanotron-2024", "ideal", "kempnerforge-2026");
    const std::int64_t sequences = accelerators * *rc::gen::element<std::int64_t>(1, 2);
    document["batch"] = {{"sequence_length", *rc::gen::element<std::int64_t>(1536, 3072, 12288)},
                         {"global_sequences", sequences}};
    document["parallelism"] = {{"data", accelerators}, {"zero_stage", 3}};
    document["precision"] = {{"gradients", *rc::gen::element<std::string>("fp32", "bf16")}};
    document["run"] = {{"tokens", 1e12}};
    document["constraints"] = {{"allowed", narrowed(accelerators)}, {"any_software", *rc::gen::arbitrary<bool>()}};
    return valid_plan(document.dump());
}

inline SearchResult searched(const Plan &plan, SearchOptions options = {}) {
    options.threads = options.threads == 0 ? 1 : options.threads;
    return search(plan, shipped_presets(), options);
}

inline void expect_equal_to_brute_force(const Plan &plan) {
    const BruteForce brute(plan);
    SearchOptions options;
    options.wanted = {.top = 7, .pareto = true, .curves = true};
    options.ranking = Ranking::closed_forms;
    const SearchResult result = searched(plan, options);
    RC_ASSERT(result.considered == brute.count);
    RC_ASSERT(result.pruned + result.evaluated == result.considered);
    const Funnel &funnel = result.funnel;
    RC_ASSERT(funnel.fit + funnel.too_large + funnel.slower + funnel.repeats == result.considered);
    RC_ASSERT(funnel.fit <= static_cast<std::int64_t>(brute.all.size()));
    RC_ASSERT(funnel.too_large <= result.considered - static_cast<std::int64_t>(brute.all.size()));
    for (const SearchEntry &entry : result.results)
        RC_ASSERT(entry.runnable == !cannot_run(entry.plan));
    std::vector<double> steps;
    for (const Found &layout : brute.all)
        steps.push_back(layout.step_seconds);
    std::sort(steps.begin(), steps.end());
    RC_ASSERT(result.results.size() == std::min<std::size_t>(7, steps.size()));
    for (std::size_t i = 0; i < result.results.size(); ++i)
        RC_ASSERT(result.results[i].step_seconds == steps[i]);
    // Checks one point of the front: no configuration is better in both time and memory. Configurations whose times
    // differ only by rounding may both be on the front.
    const auto stands_as_long = [&](const Found &layout, const SearchEntry &point) {
        return layout.run_seconds >= point.run_seconds * (1 - 1e-12)
            && std::any_of(result.pareto.begin(), result.pareto.end(), [&](const SearchEntry &other) {
                   return other.run_seconds == layout.run_seconds && other.peak_bytes == layout.peak_bytes;
               });
    };
    double shortest = std::numeric_limits<double>::infinity();
    for (const Found &layout : brute.all)
        shortest = std::min(shortest, layout.run_seconds);
    for (const SearchEntry &point : result.pareto)
        for (const Found &layout : brute.all)
            RC_ASSERT(!(layout.run_seconds <= point.run_seconds && layout.peak_bytes <= point.peak_bytes
                        && (layout.run_seconds < point.run_seconds || layout.peak_bytes < point.peak_bytes))
                      || stands_as_long(layout, point));
    for (const Found &layout : brute.all)
        RC_ASSERT(layout.run_seconds > front_reach * shortest * (1 - 1e-9)
                  || std::any_of(result.pareto.begin(), result.pareto.end(), [&](const SearchEntry &point) {
                         return point.run_seconds <= layout.run_seconds && point.peak_bytes <= layout.peak_bytes;
                     }));
    // The curves show the best configuration for each value of each field.
    for (std::size_t i = 0; i < configuration_field_count; ++i)
        for (const CurvePoint &point : result.curves[i]) {
            double best = std::numeric_limits<double>::infinity();
            for (const Found &layout : brute.all)
                if (value_of(layout.plan, static_cast<ConfigurationField>(i)) == point.value)
                    best = std::min(best, layout.step_seconds);
            RC_ASSERT(point.reachable == std::isfinite(best));
            RC_ASSERT(!point.reachable || point.step_seconds == best);
        }
}

} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/constraints.h"
#include "random_plans.h"
#include "search/merge_shards.h"
#include "search/search.h"
#include "search/variants.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

Json found(const Plan &plan, Shard shard, Objective objective) {
    SearchOptions options;
    options.objective = objective;
    options.wanted = {.top = 10, .pareto = true, .curves = false, .by_schedule = true};
    options.shard = shard;
    options.threads = 1;
    Json json = to_json(search(plan, shipped_presets(), options));
    json["key"] = "one search";
    return Json::parse(json.dump()); // as read back from a file
}

Json merged(const Plan &plan, std::int64_t count, Objective objective) {
    std::vector<NamedResult> shards;
    for (std::int64_t i = 0; i < count; ++i)
        shards.push_back({.name = std::to_string(i), .result = found(plan, {.index = i, .count = count}, objective)});
    return merge_shards(shards);
}

/// Checks that the merged `results` and `pareto` equal those of a whole search in every plan and figure.
void expect_that_shards_add_up(const Plan &plan, const std::vector<std::int64_t> &counts,
                               Objective objective = Objective::time) {
    const Json whole = found(plan, {}, objective);
    ASSERT_TRUE(whole["complete"]);
    ASSERT_FALSE(whole["pareto"].empty());
    for (const std::int64_t count : counts) {
        const Json sum = merged(plan, count, objective);
        EXPECT_EQ(sum["considered"], whole["considered"]) << count;
        EXPECT_EQ(sum["results"], whole["results"]) << count;
        EXPECT_EQ(sum["pareto"], whole["pareto"]) << count;
        EXPECT_EQ(sum["recommended"], whole["recommended"]) << count;
        EXPECT_FALSE(sum.contains("finalists"));
    }
}

Plan plan_with(const char *id, const Json &constraints) {
    Plan plan = preset_plan(id);
    plan.constraints_json = Json{{"constraints", constraints}}.dump();
    return plan;
}

TEST(SearchShards, AddUpToTheWholeSearch) {
    for (const char *id : {"pretrain-8b", "deepseek-v3", "gpt3-175b-1k", "smollm-135m"}) {
        SCOPED_TRACE(id);
        expect_that_shards_add_up(preset_plan(id), {2, 3, 7, 50});
    }
}

TEST(SearchShards, AddUpForOtherObjectivesAndWiderSpaces) {
    expect_that_shards_add_up(preset_plan("pretrain-8b"), {3}, Objective::accelerators);
    expect_that_shards_add_up(plan_with("pretrain-8b", {{"also", {"group", "layout", "precision"}}}), {3, 7},
                              Objective::cost);
    expect_that_shards_add_up(plan_with("intellect-1", {{"also", {"outer"}}}), {2, 5});
}

TEST(SearchShards, ListNoBestThatTheFrontLeavesOut) {
    for (const char *id : {"pretrain-8b", "deepseek-v3"}) {
        const Json whole = found(preset_plan(id), {}, Objective::time);
        for (const Json &entry : whole["results"])
            EXPECT_TRUE(std::any_of(whole["pareto"].begin(), whole["pareto"].end(), [&](const Json &point) {
                return point["run_seconds"] <= entry["run_seconds"] && point["peak_bytes"] <= entry["peak_bytes"];
            })) << id;
    }
}

TEST(SearchLimits, EndEarlyAndSaySo) {
    SearchOptions options;
    options.time_limit_seconds = 0.02;
    options.threads = 1;
    const Plan plan = plan_with("deepseek-v3", {{"also", {"placement", "precision"}}});
    const SearchResult part = search(plan, shipped_presets(), options);
    EXPECT_FALSE(part.complete);
    EXPECT_EQ(part.end, SearchEnd::time_limit);
    EXPECT_NE(part.unsearched, 0) << "the rest is unknown until all configurations are listed";
    EXPECT_EQ(part.pruned + part.evaluated, part.considered);
    const Json json = to_json(part);
    EXPECT_EQ(json["ended"], "time-limit");
    EXPECT_FALSE(json["complete"]);
}

TEST(SearchLimits, ListNoMoreVariantsThanThereIsMemoryFor) {
    Plan plan = plan_with(
        "deepseek-v3",
        {{"global_sequences", {{"low", 512}, {"high", 130'560}, {"step", 512}}}, {"also", {"placement", "precision"}}});
    const SearchVariants all = search_variants(plan, constraints_of(plan), Objective::time, shipped_presets());
    EXPECT_FALSE(all.is_whole);
    EXPECT_LE(all.plans.size(), max_variants);
    plan.cluster.wan = Wan{.rate_trace = std::vector<RatePoint>(100'000)};
    const SearchVariants fewer = search_variants(plan, constraints_of(plan), Objective::time, shipped_presets());
    EXPECT_LT(fewer.plans.size(), all.plans.size() / 10);
}

TEST(SearchLimits, EndAListOfLayoutsThatIsStopped) {
    Plan plan = plan_with("deepseek-v3", {{"any_software", true}, {"also", {"group", "shard_group", "layout"}}});
    plan.cluster.tiers.back().accelerators = 8'648'640;
    plan.parallelism.data = plan.site_accelerators() / plan.parallelism.pipeline;
    plan.batch.global_sequences = plan.parallelism.data;
    const ConfigurationSpace space(plan, constraints_of(plan), {plan}, {});
    EXPECT_TRUE(space.is_whole());
    std::stop_source stopped;
    stopped.request_stop();
    const ConfigurationSpace none(plan, constraints_of(plan), {plan}, {}, stopped.get_token());
    EXPECT_FALSE(none.is_whole());
    EXPECT_EQ(none.layouts(), 0);
}

} // namespace
} // namespace meshwright

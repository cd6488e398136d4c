// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search.h"

#include "brute_force.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace meshwright {
namespace {

/// Listed configurations are executed: they have the figures of `evaluate` and are sorted by them. The best by closed
/// forms that still fit are listed, or as many others.
void expect_executed(const Plan &plan) {
    SearchOptions options;
    options.wanted = {.top = 7, .pareto = false};
    const SearchResult result = searched(plan, options);
    options.ranking = Ranking::closed_forms;
    const SearchResult compared = searched(plan, options);
    for (std::size_t i = 0; i < result.results.size(); ++i) {
        const SearchEntry &entry = result.results[i];
        RC_ASSERT(entry.step_seconds == evaluate(entry.plan, Depth::numbers).step.seconds);
        RC_ASSERT(
            (i == 0
             || result.results[i - 1].order < entry.order)); // in parentheses, because this "||" evaluates both sides
    }
    std::size_t fitting = 0;
    for (const SearchEntry &entry : compared.results) {
        const Result executed = evaluate(entry.plan, Depth::numbers);
        if (executed.verdict.headroom_bytes < headroom_bytes(plan, constraints_of(plan)))
            continue;
        ++fitting;
        RC_ASSERT(!result.results.empty());
        RC_ASSERT(result.results.front().step_seconds <= executed.step.seconds);
    }
    RC_ASSERT(result.results.size() >= fitting);
    RC_ASSERT(result.results.size() <= options.wanted.top);
}

RC_GTEST_PROP(Search, FindsWhatBruteForceFindsOnTwentyFourAccelerators, ()) {
    const std::optional<Plan> plan = small_space(24);
    RC_PRE(plan.has_value());
    expect_equal_to_brute_force(*plan);
}

RC_GTEST_PROP(Search, ListsLayoutsAsTheirPipelinesRun, ()) {
    const std::optional<Plan> plan = small_space(24);
    RC_PRE(plan.has_value());
    expect_executed(*plan);
}

/// Some of the best by closed forms need more memory when executed, and then do not fit.
TEST(Search, GoesOnUntilAsManyFitAsAreAskedFor) {
    for (const char *id : {"falcon-180b", "llama3-405b-8k"}) {
        SearchOptions options;
        options.wanted.top = min_executed;
        const SearchResult found = search(preset_plan(id), shipped_presets(), options);
        ASSERT_EQ(found.results.size(), min_executed) << id;
        EXPECT_EQ(found.considered, found.evaluated + found.pruned) << id;
        for (std::size_t i = 0; i < found.results.size(); ++i) {
            EXPECT_GE(found.results[i].headroom_bytes, 0) << id;
            EXPECT_TRUE(i == 0 || found.results[i - 1].order <= found.results[i].order) << id;
        }
    }
}

RC_GTEST_PROP(Search, FindsWhatBruteForceFindsOnSeventyTwoAccelerators, ()) {
    const std::optional<Plan> plan = small_space(72);
    RC_PRE(plan.has_value());
    expect_equal_to_brute_force(*plan);
}

RC_GTEST_PROP(Search, FindsWhatBruteForceFindsOnElevenHundredAndFiftyTwoAccelerators, ()) {
    const std::optional<Plan> plan = small_space(1152);
    RC_PRE(plan.has_value());
    expect_equal_to_brute_force(*plan);
}

TEST(Search, StopsWhenItIsToldToAndKeepsTheBestSoFar) {
    const Plan plan = preset_plan("gpt3-175b-1k");
    SearchOptions options;
    const SearchResult whole = search(plan, shipped_presets(), options);
    ASSERT_TRUE(whole.complete);
    std::stop_source stop;
    options.stop = stop.get_token();
    options.progress = [&](const SearchProgress &progress) {
        if (progress.best)
            stop.request_stop();
    };
    const SearchResult part = search(plan, shipped_presets(), options);
    EXPECT_FALSE(part.complete);
    EXPECT_LT(part.evaluated, whole.evaluated);
    ASSERT_FALSE(part.results.empty());
    EXPECT_GE(part.results.front().step_seconds, whole.results.front().step_seconds);
    const SearchResult none = search(plan, shipped_presets(), options); // stopped before it begins
    EXPECT_FALSE(none.complete);
    EXPECT_LT(none.evaluated, part.evaluated);
}

} // namespace
} // namespace meshwright

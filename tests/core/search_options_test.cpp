// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search.h"

#include "brute_force.h"
#include "search/outer_settings.h"
#include "search/variants.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

/// The same space with what is varied only when asked to.
std::optional<Plan> wider_space(std::int64_t accelerators, const std::vector<std::string> &also) {
    const std::optional<Plan> plan = small_space(accelerators);
    if (!plan)
        return plan;
    Json document = to_json(*plan);
    document["constraints"]["also"] = also;
    return valid_plan(document.dump());
}

RC_GTEST_PROP(Search, FindsWhatBruteForceFindsAmongUnevenCutsAndGroups, ()) {
    const std::optional<Plan> plan = wider_space(24, {"layout", "group", "shard_group"});
    RC_PRE(plan.has_value());
    expect_equal_to_brute_force(*plan);
}

RC_GTEST_PROP(Search, FindsWhatBruteForceFindsAmongFormatsOffloadingAndPlacements, ()) {
    const auto also = *rc::gen::element<std::string>("offload", "precision", "placement");
    const std::optional<Plan> plan = wider_space(24, {also});
    RC_PRE(plan.has_value());
    double best = std::numeric_limits<double>::infinity();
    std::vector<Plan> variants = search_variants(*plan, constraints_of(*plan), Objective::time, shipped_presets());
    variants.resize(std::min<std::size_t>(variants.size(), 9)); // of 120 placements some
    std::int64_t considered = 0;
    for (const Plan &variant : variants) {
        const BruteForce brute(
            variant, &variant == &variants.front() ? BruteForce::Own::wherever_it_lies : BruteForce::Own::like_others);
        considered += brute.count;
        for (const Found &layout : brute.all)
            best = std::min(best, layout.run_seconds);
    }
    SearchOptions options;
    options.wanted = {.top = 1, .pareto = false};
    options.ranking = Ranking::closed_forms;
    const SearchResult result = searched(*plan, options);
    RC_ASSERT(result.considered >= considered);
    RC_ASSERT(result.results.empty() == std::isinf(best));
    if (result.results.empty())
        return;
    const double found = result.results.front().run_seconds;
    const bool some = also == "placement";
    RC_ASSERT((some ? found <= best : found == best));
}

TEST(Search, ChoosesTheOuterLoopWithTheLayout) {
    Json document = shipped_presets().json(PresetKind::plan, "ten-to-25");
    document["model"] = "llama-3.1-8b";
    document["constraints"] = {{"also", {"outer"}},
                               {"allowed",
                                {{"tensor", {4, 8}},
                                 {"context", {1}},
                                 {"pipeline", {1, 2, 4}},
                                 {"chunks", {1}},
                                 {"micro_sequences", {1, 2}},
                                 {"zero_stage", {1}},
                                 {"schedule", {"1f1b", "zb-h1"}},
                                 {"recompute", {"none", "full"}}}}};
    const Plan plan = plan_from_json(document, shipped_presets());
    const std::vector<Outer> settings = outer_settings(plan);
    ASSERT_GT(settings.size(), 50U);
    EXPECT_EQ(settings.front(), plan.outer);
    double best = std::numeric_limits<double>::infinity();
    double kept = best; // with the plan's outer loop
    for (const Found &layout : BruteForce(plan).all)
        for (const Outer &outer : settings) {
            Plan changed = layout.plan;
            changed.outer = outer;
            const Found run = found(changed);
            if (!run.fits)
                continue;
            best = std::min(best, run.run_seconds);
            kept = outer == plan.outer ? std::min(kept, run.run_seconds) : kept;
        }
    SearchOptions options;
    options.wanted = {.top = 5, .pareto = false};
    options.ranking = Ranking::closed_forms;
    const SearchResult result = searched(plan, options);
    ASSERT_FALSE(result.results.empty());
    EXPECT_LE(result.results.front().run_seconds, best * (1 + least_outer_gain));
    EXPECT_LE(best, kept);
}

} // namespace
} // namespace meshwright

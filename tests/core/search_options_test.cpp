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

/// A small space between a few sites, of so few layouts that each can be tried with every outer loop.
std::optional<Plan> space_between_sites(std::int64_t accelerators) {
    const std::optional<Plan> plan = small_space(accelerators);
    if (!plan)
        return plan;
    Json document = to_json(*plan);
    document["constraints"]["also"] = {"outer"};
    for (auto &values : document["constraints"]["allowed"])
        values = some(values.get<std::vector<Json>>(), 1);
    document["constraints"]["allowed"]["tensor"].push_back(1);
    document["constraints"]["allowed"]["schedule"].push_back("1f1b");
    const auto sites = *rc::gen::element<std::int64_t>(2, 3);
    document["cluster"]["sites"] = sites;
    document["cluster"]["wan"] = {{"uplink_bits_per_second", *rc::gen::element(1e8, 1e9, 2e10)},
                                  {"downlink_bits_per_second", *rc::gen::element(1e8, 2e10)},
                                  {"round_trip_seconds", 0.1}};
    const auto wire = [] { return Json{{"bits", *rc::gen::element(4.0, 16.0)}, {"density", 1}, {"index", "none"}}; };
    document["outer"] = {{"method", *rc::gen::element<std::string>("diloco", "streaming-diloco")},
                         {"inner_steps", *rc::gen::element<std::int64_t>(8, 30, 96)},
                         {"fragments", *rc::gen::element<std::int64_t>(1, 4, 6)},
                         {"overlap_steps", *rc::gen::element<std::int64_t>(0, 1, 2)},
                         {"up", wire()},
                         {"down", wire()},
                         {"error_feedback", *rc::gen::arbitrary<bool>()},
                         {"quorum", *rc::gen::inRange<std::int64_t>(1, sites + 1)}};
    return valid_plan(document.dump());
}

/// The best layout that fits, each with whichever outer loop makes its run shortest, by trying all.
void expect_best_outer_loop(const Plan &plan) {
    const std::vector<Outer> settings = outer_settings(plan);
    RC_ASSERT(settings.front() == plan.outer);
    double best = std::numeric_limits<double>::infinity();
    for (const Found &layout : BruteForce(plan).all)
        for (const Outer &outer : settings) {
            Plan changed = layout.plan;
            changed.outer = outer;
            RC_ASSERT(check_plan(changed).empty());
            if (const Found run = found(changed); run.fits)
                best = std::min(best, run.run_seconds);
        }
    SearchOptions options;
    options.wanted = {.top = 5, .pareto = false};
    options.ranking = Ranking::closed_forms;
    const SearchResult result = searched(plan, options);
    RC_ASSERT(result.results.empty() == std::isinf(best));
    if (result.results.empty())
        return;
    const SearchEntry &first = result.results.front();
    RC_ASSERT(first.run_seconds == evaluate(first.plan, Depth::closed_forms).run.seconds);
    RC_ASSERT(first.run_seconds <= best * (1 + least_outer_gain));
    RC_ASSERT(first.run_seconds >= best * just_below);
}

RC_GTEST_PROP(Search, ChoosesTheOuterLoopWithTheLayoutOnTwentyFourAccelerators, ()) {
    const std::optional<Plan> plan = space_between_sites(24);
    RC_PRE(plan.has_value());
    expect_best_outer_loop(*plan);
}

RC_GTEST_PROP(Search, ChoosesTheOuterLoopWithTheLayoutOnSeventyTwoAccelerators, ()) {
    const std::optional<Plan> plan = space_between_sites(72);
    RC_PRE(plan.has_value());
    expect_best_outer_loop(*plan);
}

} // namespace
} // namespace meshwright

// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search.h"

#include "brute_force.h"
#include "search/outer_settings.h"
#include "search/variants.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

/// A small space that also varies the options listed in `also`.
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
    std::vector<Plan> variants =
        search_variants(*plan, constraints_of(*plan), Objective::time, shipped_presets()).plans;
    variants.resize(std::min<std::size_t>(variants.size(), 9)); // a few of 120 placements
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
    const bool some = also == "placement";
    const bool agrees = result.results.empty() ? std::isinf(best) : some || std::isfinite(best);
    RC_ASSERT(agrees);
    if (result.results.empty())
        return;
    const double found = result.results.front().run_seconds;
    RC_ASSERT((some ? found <= best : found == best));
}

double peak_with(Plan plan, const Outer &outer) {
    plan.outer = outer;
    return evaluate(plan, Depth::closed_forms).memory.peak_bytes;
}

/// A small space for a few sites, small enough to try each configuration with every outer loop. In some of these spaces
/// a configuration fits only with twice the fragments.
std::optional<Plan> space_between_sites(std::int64_t accelerators) {
    std::optional<Plan> plan = small_space(accelerators);
    if (!plan)
        return plan;
    Json document = to_json(*plan);
    document["constraints"]["also"] = {"outer"};
    document["constraints"]["headroom_bytes"] = 0;
    if (*rc::gen::element(true, false, false))
        document["constraints"]["also"].push_back("precision");
    for (auto &values : document["constraints"]["allowed"])
        values = some(values.get<std::vector<Json>>(), 1);
    // Includes the values of the plan, so that few spaces are empty.
    for (const char *degree : {"tensor", "context", "chunks", "expert", "expert_tensor"})
        document["constraints"]["allowed"][degree].push_back(1);
    document["constraints"]["allowed"]["schedule"].push_back("1f1b");
    const auto sites = *rc::gen::element<std::int64_t>(2, 3);
    document["cluster"]["sites"] = sites;
    document["cluster"]["wan"] = {{"uplink_bits_per_second", *rc::gen::element(1e8, 1e9, 2e10)},
                                  {"downlink_bits_per_second", *rc::gen::element(1e8, 2e10)},
                                  {"round_trip_seconds", 0.1}};
    const auto wire = [] { return Json{{"bits", *rc::gen::element(4.0, 16.0)}, {"density", 1}, {"index", "none"}}; };
    const bool streaming = *rc::gen::element(true, true, false);
    document["outer"] = {{"method", streaming ? "streaming-diloco" : "diloco"},
                         {"inner_steps", *rc::gen::element<std::int64_t>(8, 30, 96)},
                         {"fragments", streaming ? *rc::gen::element<std::int64_t>(1, 4, 6) : 1},
                         {"overlap_steps", *rc::gen::element<std::int64_t>(0, 1, 2)},
                         {"up", wire()},
                         {"down", wire()},
                         {"error_feedback", *rc::gen::arbitrary<bool>()},
                         {"quorum", *rc::gen::inRange<std::int64_t>(1, sites + 1)}};
    document["offload"] = {{"outer", *rc::gen::arbitrary<bool>()}};
    plan = valid_plan(document.dump());
    if (!plan || !streaming || *rc::gen::arbitrary<bool>())
        return plan;
    Plan roomy = *plan;
    roomy.cluster.accelerator.memory_bytes *= 1000;
    const std::vector<Found> layouts = BruteForce(roomy).all;
    if (layouts.empty())
        return plan; // no configuration can be run
    const auto smallest = std::min_element(layouts.begin(), layouts.end(),
                                           [](const Found &a, const Found &b) { return a.peak_bytes < b.peak_bytes; });
    const Plan &layout =
        *rc::gen::arbitrary<bool>() ? smallest->plan : layouts[*rc::gen::inRange<std::size_t>(0, layouts.size())].plan;
    Outer finer = layout.outer;
    finer.fragments *= 2;
    plan->cluster.accelerator.memory_bytes = (peak_with(layout, layout.outer) + peak_with(layout, finer)) / 2;
    return plan;
}

/// A configuration, and its run time under the best outer loop that leaves enough memory for it.
struct Counted {
    Plan layout; ///< has the plan's own outer loop
    double seconds = std::numeric_limits<double>::infinity();
    bool fits = false; ///< whether it fits with the plan's own number of fragments
};

/// Lists every configuration that fits with any outer loop, best first, by trying all.
std::vector<Counted> with_every_outer_loop(const Plan &plan) {
    const std::vector<OuterSettings> groups = outer_settings(plan);
    RC_ASSERT(groups.front().front().outer == plan.outer);
    std::vector<Counted> all;
    // The minimum number of recomputed layers depends on the memory of the outer loop; another number is another
    // configuration.
    const auto enter = [&](const Plan &layout, const OuterSettings &own) {
        const bool is_fewest = layout.recompute.mode == RecomputeMode::layers;
        const auto known =
            std::find_if(all.begin(), all.end(), [&](const Counted &other) { return other.layout == layout; });
        if (known != all.end() && !is_fewest)
            return;
        Counted counted = known != all.end() ? *known : Counted{.layout = layout};
        for (const OuterSettings &settings : groups)
            for (const OuterSetting &setting : settings) {
                if (is_fewest && &settings != &own)
                    continue;
                Plan changed = layout;
                changed.outer = setting.outer;
                RC_ASSERT(check_plan(changed).empty());
                const Found run = found(changed);
                if (!run.fits)
                    continue;
                counted.fits = counted.fits || setting.outer.fragments == plan.outer.fragments;
                counted.seconds = std::min(counted.seconds, setting.handicap() * run.run_seconds);
            }
        if (known != all.end())
            *known = std::move(counted);
        else
            all.push_back(std::move(counted));
    };
    const std::vector<Plan> variants =
        search_variants(plan, constraints_of(plan), Objective::time, shipped_presets()).plans;
    for (const Plan &variant : variants)
        for (const OuterSettings &settings : groups) {
            const bool own = &variant == &variants.front();
            Plan changed = own ? plan : variant;
            changed.outer = settings.front().outer;
            for (const Found &found :
                 BruteForce(changed, own ? BruteForce::Own::wherever_it_lies : BruteForce::Own::like_others).all) {
                Plan layout = found.plan;
                layout.outer = plan.outer;
                enter(layout, settings);
            }
        }
    std::sort(all.begin(), all.end(), [](const Counted &a, const Counted &b) { return a.seconds < b.seconds; });
    return all;
}

/// @returns whether the best configuration fits only with more fragments
bool expect_best_outer_loop(const Plan &plan) {
    constexpr std::size_t top = 5;
    const std::vector<Counted> expected = with_every_outer_loop(plan);
    SearchOptions options;
    options.wanted = {.top = top, .pareto = false};
    options.ranking = Ranking::closed_forms;
    const SearchResult result = searched(plan, options);
    RC_ASSERT(result.pruned + result.evaluated == result.considered);
    RC_ASSERT(result.results.size() == std::min(top, expected.size()));
    for (std::size_t i = 0; i < result.results.size(); ++i) {
        const SearchEntry &entry = result.results[i];
        // If links limit the run, all configurations take the same time up to rounding, and any of them may be listed.
        RC_ASSERT(std::abs(entry.order.front() - expected[i].seconds) <= 1e-14 * expected[i].seconds);
        const Found own = found(entry.plan);
        RC_ASSERT(own.fits);
        RC_ASSERT(own.run_seconds == entry.run_seconds);
        RC_ASSERT(entry.run_seconds <= entry.order.front());
    }
    return !expected.empty() && !expected.front().fits;
}

/// Uses step times from much shorter to much longer than the transfers.
TEST(OuterChoice, RanksTheSameWhateverItWasAskedBefore) {
    const Plan plan = preset_plan("ten-to-25");
    const Scorer scorer(plan, Objective::time, constraints_of(plan));
    OuterSettings settings = outer_settings(plan).front();
    settings.resize(2);
    const OuterChoice upwards(plan, scorer, settings), downwards(plan, scorer, settings);
    const std::vector<double> steps{2.03, 7, 13.3, 22.1, 31.9, 36.2, 37.4, 38, 50, 88};
    std::vector<double> found;
    for (const double step : steps)
        found.push_back(upwards.ranking_score(step, 0).objective);
    for (std::size_t i = steps.size(); i-- > 0;) {
        EXPECT_EQ(downwards.ranking_score(steps[i], 0).objective, found[i]) << steps[i];
        EXPECT_EQ(OuterChoice(plan, scorer, settings).ranking_score(steps[i], 0).objective, found[i]) << steps[i];
        EXPECT_NEAR(downwards.best(steps[i], 0).score.objective, found[i], 1e-14 * found[i]) << steps[i];
    }
    EXPECT_GT(found.back(), 1.5 * found.front());
}

TEST(OuterChoice, DoesNotSimulateEachOfTheStepTimesThatTransfersHide) {
    const Plan plan = preset_plan("ten-to-25");
    const Scorer scorer(plan, Objective::time, constraints_of(plan));
    OuterSettings settings = outer_settings(plan).front();
    settings.resize(1);
    const auto seconds_of = [&](int count, const auto &ask) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < count; ++i)
            ask(20 + 10.0 * i / count);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const OuterChoice ranked(plan, scorer, settings), simulated(plan, scorer, settings);
    const double ranking = seconds_of(2000, [&](double step) { ranked.ranking_score(step, 0); });
    EXPECT_LT(ranking, seconds_of(200, [&](double step) { simulated.best(step, 0); }));
}

/// In enough of the random spaces, the best configuration fits only with more fragments.
void expect_best_outer_loops(std::int64_t accelerators) {
    int spaces = 0, more_fragments = 0;
    EXPECT_TRUE(rc::check([&] {
        const std::optional<Plan> plan = space_between_sites(accelerators);
        RC_PRE(plan.has_value());
        ++spaces;
        more_fragments += expect_best_outer_loop(*plan) ? 1 : 0;
    }));
    EXPECT_GT(20 * more_fragments, spaces);
}

TEST(Search, ListsALayoutThatHasRoomWithMoreFragmentsAlone) {
    Json document = Json::parse(R"({
      "schema": "meshwright.plan/1", "model": "llama-3.1-8b",
      "cluster": {"accelerator": "h100-sxm-80gb", "sites": 2,
        "tiers": [{"name": "node", "accelerators": 8, "bandwidth_bytes_per_second": 450e9, "latency_seconds": 3e-6}],
        "wan": {"uplink_bits_per_second": 1e9, "downlink_bits_per_second": 1e9, "round_trip_seconds": 0.1}},
      "batch": {"sequence_length": 4096, "global_sequences": 64}, "parallelism": {"data": 8, "zero_stage": 3},
      "outer": {"method": "streaming-diloco", "inner_steps": 48, "fragments": 4, "overlap_steps": 1}})");
    document["constraints"]["fixed"] = configuration_field_names();
    document["constraints"]["headroom_bytes"] = 0;
    Plan plan = *valid_plan(document.dump());
    Outer finer = plan.outer;
    finer.fragments = 8;
    plan.cluster.accelerator.memory_bytes = (peak_with(plan, plan.outer) + peak_with(plan, finer)) / 2;
    EXPECT_TRUE(searched(plan).results.empty());
    document["constraints"]["also"] = {"outer"};
    Plan with_outer = *valid_plan(document.dump());
    with_outer.cluster = plan.cluster;
    const SearchResult result = searched(with_outer);
    ASSERT_EQ(result.results.size(), 1);
    EXPECT_EQ(result.results.front().plan.outer.fragments, 8);
    EXPECT_GE(result.results.front().headroom_bytes, 0);
}

TEST(Search, ChoosesTheOuterLoopWithTheLayoutOnTwentyFourAccelerators) {
    expect_best_outer_loops(24);
}

TEST(Search, ChoosesTheOuterLoopWithTheLayoutOnSeventyTwoAccelerators) {
    expect_best_outer_loops(72);
}

} // namespace
} // namespace meshwright

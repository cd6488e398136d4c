// SPDX-License-Identifier: GPL-3.0-or-later
// Tests goal seeking: a proposal promises what the patched plan evaluates to, and changes a minimum number of fields.
#include "search/goal_seek.h"

#include "compare/preference.h"
#include "evaluate/evaluate.h"
#include "evaluate/evidence_of_result.h"
#include "plan/runnable.h"
#include "random_plans.h"
#include "search/goal_tries.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

Json document_of(const char *id) {
    return shipped_presets().json(PresetKind::plan, id);
}

/// Applies the proposal as an editor would, and evaluates the plan.
Result patched(Json document, const Proposal &proposal) {
    merge_patch(document, Json::parse(proposal.patch));
    Result result = evaluate(plan_of(document), Depth::numbers);
    add_evidence(result);
    return result;
}

void expect_kept_word(const Json &document, const GoalAnswer &answer) {
    for (const Proposal &proposal : answer.proposals) {
        const Result after = patched(document, proposal);
        EXPECT_TRUE(is_reached(answer.goal, *figure_of(after, answer.goal.figure))) << proposal.title;
        EXPECT_TRUE(after.verdict.fits) << proposal.title;
        EXPECT_EQ(figures_json(after), figures_json(proposal.result)) << proposal.title << " " << proposal.patch;
        EXPECT_EQ(after.plan.run.tokens, answer.before.plan.run.tokens);
        EXPECT_EQ(after.plan.batch.global_sequences, answer.before.plan.batch.global_sequences);
        EXPECT_EQ(after.plan.batch.sequence_length, answer.before.plan.batch.sequence_length);
        EXPECT_EQ(after.plan.model, answer.before.plan.model);
    }
}

TEST(GoalFigures, AreBetterInTheDirectionOfTheirUsualGoal) {
    for (std::size_t i = 0; i < goal_figure_count; ++i) {
        const auto figure = static_cast<GoalFigure>(i);
        if (figure == GoalFigure::accelerators)
            continue; // fewer accelerators are not an improvement by themselves
        const GoalDefinition &goal = definition_of(figure);
        EXPECT_EQ(preference_of(goal.path, goal.quantity),
                  goal.better == Relation::at_most ? Preference::lower : Preference::higher)
            << goal.name;
    }
    EXPECT_EQ(preference_of("cluster.accelerators", Quantity::count), Preference::none);
    EXPECT_EQ(preference_of("parameters.total", Quantity::parameters), Preference::none);
}

TEST(GoalSeek, ProposalsReachTheGoalByThePatchThatTheyGive) {
    const std::pair<const char *, const char *> cases[] = {
        {"llama3-70b", "days=30"},       {"llama3-70b", "cost=10M$"},   {"llama3-70b", "mfu=45%"},
        {"deepseek-v3", "fit=90%"},      {"ten-to-25", "headroom=0"},   {"gpt3-175b-1k", "step=25s"},
        {"ten-to-25", "days=600"},       {"llama3-70b", "energy=3GWh"}, {"llama3-70b", "tokens-per-second=4e6"},
        {"gpt3-175b-1k", "headroom=40%"}};
    for (const auto &[id, goal] : cases) {
        const Json document = document_of(id);
        const GoalAnswer answer = seek(plan_of(document), goal_from(goal), shipped_presets());
        EXPECT_FALSE(answer.proposals.empty()) << id << " " << goal << ": " << answer.limit;
        expect_kept_word(document, answer);
    }
}

TEST(GoalSeek, FewestFieldsAndNoneThatIsNotNeeded) {
    const Json document = document_of("ten-to-25");
    const Plan plan = plan_of(document);
    const GoalAnswer answer = seek(plan, goal_from("headroom=0"), shipped_presets());
    ASSERT_FALSE(answer.proposals.empty());
    EXPECT_EQ(answer.proposals.front().changes.size(), 1U);
    for (const Proposal &proposal : answer.proposals)
        EXPECT_GE(proposal.changes.size() + proposal.unproven.size(),
                  answer.proposals.front().changes.size() + answer.proposals.front().unproven.size());
}

/// A plan that results from some combination of settings.
struct Reachable {
    std::size_t fields = 0;
    Result result;
};

/// Evaluates every combination of settings of these kinds, and returns the ones that fit.
std::vector<Reachable> all_that_fit(const Plan &plan, const Goal &goal, const std::vector<ChangeKind> &kinds) {
    const Result before = evaluate(plan, Depth::numbers);
    const GoalTries tries(plan, before, goal, goal_settings(plan, goal, kinds, shipped_presets()), 0, {});
    std::vector<Combination> combinations{{}};
    for (std::size_t setting = 0; setting < tries.settings().size(); ++setting)
        for (std::size_t i = combinations.size(); i-- > 0;)
            for (std::size_t option = 0; option < tries.settings()[setting].options.size(); ++option) {
                Combination longer = combinations[i];
                longer.push_back({static_cast<std::uint16_t>(setting), static_cast<std::uint16_t>(option)});
                combinations.push_back(std::move(longer));
            }
    std::vector<Reachable> all;
    for (const Combination &chosen : combinations) {
        const Plan changed = tries.plan_with(chosen);
        if (!check_plan(changed).empty())
            continue;
        Result result = evaluate(changed, Depth::numbers);
        if (result.verdict.fits)
            all.push_back({tries.changes(chosen).size(), std::move(result)});
    }
    return all;
}

TEST(GoalSeek, AgreesWithBruteForceOnWhatNeedsSeveralFields) {
    const std::vector<ChangeKind> kinds{ChangeKind::memory, ChangeKind::precision};
    Json document = document_of("gpt3-175b-1k");
    document["recompute"] = {{"mode", "none"}};
    document["constraints"] = {{"any_software", true}}; // brute force ignores the limits of software
    const Plan plan = plan_of(document);
    const std::vector<Reachable> all = all_that_fit(plan, goal_from("headroom=0"), kinds);
    std::set<std::size_t> counts;
    for (const char *goal : {"headroom=0", "headroom=20GB", "headroom=50GB", "headroom=60GB", "step=32s", "step=24s"}) {
        std::size_t fewest = 0;
        for (const Reachable &one : all)
            if (is_reached(goal_from(goal), *figure_of(one.result, goal_from(goal).figure)))
                fewest = fewest == 0 ? one.fields : std::min(fewest, one.fields);
        const GoalAnswer answer = seek(plan, goal_from(goal), shipped_presets(), {.most = 5, .kinds = kinds});
        const std::size_t found = answer.proposals.empty() ? 0 : answer.proposals.front().changes.size();
        EXPECT_EQ(found, fewest) << goal;
        counts.insert(found);
    }
    EXPECT_GE(counts.size(), 3U) << "the goals must need one, two and more fields";
}

TEST(GoalSeek, WhatCannotBeReachedSaysHowNearOneComesAndWhatLimits) {
    const Plan plan = plan_of(document_of("llama3-70b"));
    const GoalAnswer answer = seek(plan, goal_from("days=1"), shipped_presets(),
                                   {.most = 5, .kinds = {ChangeKind::layout, ChangeKind::memory}});
    EXPECT_TRUE(answer.proposals.empty());
    ASSERT_TRUE(answer.nearest);
    EXPECT_FALSE(answer.nearest->reached);
    EXPECT_LT(answer.nearest->value, *answer.value);
    EXPECT_GT(answer.nearest->value, answer.goal.value);
    EXPECT_TRUE(answer.nearest->result.verdict.fits);
    EXPECT_NE(answer.limit.find("Compute takes"), std::string::npos) << answer.limit;
}

TEST(GoalSeek, AReachedGoalNeedsNothing) {
    const GoalAnswer answer = seek(plan_of(document_of("llama3-70b")), goal_from("days=60"), shipped_presets());
    EXPECT_TRUE(answer.reached);
    EXPECT_TRUE(answer.proposals.empty());
    EXPECT_EQ(answer.considered, 0U);
}

TEST(GoalSeek, LeavesWhatThePlanHoldsFixed) {
    Json document = document_of("gpt3-175b-1k");
    document["constraints"] = {{"fixed", {"tensor", "recompute", "micro_sequences"}}};
    const Plan plan = plan_of(document);
    const GoalAnswer answer = seek(plan, goal_from("step=28s"), shipped_presets(), {.most = 50});
    EXPECT_FALSE(answer.proposals.empty());
    for (const Proposal &proposal : answer.proposals) {
        EXPECT_EQ(proposal.result.plan.parallelism.tensor, plan.parallelism.tensor) << proposal.title;
        EXPECT_EQ(proposal.result.plan.recompute, plan.recompute) << proposal.title;
        EXPECT_EQ(proposal.result.plan.batch.micro_sequences, plan.batch.micro_sequences) << proposal.title;
    }
}

TEST(GoalSeek, ChangesOnlyKindsThatItMay) {
    const Plan plan = plan_of(document_of("llama3-70b"));
    const GoalAnswer answer =
        seek(plan, goal_from("step=2.2s"), shipped_presets(), {.most = 50, .kinds = {ChangeKind::layout}});
    EXPECT_FALSE(answer.proposals.empty());
    for (const Proposal &proposal : answer.proposals) {
        EXPECT_EQ(proposal.result.plan.cluster, plan.cluster);
        EXPECT_EQ(proposal.result.plan.precision, plan.precision);
    }
}

TEST(GoalSeek, ProposesOnlyWhatThePlansSoftwareRuns) {
    for (const char *id : {"llama3-70b", "gpt3-175b-1k", "deepseek-v3"}) {
        const Plan plan = plan_of(document_of(id));
        const double step = evaluate(plan, Depth::numbers).step.seconds;
        const Goal goal{GoalFigure::step, Relation::at_most, 0.97 * step};
        for (const Proposal &proposal : seek(plan, goal, shipped_presets(), {.most = 50}).proposals)
            EXPECT_TRUE(stays_runnable(plan, proposal.result.plan)) << id << ": " << proposal.title;
    }
}

TEST(GoalSeek, IsTheSameEachTime) {
    const Plan plan = plan_of(document_of("deepseek-v3"));
    const Goal goal = goal_from("fit=95%");
    EXPECT_EQ(to_json(seek(plan, goal, shipped_presets())), to_json(seek(plan, goal, shipped_presets())));
}

TEST(GoalSeek, StopsWhenToldTo) {
    std::stop_source stop;
    stop.request_stop();
    SeekOptions options;
    options.stop = stop.get_token();
    const GoalAnswer answer = seek(plan_of(document_of("llama3-70b")), goal_from("days=1"), shipped_presets(), options);
    EXPECT_FALSE(answer.complete);
    EXPECT_TRUE(answer.proposals.empty());
}

TEST(GoalSeek, OfSitesWithoutAnOuterLoopSaysWhyNot) {
    const GoalAnswer answer = seek(plan_of(document_of("llama3-70b")), goal_from("utilisation=99%"), shipped_presets());
    EXPECT_FALSE(answer.value);
    EXPECT_FALSE(answer.limit.empty());
}

RC_GTEST_PROP(GoalSeek, APatchEvaluatesToWhatWasPromised, ()) {
    const Json document = Json::parse(random_document({.schedules = {"1f1b", "interleaved"}}));
    const Plan plan = plan_of(document);
    const Result before = evaluate(plan, Depth::numbers);
    const double faster = *rc::gen::element(0.95, 0.8, 0.5);
    const Goal goal =
        *rc::gen::element(Goal{GoalFigure::step, Relation::at_most, before.step.seconds * faster},
                          Goal{GoalFigure::days, Relation::at_most, before.run.seconds * faster},
                          Goal{GoalFigure::headroom, Relation::at_least,
                               before.verdict.headroom_bytes + (1 - faster) * before.memory.capacity_bytes},
                          Goal{GoalFigure::cost, Relation::at_most, before.run.rental_dollars * faster});
    const GoalAnswer answer = seek(plan, goal, shipped_presets(), {.most = 3});
    RC_CLASSIFY(!answer.proposals.empty(), "reached");
    for (const Proposal &proposal : answer.proposals) {
        const Result after = patched(document, proposal);
        RC_ASSERT(figures_json(after) == figures_json(proposal.result));
        RC_ASSERT(is_reached(goal, *figure_of(after, goal.figure)));
        RC_ASSERT(after.verdict.fits);
    }
}

TEST(Goal, IsReadFromWhatPeopleType) {
    EXPECT_DOUBLE_EQ(goal_from("days=30").value, 30 * 86400.0);
    EXPECT_DOUBLE_EQ(goal_from("days=12h").value, 12 * 3600.0);
    EXPECT_DOUBLE_EQ(goal_from("cost=2M$").value, 2e6);
    EXPECT_DOUBLE_EQ(goal_from("mfu=45%").value, 0.45);
    EXPECT_DOUBLE_EQ(goal_from("step=10s").value, 10);
    EXPECT_EQ(goal_from("headroom=10%").figure, GoalFigure::headroom_share);
    EXPECT_EQ(goal_from("accelerators>=64").relation, Relation::at_least);
    EXPECT_EQ(text_of(goal_from("days=30")), "Run at most 30.0 days");
    for (const char *bad : {"", "days", "days=", "days=-3", "days=soon", "mfu=140%", "fit=100%", "fit=0", "speed=3",
                            "cost=3GB", "step=0", "days=1e999"})
        EXPECT_THROW(goal_from(bad), InputError) << bad;
}

TEST(Goal, AnIntervalIsThatOfItsStep) {
    Result result = evaluate(plan_of(document_of("llama3-70b")), Depth::numbers);
    EXPECT_FALSE(interval_of(result, GoalFigure::days));
    EXPECT_FALSE(fit_probability(result));
    add_evidence(result);
    const FigureInterval days = *interval_of(result, GoalFigure::days);
    EXPECT_NEAR(days.high / result.run.seconds, result.step.high_seconds / result.step.seconds, 1e-12);
    const FigureInterval mfu = *interval_of(result, GoalFigure::mfu);
    EXPECT_NEAR(mfu.low / result.step.mfu, result.step.seconds / result.step.high_seconds, 1e-12);
    const double probability = *fit_probability(result);
    EXPECT_GT(probability, 0.5);
    EXPECT_LT(probability, 1);
}

TEST(Goal, NineOfTenFitWhereTheIntervalEndsAtTheCapacity) {
    Result result;
    result.memory = {.capacity_bytes = 80e9, .peak_bytes = 70e9, .low_bytes = 60e9, .high_bytes = 80e9};
    EXPECT_NEAR(*fit_probability(result), 0.9, 1e-12);
    result.memory.capacity_bytes = 60e9;
    EXPECT_NEAR(*fit_probability(result), 0.1, 1e-12);
}

} // namespace
} // namespace meshwright

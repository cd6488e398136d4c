// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration_map.h"

#include "evaluate/evaluate.h"
#include "input/diagnostic.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace meshwright {
namespace {

TEST(RankCorrelation, IsThatOfTheTextbooks) {
    // Spearman's coefficient for the IQ and the hours of television of ten people is -29/165; ties receive their mean
    // rank.
    const std::vector<double> quotient{106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    const std::vector<double> hours{7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    EXPECT_NEAR(spearman_correlation(quotient, hours), -29.0 / 165, 1e-12);
    EXPECT_NEAR(kendall_correlation({1, 2, 3, 4, 5}, {3, 4, 1, 2, 5}), 0.2, 1e-12);
    EXPECT_NEAR(spearman_correlation({1, 2, 2, 3}, {1, 2, 2, 3}), 1, 1e-12);
    EXPECT_EQ(spearman_correlation({1, 1, 1}, {1, 2, 3}), 0);
    EXPECT_EQ(kendall_correlation({1, 1, 1}, {1, 2, 3}), 0);
}

RC_GTEST_PROP(RankCorrelation, DependsOnTheOrderAlone, (const std::vector<int> &values)) {
    RC_PRE(values.size() > 1U);
    std::vector<double> a;
    std::vector<double> stretched;
    std::vector<double> turned;
    for (const int value : values) {
        a.push_back(value);
        stretched.push_back(std::cbrt(static_cast<double>(value)));
        turned.push_back(-static_cast<double>(value));
    }
    const bool varies = *std::max_element(a.begin(), a.end()) > *std::min_element(a.begin(), a.end());
    RC_ASSERT(std::abs(spearman_correlation(a, stretched) - (varies ? 1 : 0)) < 1e-9);
    RC_ASSERT(std::abs(spearman_correlation(a, turned) + (varies ? 1 : 0)) < 1e-9);
    RC_ASSERT(std::abs(kendall_correlation(a, stretched) - (varies ? 1 : 0)) < 1e-9);
}

TEST(OrderAgreement, SaysWhatTheChoiceCosts) {
    const OrderAgreement order = order_agreement({1, 2, 3}, {12, 10, 14});
    EXPECT_NEAR(order.choice_loss, 0.2, 1e-12);
    EXPECT_EQ(order.count, 3U);
    EXPECT_NEAR(order.spearman, 0.5, 1e-12);
}

TEST(OrderAgreement, OfTheMeasuredRunsIsHigh) {
    const EvidenceTable &table = *EvidenceTable::standard();
    const OrderSummary order = order_summary(table, table.predict());
    EXPECT_GE(order.groups, 20U);
    EXPECT_GT(order.spearman, 0.7);
    EXPECT_GT(order.kendall, 0.55);
    EXPECT_LT(order.choice_loss, 0.1);
}

MapQuestion small_map() {
    return {.plan = preset_plan("pretrain-8b"), .parameters = {1.34e9, 8.86e9, 80e9}, .nodes = {1, 4, 64}};
}

ConfigurationMap mapped(const MapQuestion &question) {
    return configuration_map(question, shipped_presets(), *EvidenceTable::standard());
}

TEST(ConfigurationMap, HasTheBestThatASearchFindsInEveryCell) {
    const ConfigurationMap map = mapped(small_map());
    ASSERT_EQ(map.cells.size(), 9U);
    EXPECT_TRUE(map.complete);
    for (const MapCell &cell : map.cells) {
        EXPECT_TRUE(cell.done);
        if (!cell.best)
            continue;
        const Plan &plan = cell.best->plan;
        EXPECT_EQ(plan.site_accelerators(), map.question.nodes[cell.column] * 8);
        EXPECT_EQ(plan.batch.global_sequences, 256);
        const Result result = evaluate(plan, Depth::numbers);
        EXPECT_TRUE(result.verdict.fits);
        EXPECT_EQ(result.step.mfu, cell.best->mfu);
        SearchOptions options;
        options.wanted = {.top = 1, .pareto = false};
        EXPECT_EQ(search(plan, shipped_presets(), options).results.front().step_seconds, cell.best->step_seconds);
    }
    EXPECT_TRUE(map.cell(0, 0).best);
    EXPECT_FALSE(map.cell(2, 0).best) << "80 B parameters must not fit on one node";
    EXPECT_TRUE(map.cell(2, 2).best);
    EXPECT_GT(map.cell(1, 0).best->mfu, map.cell(1, 2).best->mfu) << "a small batch on many nodes must lower the MFU";
}

TEST(ConfigurationMap, SetsTheMeasuredBestBesideItsOwn) {
    const ConfigurationMap map = mapped(small_map());
    for (const std::size_t size : {0U, 1U})
        for (const std::size_t column : {0U, 1U}) {
            const auto &measured = map.cell(size, column).measured;
            ASSERT_TRUE(measured);
            EXPECT_GE(measured->order.count, fewest_comparable);
            EXPECT_GE(measured->order.choice_loss, 0);
            EXPECT_LT(measured->mfu, 0.6);
        }
    EXPECT_FALSE(map.cell(2, 1).measured);
    EXPECT_EQ(to_json(map).at("cells").size(), 9U);
}

TEST(ConfigurationMap, StopsWhenAskedToAndKeepsTheCellsSoFar) {
    std::stop_source source;
    int heard = 0;
    const ConfigurationMap map = configuration_map(small_map(), shipped_presets(), *EvidenceTable::standard(),
                                                   source.get_token(), [&](const ConfigurationMap &) {
                                                       if (++heard == 2)
                                                           source.request_stop();
                                                   });
    EXPECT_EQ(heard, 2);
    EXPECT_FALSE(map.complete);
    EXPECT_TRUE(map.cell(1, 0).done);
    EXPECT_FALSE(map.cell(2, 2).done);
}

TEST(ConfigurationMap, SaysWhatCannotBeSplit) {
    MapQuestion question = small_map();
    question.parameters = {1.34e9};
    question.nodes = {100'000};
    question.global_sequences = 7;
    EXPECT_FALSE(mapped(question).cells.front().problem.empty());
}

TEST(ConfigurationMap, TakesEveryPresetsFamily) {
    for (const std::string &id : evaluable_plans()) {
        MapQuestion question{.plan = preset_plan(id.c_str()), .parameters = {2e9}, .nodes = {1, 3}};
        EXPECT_EQ(mapped(question).cells.size(), 2U) << id;
    }
}

TEST(ConfigurationMap, RefusesListsThatAreNone) {
    for (const auto &spoil : std::vector<std::function<void(MapQuestion &)>>{
             [](MapQuestion &q) { q.parameters.clear(); }, [](MapQuestion &q) { q.nodes.clear(); },
             [](MapQuestion &q) { q.parameters = {1e20}; }, [](MapQuestion &q) { q.nodes = {0}; },
             [](MapQuestion &q) { q.parameters.assign(100, 1e9); }, [](MapQuestion &q) { q.global_sequences = 0; }}) {
        MapQuestion question = small_map();
        spoil(question);
        EXPECT_THROW(mapped(question), InputError);
    }
}

} // namespace
} // namespace meshwright

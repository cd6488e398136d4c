// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/ties.h"

#include "evidence/rank_correlation.h"
#include "random_plans.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace meshwright {
namespace {

/// Fraction of pairs of measured runs in which the run with the shorter predicted step was also the faster one, among
/// pairs whose predicted step times differ by a fraction in this range. Each sweep has the same weight.
double share_in_order(double from, double to) {
    const auto table = EvidenceTable::standard();
    const std::vector<Prediction> predictions = table->predict({});
    double sweeps = 0;
    double in_order = 0;
    for (const ComparableRuns &sweep : comparable_runs(*table)) {
        double pairs = 0;
        double right = 0;
        for (const std::size_t a : sweep.rows)
            for (const std::size_t b : sweep.rows) {
                const double apart = predictions[b].step_seconds / predictions[a].step_seconds - 1;
                if (!predictions[a].skipped.empty() || !predictions[b].skipped.empty() || apart < from || apart >= to
                    || (apart == 0 && a >= b))
                    continue;
                pairs += 1;
                right += *table->runs[a].measured_seconds() < *table->runs[b].measured_seconds() ? 1 : 0;
            }
        if (pairs > 0) {
            sweeps += 1;
            in_order += right / pairs;
        }
    }
    return in_order / sweeps;
}

TEST(Ties, EndWhereFourOfFiveMeasuredPairsRanInThePredictedOrder) {
    EXPECT_GE(share_in_order(tied_step_share, 1.2 * tied_step_share), 0.79);
    EXPECT_GE(share_in_order(1.2 * tied_step_share, 2 * tied_step_share), 0.8);
    EXPECT_LT(share_in_order(0, tied_step_share / 2), 0.7);
    EXPECT_LT(share_in_order(tied_step_share / 2, tied_step_share), 0.75);
}

TEST(Ties, AreCountedFromTheFirstAndTheSimplestThenTheRoomiestIsRecommended) {
    const std::vector<Tied> results{{.objective = 100, .techniques = 4, .headroom_bytes = 4e9},
                                    {.objective = 104, .techniques = 2, .headroom_bytes = 5e9},
                                    {.objective = 109, .techniques = 2, .headroom_bytes = 9e9},
                                    {.objective = 111, .techniques = 1, .headroom_bytes = 40e9}};
    EXPECT_TRUE(is_tied(results[0], results[2], 0.1));
    EXPECT_FALSE(is_tied(results[0], results[3], 0.1));
    EXPECT_EQ(recommended(results, 0.1), 2U);
    EXPECT_EQ(recommended(results, 0.02), 0U);
    EXPECT_EQ(recommended({}, 0.1), std::nullopt);
}

TEST(Ties, CountTheTechniquesThatALayoutNeeds) {
    EXPECT_TRUE(techniques_of(preset_plan("smollm-135m")).empty());
    EXPECT_EQ(techniques_of(preset_plan("pretrain-70b-1k")),
              (std::vector<std::string>{"tensor", "pipeline", "schedule"}));
}

TEST(Search, MarksTiesInTheOrderOfTheObjective) {
    SearchOptions options;
    options.wanted = {.top = 200, .pareto = false};
    const SearchResult found = search(preset_plan("pretrain-70b-1k"), shipped_presets(), options);
    ASSERT_EQ(found.results.size(), 200U);
    EXPECT_EQ(found.tied_within, tied_step_share);
    EXPECT_TRUE(found.results.front().tied);
    for (std::size_t i = 1; i < found.results.size(); ++i) {
        EXPECT_LE(found.results[i - 1].order, found.results[i].order);
        EXPECT_EQ(found.results[i].tied,
                  found.results[i].order.front() <= found.results.front().order.front() * (1 + tied_step_share));
    }
    ASSERT_TRUE(found.recommended);
    const SearchEntry &best = found.results[*found.recommended];
    EXPECT_TRUE(best.tied);
    for (const SearchEntry &entry : found.results)
        EXPECT_FALSE(entry.tied && entry.techniques.size() < best.techniques.size());
}

} // namespace
} // namespace meshwright

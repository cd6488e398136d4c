// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/valid_values.h"

#include "plan/plan_json.h"
#include "preset_plans.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace meshwright {
namespace {

class StopsOf : public ::testing::TestWithParam<std::string> { };

/// Sliders must be able to show the values of every published run.
TEST_P(StopsOf, HoldWhatThePlanHas) {
    const Plan plan = plan_from_json(shipped_presets().json(PresetKind::plan, GetParam()), shipped_presets());
    const auto holds = [](const std::vector<std::int64_t> &stops, std::int64_t value) {
        return std::is_sorted(stops.begin(), stops.end()) && std::count(stops.begin(), stops.end(), value) == 1;
    };
    EXPECT_TRUE(holds(tensor_stops(plan), plan.parallelism.tensor));
    EXPECT_TRUE(holds(context_stops(plan), plan.parallelism.context));
    EXPECT_TRUE(holds(pipeline_stops(plan), plan.parallelism.pipeline));
    EXPECT_TRUE(holds(chunk_stops(plan), plan.parallelism.chunks));
    EXPECT_TRUE(holds(expert_stops(plan), plan.parallelism.expert));
    EXPECT_TRUE(holds(micro_sequence_stops(plan), plan.batch.micro_sequences));
}

INSTANTIATE_TEST_SUITE_P(Presets, StopsOf, ::testing::ValuesIn(evaluable_plans()),
                         [](const auto &named) { return test_name(named.param); });

TEST(Stops, OfferEveryNumberOfChunksWhereLayersDivideOverNoRanks) {
    Plan plan = plan_from_json(shipped_presets().json(PresetKind::plan, "llama3-405b-16k"), shipped_presets());
    // the plan has 126 layers on 16 ranks
    EXPECT_EQ(chunk_stops(plan), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8}));
    plan.parallelism.layout.clear();
    EXPECT_EQ(chunk_stops(plan), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7}));
    plan.parallelism.pipeline = 14;
    EXPECT_EQ(chunk_stops(plan), (std::vector<std::int64_t>{1, 3, 9}));
}

} // namespace
} // namespace meshwright

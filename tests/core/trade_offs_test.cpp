// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/trade_offs.h"

#include "catalog/model.h"
#include "catalog/weights.h"
#include "evaluate/evaluate.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace meshwright {
namespace {

Plan plan_named(const char *id) {
    return plan_from_json(shipped_presets().json(PresetKind::plan, id), shipped_presets());
}

} // namespace

TEST(TradeOffs, ADenseModelAndItsMixtureCountAsTheSameSize) {
    for (const char *id : {"llama-3.1-8b", "llama-3.1-70b", "qwen3-32b", "gpt3-175b"}) {
        const Model &dense = *shipped_presets().model(id);
        const Model mixture = equal_loss_model(dense);
        const Parameters parameters = parameters_of(mixture);
        EXPECT_GT(parameters.total, 2 * parameters.active) << id;
        EXPECT_LT(parameters.active, parameters_of(dense).total) << id;
        EXPECT_NEAR(std::sqrt(parameters.total * parameters.active) / parameters_of(dense).total, 1, 0.02) << id;
        EXPECT_EQ(mixture.layers, dense.layers) << id;
    }
}

TEST(TradeOffs, AMixtureHasADenseCounterpart) {
    const Model &mixture = *shipped_presets().model("deepseek-v3");
    const Model dense = equal_loss_model(mixture);
    EXPECT_EQ(parameters_of(dense).routed_experts, 0);
    EXPECT_NEAR(parameters_of(dense).total / dense_equivalent_parameters(mixture), 1, 0.02);
}

TEST(TradeOffs, ShardingComparesThreeKindsWithTheSameWork) {
    const Plan plan = plan_named("pretrain-8b");
    const TradeOffPlans found = trade_off_plans(TradeOff::sharding, plan, shipped_presets());
    ASSERT_EQ(found.plans.size(), 3u);
    EXPECT_EQ(found.plans[0].name, "FSDP");
    EXPECT_EQ(found.plans[1].name, "DeepSpeed ZeRO-3");
    EXPECT_EQ(found.plans[2].name, "Megatron");
    for (const NamedPlan &each : found.plans) {
        EXPECT_EQ(each.plan.model, plan.model);
        EXPECT_EQ(each.plan.cluster, plan.cluster);
        EXPECT_EQ(each.plan.batch.global_sequences, plan.batch.global_sequences);
        EXPECT_TRUE(evaluate(each.plan, Depth::numbers).verdict.fits) << each.name;
    }
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(found.plans[i].plan.parallelism.zero_stage, 3);
        EXPECT_EQ(found.plans[i].plan.parallelism.tensor, 1);
        EXPECT_EQ(found.plans[i].plan.parallelism.pipeline, 1);
    }
    EXPECT_LE(found.plans[2].plan.parallelism.zero_stage, 1);
}

TEST(TradeOffs, PrecisionChangesTheComputeFormatAlone) {
    const Plan plan = plan_named("pretrain-8b");
    const TradeOffPlans found = trade_off_plans(TradeOff::precision, plan, shipped_presets());
    ASSERT_EQ(found.plans.size(), 1u); // the plan itself uses BF16
    Plan other = found.plans[0].plan;
    EXPECT_EQ(other.precision.compute, DataType::fp8);
    other.precision = plan.precision;
    other.name = plan.name;
    EXPECT_EQ(other, plan);
    EXPECT_LT(evaluate(found.plans[0].plan, Depth::numbers).step.seconds, evaluate(plan, Depth::numbers).step.seconds);
}

TEST(TradeOffs, AnAcceleratorWithoutFp8SaysSo) {
    EXPECT_THROW(trade_off_plans(TradeOff::precision, plan_named("ten-to-25-a100"), shipped_presets()), InputError);
}

TEST(TradeOffs, SparsityKeepsClusterBatchAndTokens) {
    const Plan plan = plan_named("pretrain-8b");
    const TradeOffPlans found = trade_off_plans(TradeOff::sparsity, plan, shipped_presets());
    ASSERT_EQ(found.plans.size(), 1u);
    const Plan &mixture = found.plans[0].plan;
    EXPECT_EQ(mixture.cluster, plan.cluster);
    EXPECT_EQ(mixture.run, plan.run);
    EXPECT_GT(parameters_of(mixture.model).routed_experts, 0);
    EXPECT_FALSE(found.notes.empty());
}

TEST(TradeOffs, AStoppedSearchEndsAtOnce) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(trade_off_plans(TradeOff::sharding, plan_named("llama3-405b-16k"), shipped_presets(), stop.get_token())
                    .plans.empty());
}

} // namespace meshwright

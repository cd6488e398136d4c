// SPDX-License-Identifier: GPL-3.0-or-later
// Each rule of the model exists once: changing it affects the step, memory, the search and every explanation.
#include "explained_plans.h"
#include "formulas/costs.h"
#include "formulas/rank_memory.h"
#include "search/longest_rank.h"
#include "search/score.h"
#include "step/step_memory.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>

namespace meshwright {
namespace {

using testing::for_each_node;

const Derivation *named_below(const Derivation &node, const std::string &name) {
    if (node.name == name)
        return &node;
    for (const Derivation &input : node.inputs)
        if (const Derivation *const found = named_below(input, name))
            return found;
    return nullptr;
}

/// Value at a path of the result's JSON, such as "step.seconds".
double figure_of(const Result &result, std::string path) {
    std::replace(path.begin(), path.end(), '.', '/');
    return figures_json(result).at(nlohmann::ordered_json::json_pointer("/" + path)).get<double>();
}

Plan experts_within_a_tensor_group() {
    return plan_of(nlohmann::ordered_json::parse(R"({"schema": "meshwright.plan/1",
        "cluster": {"accelerator": "h100-sxm-80gb", "tiers": [
            {"name": "nvlink", "accelerators": 8, "bandwidth_bytes_per_second": 450e9, "latency_seconds": 3e-6},
            {"name": "network", "accelerators": 64, "bandwidth_bytes_per_second": 50e9, "latency_seconds": 5e-6}]},
        "model": "mixtral-8x7b",
        "parallelism": {"tensor": 8, "pipeline": 1, "data": 8, "expert": 8, "expert_tensor": 1},
        "batch": {"sequence_length": 4096, "global_sequences": 64, "micro_sequences": 1}})"));
}

TEST(CommunicationGroup, IsExplainedByTheDegreeThatMakesItAndNotByOneOfEqualSize) {
    const Plan plan = experts_within_a_tensor_group();
    ASSERT_EQ(groups_of(plan).expert, groups_of(plan).tensor);
    const Derivation tree = explain(evaluate(plan, Depth::numbers));
    const Derivation *const dispatch = named_below(tree, "dispatch_seconds");
    ASSERT_NE(dispatch, nullptr);
    std::set<std::string> fields;
    for_each_node(*dispatch, [&](const Derivation &node) {
        if (node.name == "members")
            fields.insert(node.field);
    });
    EXPECT_EQ(fields, std::set<std::string>{"/parallelism/expert"});
}

TEST(Score, IsInDollarsAndJoulesOfTheFormulasThatTheRunUses) {
    const Plan plan = preset_plan("llama3-70b");
    const auto score = [&](Objective objective) {
        return Scorer(plan, objective, constraints_of(plan)).score(20, 1e9).objective;
    };
    const double dollars = score(Objective::cost);
    const double joules = score(Objective::energy);
    EXPECT_NEAR(dollars,
                formula::rental_dollars(static_cast<double>(plan.cluster.accelerators()),
                                        score(Objective::time) / 86400, plan.run.rental_dollars_per_accelerator_hour),
                1e-12 * dollars);
    const decltype(formula::rental_dollars)::Replacement thrice(
        formula::rental_dollars,
        [](double accelerators, double days, double price) { return 3 * accelerators * days * 24 * price; });
    EXPECT_NEAR(score(Objective::cost), 3 * dollars, 1e-9 * dollars);
    const decltype(formula::energy_joules)::Replacement twice(
        formula::energy_joules, [](double accelerators, double watts, double days, double pue) {
            return 2 * accelerators * watts * days * 86400 * pue;
        });
    EXPECT_NEAR(score(Objective::energy), 2 * joules, 1e-9 * joules);
}

TEST(BoundOfARank, CountsTheWaitForOffloadedActivations) {
    Plan plan = preset_plan("llama-1b-profile");
    plan.offload.activations = 1;
    plan.cluster.accelerator.host_bandwidth_bytes_per_second = 1e9;
    const LayerCosts layers(plan, Assumptions(plan.assumptions));
    const double of_a_layer = layers.of_block(0).stored.copies.total();
    ASSERT_GT(of_a_layer, 0);
    const double all = RankCosts(plan, layers, false).all().copies.total();
    EXPECT_NEAR(all, static_cast<double>(plan.model.layer_count()) * of_a_layer, 1e-9 * all);
}

TEST(RunTime, IsTheProductOfItsFactorsWhateverStepTimeTheOuterLoopCounts) {
    Plan plan = preset_plan("ten-to-25");
    for (const std::optional<double> seconds : {std::optional<double>(), std::optional(3.0), std::optional(40.0)}) {
        plan.outer.step_seconds = seconds;
        const Result result = evaluate(plan, Depth::numbers);
        EXPECT_EQ(inner_step_seconds(result), seconds.value_or(result.step.seconds));
        EXPECT_NEAR(run_factors(result).run_seconds(), result.run.seconds, 1e-9 * result.run.seconds);
        EXPECT_GE(run_factors(result).training_seconds(),
                  result.run.steps * inner_step_seconds(result) * (1 - 1e-9)); // training time also includes stalls
        EXPECT_NEAR(find_figure(explain(result), "run.computing_seconds")->value,
                    result.run.steps * inner_step_seconds(result), 1e-9 * result.run.seconds);
    }
}

RC_GTEST_PROP(PeakOfARank, SaysItsMomentInAFieldAndInWords, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents({}));
    RC_PRE(plan.has_value());
    const Assumptions assumed(plan->assumptions);
    const LayerCosts layers(*plan, assumed);
    for (const RankMemory &rank : memory_of_ranks(*plan, layers, pipeline_costs(*plan, layers), assumed)) {
        RC_ASSERT((rank.peak_moment == PeakMoment::backward) == rank.peak_operation.starts_with("backward: "));
        RC_ASSERT((rank.peak_moment == PeakMoment::loss) == rank.peak_operation.starts_with("loss"));
        RC_ASSERT((rank.peak_moment == PeakMoment::optimizer) == rank.peak_operation.starts_with("optimizer"));
        RC_ASSERT(rank.peak_moment != PeakMoment::optimizer || rank.activations_bytes == 0);
    }
}

/// A plan with FP32 weights and an optimizer step on the host, sharded over eight ranks.
Plan wide_weights(std::int64_t zero_stage) {
    return plan_of(nlohmann::ordered_json::parse(R"({"schema": "meshwright.plan/1",
        "cluster": {"accelerator": "h100-sxm-80gb", "tiers": [
            {"name": "nvlink", "accelerators": 8, "bandwidth_bytes_per_second": 450e9, "latency_seconds": 3e-6}]},
        "model": "llama-3.1-8b",
        "stack": "torchtitan-2024-eager",
        "parallelism": {"tensor": 1, "pipeline": 1, "data": 8, "zero_stage": )"
                                                 + std::to_string(zero_stage) + R"(},
        "offload": {"optimizer": 1},
        "precision": {"weights": "fp32", "master": "none"},
        "batch": {"sequence_length": 4096, "global_sequences": 64, "micro_sequences": 1}})"));
}

TEST(SentWeights, HaveOneWidthInTheStepInMemoryAndInTheirExplanations) {
    const auto explained_and_not = [](const Plan &plan, const char *path) {
        const Result result = evaluate(plan, Depth::numbers);
        const Derivation tree = explain(result);
        const double value = figure_of(result, path);
        EXPECT_NEAR(find_figure(tree, path)->value, value, 1e-9 * value) << path;
        return value;
    };
    const Plan updated = wide_weights(1);
    const Plan gathered = wide_weights(3);
    const double data = explained_and_not(updated, "step.data_exposed_seconds");
    const double host = explained_and_not(updated, "step.optimizer_seconds");
    const double buffers = explained_and_not(gathered, "memory.stages.0.buffers_bytes");
    // Sent weights take 100 times as many bytes, so that copies, not the update, determine the time of the optimizer
    // step on the host.
    const decltype(formula::sent_weight_bytes)::Replacement wide(formula::sent_weight_bytes,
                                                                 [](double format) { return 100 * format; });
    EXPECT_GT(explained_and_not(updated, "step.data_exposed_seconds"), data);
    EXPECT_GT(explained_and_not(updated, "step.optimizer_seconds"), host);
    EXPECT_GT(explained_and_not(gathered, "memory.stages.0.buffers_bytes"), buffers);
}

TEST(UpdateTemporaries, AreThoseOfOneFormulaAtThePeakOverTheStepAndInTheExplanation) {
    Plan plan = preset_plan("llama-1b-profile");
    plan.batch.micro_sequences = plan.batch.global_sequences = 1;
    plan.batch.sequence_length = 64; // makes memory peak in the optimizer step
    const auto buffers = [&] {
        const Result result = evaluate(plan, Depth::numbers);
        const StageMemory &stage = result.memory.stages.front();
        EXPECT_EQ(stage.peak_operation, "optimizer step");
        EXPECT_NEAR(find_figure(explain(result), "memory.stages.0.buffers_bytes")->value, stage.buffers_bytes, 1);
        double most = 0;
        for (const MemoryPoint &point : step_memory(plan, 0).points)
            if (point.moment == StepMoment::optimizer)
                most = std::max(most, point.of(StepMemoryKind::buffers));
        EXPECT_NEAR(most, stage.buffers_bytes, 1);
        return stage.buffers_bytes;
    };
    const double before = buffers();
    ASSERT_GT(before, 0);
    const decltype(formula::update_temporaries_bytes)::Replacement both(
        formula::update_temporaries_bytes, [](double moments_bytes, double /*moments*/) { return moments_bytes; });
    EXPECT_NEAR(buffers(), 2 * before, 1);
}

} // namespace
} // namespace meshwright

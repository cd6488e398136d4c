// SPDX-License-Identifier: GPL-3.0-or-later
// Tests how long training software keeps full gradients, gathered weights, logits and results of a layer in memory.
#include "evaluate/evaluate.h"
#include "evidence/evidence_table.h"
#include "layers/flops.h"
#include "layers/layer_cost.h"
#include "layers/operations.h"
#include "preset_plans.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace meshwright {
namespace {

Result evaluated(const Plan &plan) {
    return evaluate(plan, Depth::numbers);
}

struct MeasuredPlan {
    Plan plan;
    double bytes = 0;
};
MeasuredPlan measured_plan(const std::string &id) {
    const auto table = EvidenceTable::standard();
    const auto run =
        std::find_if(table->runs.begin(), table->runs.end(), [&id](const MeasuredRun &each) { return each.id == id; });
    if (run == table->runs.end())
        return {};
    return {table->plans[static_cast<std::size_t>(run - table->runs.begin())].plan, run->peak_memory_bytes.value()};
}

/// Predicted over measured bytes of the allocator's pool for a run in the evidence, after a change of its software
/// stack.
template <typename Change>
double memory_of_run(const std::string &id, const Change &change) {
    MeasuredPlan measured = measured_plan(id);
    change(measured.plan.stack);
    const Memory memory = evaluated(measured.plan).memory;
    return (memory.reserved_bytes - memory.outside_bytes) / measured.bytes;
}

/// Predicted over measured bytes of tensors on the last rank, after a change of the plan.
template <typename Change>
double tensors_of_run(const std::string &id, const Change &change) {
    MeasuredPlan measured = measured_plan(id);
    change(measured.plan);
    const StageMemory last = evaluated(measured.plan).memory.stages.back();
    return (last.total_bytes - last.runtime_bytes + measured.plan.cluster.accelerator.workspace_bytes) / measured.bytes;
}

/// KempnerForge, benchmarks/config_validation/config_validation.md: 8B parameters sharded over 32 H200 take 51.3 GB,
/// including 32 GB of FP32 gradients of the whole model between microbatches.
TEST(Sharding, OfGradientsThatAddUpWholeTakesTheMemoryMeasured) {
    EXPECT_NEAR(memory_of_run("kf-cv3", [](Stack &) {}), 1, 0.08);
    EXPECT_LT(memory_of_run("kf-cv3", [](Stack &stack) { stack.reduces_gradients_once = false; }), 0.6);
}

/// KempnerForge, benchmarks/mfu_scaling/mfu_scaling_2026-04-05.md: the same model with tensor parallelism 4 takes 27.6
/// GB on 32 accelerators, including 12.6 GB of logits of the whole vocabulary on every rank.
TEST(Logits, ThatAreGatheredTakeTheMemoryMeasured) {
    EXPECT_NEAR(memory_of_run("kf-12", [](Stack &) {}), 1, 0.12);
    EXPECT_LT(memory_of_run("kf-12", [](Stack &stack) { stack.gathers_logits = false; }), 0.6);
}

/// torchtitan, benchmarks/llama3_h100_202412_torchtitan.md: 70B parameters with tensor parallelism 8, sharded over 32
/// ranks, take 71.9 GiB, including the logits of 131,072 tokens for an eighth of the vocabulary.
TEST(Logits, OfPartsOfTheVocabularyTakeTheMemoryMeasured) {
    Plan plan = preset_plan("torchtitan-8b-128");
    plan.model = *shipped_presets().model("llama-3.1-70b");
    plan.cluster.tiers.back().accelerators = 256;
    plan.parallelism.tensor = 8;
    plan.parallelism.sequence_parallel = true;
    plan.parallelism.data = 32;
    plan.batch = {.sequence_length = 8192, .global_sequences = 512, .micro_sequences = 16};
    plan.precision.compute = DataType::fp8;
    plan.recompute = {.mode = RecomputeMode::full};
    const auto pool = [&plan] {
        const Memory memory = evaluated(plan).memory;
        return (memory.reserved_bytes - memory.outside_bytes) / (71.9 * 1073741824);
    };
    EXPECT_NEAR(pool(), 1, 0.03);
    plan.stack.parallel_loss_bytes = 0;
    EXPECT_LT(pool(), 0.85);
}

/// Megatron-Core without fused kernels (transformer/moe/experts.py): the input of the last GEMM is the product of the
/// activations and the routing weights. Both the product and the activations are saved for backward.
TEST(Experts, ThatAreWeighedApartKeepTheirActivationsTwice) {
    Plan plan = preset_plan("qwen3-235b-256");
    const std::size_t block = plan.model.blocks.size() - 1;
    const auto saved = [&] {
        const LayerCosts layers(plan, Assumptions());
        const std::vector<LayerOperation> operations =
            layer_operations(plan.model, plan.model.blocks[block], layers.shape(), layers.device(), plan);
        return std::accumulate(operations.begin(), operations.end(), 0.0,
                               [](double sum, const LayerOperation &operation) { return sum + operation.saved_bytes; });
    };
    const double fused = saved();
    plan.stack.weighs_experts_apart = true;
    const auto &experts = std::get<Experts>(plan.model.blocks[block].transform);
    const RankShape shape = rank_shape(plan);
    const double copies = shape.tokens / shape.expert_ways * static_cast<double>(experts.experts_per_token);
    EXPECT_NEAR(saved() - fused, 2 * copies * static_cast<double>(experts.hidden), 1);
}

/// Megatron-LM, tests/functional_tests: with every layer recomputed, little more than states and the loss remains. The
/// match is within a megabyte and includes the 52 MB gradient of the tied weight, which is kept until the embedding's
/// gradient exists.
TEST(GradientOfTheHead, TakesTheMemoryMeasured) {
    const char *const run = "mlm-te_tp1_pp1_uniform_full_recompute-h100";
    EXPECT_NEAR(tensors_of_run(run, [](Plan &) {}), 1, 0.002);
    Plan plan = measured_plan(run).plan;
    const double beside = evaluated(plan).memory.stages.back().buffers_bytes;
    // Without accumulators, gradients keep the format that the backward pass produces.
    plan.precision.gradients = plan.precision.weights;
    const double gradient = 2 * static_cast<double>(plan.model.vocabulary * plan.model.hidden);
    EXPECT_NEAR(beside - evaluated(plan).memory.stages.back().buffers_bytes, gradient, 1);
}

/// Megatron-LM, tests/functional_tests: four data-parallel ranks have two instances of the distributed optimizer, and
/// the two ranks that share an expert belong to different instances.
TEST(Sharding, OfExpertsIsCutByAShardGroupAsThatOfOtherWeightsIs) {
    const char *const run = "mlm-te_tp2_pp1_te_8experts2parallel_multi_dist_optimizer_instances-h100";
    EXPECT_NEAR(tensors_of_run(run, [](Plan &) {}), 1, 0.03);
    EXPECT_LT(tensors_of_run(run, [](Plan &plan) { plan.parallelism.shard_group.reset(); }), 0.87);
}

RC_GTEST_PROP(Sharding, OfGradientsOnceAStepTakesMemoryForTime, ()) {
    PlanChoices choices;
    choices.zero_stages = {2, 3};
    std::optional<Plan> plan = valid_plan(*plan_documents(choices));
    RC_PRE(plan.has_value());
    plan->stack.gathers_once_in_pipelines = false;
    plan->stack.reduces_gradients_once = false;
    const Result every = evaluated(*plan);
    plan->stack.reduces_gradients_once = true;
    const Result once = evaluated(*plan);
    RC_ASSERT(once.step.seconds <= every.step.seconds * (1 + 1e-12));
    RC_ASSERT(once.memory.peak_bytes >= every.memory.peak_bytes * (1 - 1e-12));
    if (plan->microbatches() == 1) {
        RC_ASSERT(once.step.seconds == every.step.seconds);
        RC_ASSERT(once.memory.peak_bytes == every.memory.peak_bytes);
    }
    plan->parallelism.zero_stage = 1;
    const Result whole = evaluated(*plan);
    plan->parallelism.zero_stage = 2;
    if (plan->microbatches() > 1)
        RC_ASSERT(evaluated(*plan).memory.stages.front().gradients_bytes
                  == whole.memory.stages.front().gradients_bytes);
}

RC_GTEST_PROP(Sharding, OfWeightsThatPipelinesKeepTakesMemoryForTime, ()) {
    PlanChoices choices;
    choices.zero_stages = {3};
    choices.stacks = {"torchtitan-2024", "megatron-core-2025"};
    std::optional<Plan> plan = valid_plan(*plan_documents(choices));
    RC_PRE(plan.has_value());
    plan->stack.gathers_once_in_pipelines = false;
    const Result every = evaluated(*plan);
    plan->stack.gathers_once_in_pipelines = true;
    const Result once = evaluated(*plan);
    RC_ASSERT(once.step.seconds <= every.step.seconds * (1 + 1e-12));
    if (plan->parallelism.pipeline == 1) {
        RC_ASSERT(once.step.seconds == every.step.seconds);
        RC_ASSERT(once.memory.peak_bytes == every.memory.peak_bytes);
        return;
    }
    for (const StageMemory &stage : once.memory.stages)
        RC_ASSERT(std::abs(stage.weights_bytes - stage.parameters * bytes_of(plan->precision.weights))
                  <= 1e-9 * stage.weights_bytes);
}

RC_GTEST_PROP(Logits, ThatAreGatheredAreThoseOfAllRanks, ()) {
    std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const auto logits = [&](bool gathers) {
        plan->stack.gathers_logits = gathers;
        return LayerCosts(*plan, Assumptions(plan->assumptions)).logits_elements();
    };
    const double parts = logits(false);
    RC_ASSERT(std::abs(logits(true) / (parts * static_cast<double>(plan->parallelism.tensor)) - 1) <= 1e-12);
}

/// NVIDIA/dgxc-benchmarking, maxtext/configure.sh and README_70b.md: Llama 2 70B runs on 64 H100 of 80 GB with
/// remat_policy=save_qkv_proj. Saving the results of all GEMMs would not fit.
TEST(SelectiveRecomputation, ThatKeepsQueriesKeysAndValuesLeavesTheRoomThatAPublishedRunNeeds) {
    const auto capacity = shipped_presets().accelerator("h100-sxm-80gb")->memory_bytes;
    const auto table = EvidenceTable::standard();
    const auto run = std::find_if(table->runs.begin(), table->runs.end(),
                                  [](const MeasuredRun &each) { return each.id == "dgxc-089"; });
    ASSERT_NE(run, table->runs.end());
    Plan plan = table->plans[static_cast<std::size_t>(run - table->runs.begin())].plan;
    ASSERT_TRUE(plan.stack.selective_keeps_qkv);
    EXPECT_LT(evaluated(plan).memory.peak_bytes, capacity);
    plan.stack.selective_keeps_qkv = false;
    EXPECT_GT(evaluated(plan).memory.peak_bytes, capacity);
}

/// Llama 2 70B has a hidden size of 8,192. The GEMMs of a layer have 12.75 x 8,192^2 weights: 2.25 in attention and
/// 10.5 in the feed-forward part. Without the projections to queries, keys and values and the last GEMM, 8 remain.
TEST(SelectiveRecomputation, CountsWhatTheSoftwareDoesAgain) {
    Plan plan = preset_plan("llama2-70b");
    plan.recompute = {.mode = RecomputeMode::selective};
    const ForwardFlops all = forward_flops(plan.model, static_cast<double>(plan.batch.sequence_length));
    const double square = 8192.0 * 8192.0;
    ASSERT_NEAR(all.matrices - all.head, 80 * 2 * 12.75 * square, 1e-6 * all.matrices);
    EXPECT_EQ(recomputed_flops(plan), all.attention);
    plan.stack.selective_by_operation = true;
    plan.stack.selective_multiplies = 0.5;
    EXPECT_NEAR(recomputed_flops(plan), (all.matrices - all.head) / 2, 1e-6 * all.matrices);
    plan.stack.selective_keeps_qkv = true;
    plan.stack.recompute_early_stop = 1;
    EXPECT_NEAR(recomputed_flops(plan), 80 * 2 * 8 * square + all.attention, 1e-6 * all.matrices);
}

RC_GTEST_PROP(SelectiveRecomputation, ThatKeepsQueriesKeysAndValuesLiesBetweenFullAndByOperation, ()) {
    PlanChoices choices;
    choices.recomputes = {"selective"};
    choices.computes = {"bf16"};
    std::optional<Plan> plan = valid_plan(*plan_documents(choices));
    RC_PRE(plan.has_value() && plan->model.mtp_layers == 0);
    plan->stack.selective_by_operation = true;
    plan->stack.selective_multiplies = 0;
    plan->stack.recompute_early_stop = 1;
    plan->stack.selective_keeps_qkv = false;
    const Result by_operation = evaluated(*plan);
    plan->stack.selective_keeps_qkv = true;
    const Result narrow = evaluated(*plan);
    plan->recompute.mode = RecomputeMode::full;
    const Result full = evaluated(*plan);
    const auto recomputed = [](const Result &result) { return result.step.term(StepTerm::recompute); };
    RC_ASSERT(recomputed(by_operation) <= recomputed(narrow) * (1 + 1e-12));
    RC_ASSERT(recomputed(narrow) <= recomputed(full) * (1 + 1e-12));
    const auto kept = [](const Result &result) { return result.memory.stages.front().activations_bytes; };
    RC_ASSERT(kept(full) <= kept(narrow) * (1 + 1e-12));
    RC_ASSERT(kept(narrow) <= kept(by_operation) * (1 + 1e-12));
}

} // namespace
} // namespace meshwright

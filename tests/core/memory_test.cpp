// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_model.h"

#include "evaluate/evaluate.h"
#include "evidence/evidence_table.h"
#include "pipeline/order.h"
#include "random_plans.h"
#include "step/plan_pipeline.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

/// One stage with this many dense parameters on this many data-parallel ranks.
RankMemory state_of(double parameters, std::int64_t data, std::int64_t zero_stage,
                    DataType gradients = DataType::bf16) {
    Plan plan;
    plan.cluster.accelerator = *shipped_presets().accelerator("h100-sxm-80gb");
    plan.cluster.tiers = {{"links", data, 450e9, 0}};
    plan.model = *shipped_presets().model("smollm-135m");
    plan.stack = *shipped_presets().stack("megatron-core-2025");
    plan.parallelism.data = data;
    plan.parallelism.zero_stage = zero_stage;
    plan.batch.global_sequences = data;
    plan.precision.gradients = gradients;
    const LayerCosts layers(plan, Assumptions());
    PipelineCosts costs = pipeline_costs(plan, layers);
    costs.ranks.front().cost.parameters = {.dense = parameters, .experts = 0};
    return memory_of_ranks(plan, layers, costs, Assumptions()).front();
}

double state_bytes_of(const RankMemory &memory) {
    return memory.weights_bytes + memory.gradients_bytes + memory.master_bytes + memory.moments_bytes;
}

TEST(Zero, DividesTwelveThenFourteenThenSixteenBytesAParameter) {
    // Rajbhandari et al. 2020, figure 1: 7e9 parameters on 64 ranks take 112, 29.3, 15.5 and 1.75 GB.
    const double published[] = {112e9, 29.3125e9, 15.53125e9, 1.75e9};
    for (std::int64_t stage = 0; stage <= 3; ++stage)
        EXPECT_NEAR(state_bytes_of(state_of(7e9, 64, stage)), published[stage], 1) << stage;
    EXPECT_NEAR(state_bytes_of(state_of(30e9, 8, 3)), 60e9, 1);
}

TEST(MegatronState, Is18BytesAParameterOr6And12OverTheDataRanks) {
    EXPECT_NEAR(state_bytes_of(state_of(1e9, 8, 0, DataType::fp32)), 18e9, 1);
    EXPECT_NEAR(state_bytes_of(state_of(1e9, 8, 1, DataType::fp32)), (6 + 12.0 / 8) * 1e9, 1);
    EXPECT_NEAR(state_bytes_of(state_of(1e9, 8, 1)), (4 + 12.0 / 8) * 1e9, 1);
}

TEST(FullyShardedState, KeepsNoWeightsBesideItsMasterAndGathersWhatRuns) {
    Plan plan = preset_plan("smollm-135m");
    plan.stack.weights_beside_master = false;
    plan.parallelism.zero_stage = 3;
    plan.precision.master = DataType::fp32;
    EXPECT_EQ(state_bytes(plan).weights, 0);
    plan.parallelism.zero_stage = 2; // each rank has all weights next to its shard of the master weights
    EXPECT_EQ(state_bytes(plan).weights, bytes_of(plan.precision.weights));
}

TEST(Optimizer, KeepsTheMomentsOfItsKind) {
    Plan plan;
    const auto moments = [&](OptimizerKind kind) {
        plan.optimizer.kind = kind;
        return state_bytes(plan).moments;
    };
    EXPECT_EQ(moments(OptimizerKind::adamw), 8);
    EXPECT_EQ(moments(OptimizerKind::muon), 4);
    EXPECT_EQ(moments(OptimizerKind::sgd), 4);
    EXPECT_NEAR(moments(OptimizerKind::adam_8bit), 2 * (1 + 4.0 / 2048), 1e-12);
    EXPECT_EQ(moments(OptimizerKind::adafactor), 0);
}

Result evaluated(const Plan &plan) {
    return evaluate(plan, Depth::numbers);
}

TEST(Interleaving, HoldsPMinusOneOverPVMoreActivationBytesThan1F1B) {
    Plan plan = preset_plan("gpt3-175b-1k");
    plan.model.layers = {{.block = 0, .count = 96}};
    plan.parallelism.schedule = Schedule::one_f_one_b;
    plan.parallelism.chunks = 1;
    plan.parallelism.layout.clear();
    const double plain = evaluated(plan).memory.stages.at(1).activations_bytes;
    plan.parallelism.schedule = Schedule::interleaved;
    plan.parallelism.chunks = 2;
    const auto p = static_cast<double>(plan.parallelism.pipeline);
    const double interleaved = evaluated(plan).memory.stages.at(1).activations_bytes;
    // On rank 1, 1F1B has p - 1 microbatches in flight, and interleaving has 2(p - 2) + p + 1 chunks.
    EXPECT_NEAR(interleaved / plain, (2 * (p - 2) + p + 1) / 2 / (p - 1), 1e-9);
}

TEST(TwoDirections, KeepTheWeightsOfTwoStagesOnEachRank) {
    Plan plan = preset_plan("gpt3-175b-1k");
    plan.parallelism.schedule = Schedule::one_f_one_b;
    plan.parallelism.chunks = 1;
    plan.parallelism.layout.clear();
    plan.model.tied_embeddings = false;
    const Result one_way = evaluated(plan);
    plan.parallelism.schedule = Schedule::dualpipe;
    const Result both = evaluated(plan);
    const std::size_t last = one_way.memory.stages.size() - 1;
    for (std::size_t r = 0; r <= last; ++r)
        EXPECT_NEAR(both.memory.stages[r].weights_bytes,
                    one_way.memory.stages[r].weights_bytes + one_way.memory.stages[last - r].weights_bytes, 1)
            << r;
}

TEST(TwoDirections, ShareTheOptimizerStatesOfBothCopies) {
    Plan plan = preset_plan("gpt3-175b-1k");
    plan.parallelism.schedule = Schedule::one_f_one_b;
    plan.parallelism.chunks = 1;
    plan.parallelism.layout.clear();
    plan.parallelism.zero_stage = 1;
    const auto optimizer_bytes = [&] {
        double sum = 0;
        for (const StageMemory &stage : evaluated(plan).memory.stages)
            sum += stage.optimizer_bytes;
        return sum;
    };
    plan.model.tied_embeddings = false;
    const double one_way = optimizer_bytes();
    plan.parallelism.schedule = Schedule::dualpipe;
    EXPECT_NEAR(optimizer_bytes() / one_way, 1, 1e-12);
}

TEST(TiedEmbedding, IsKeptTwiceOnlyWhereItsEndsLieOnDifferentRanks) {
    Plan plan = preset_plan("pretrain-8b");
    plan.model = *shipped_presets().model("qwen2-0.5b");
    plan.cluster.tiers = {{"links", 8, 450e9, 0}};
    plan.parallelism = {.pipeline = 4, .chunks = 2, .data = 2, .schedule = Schedule::interleaved};
    plan.batch = {.sequence_length = 2048, .global_sequences = 64, .micro_sequences = 1};
    const double embedding = 2 * static_cast<double>(plan.model.vocabulary) * static_cast<double>(plan.model.hidden);
    const auto weights = [&] {
        double sum = 0;
        for (const StageMemory &stage : evaluated(plan).memory.stages)
            sum += stage.weights_bytes;
        return sum;
    };
    const double model = 2 * parameters_of(plan.model).total;
    EXPECT_NEAR(weights(), model + embedding, 1);
    plan.parallelism.schedule = Schedule::zb_v; // the V shape places the last stage on the first rank too
    EXPECT_NEAR(weights(), model, 1);
    plan.parallelism = {.pipeline = 1, .chunks = 2, .data = 8, .schedule = Schedule::interleaved};
    EXPECT_NEAR(weights(), model, 1);
}

/// GPT-3 175B on 8 stages with tensor parallelism 8, as Megatron-Core builds it: the output layer of the last stage is
/// vocabulary x hidden, without the position table (gpt_model.py), and every rank has the full biases of row-parallel
/// matrices.
TEST(TiedEmbedding, IsKeptAgainWithoutThePositionTable) {
    const Plan plan = preset_plan("gpt3-175b-1k");
    const auto d = static_cast<double>(plan.model.hidden);
    const auto vocabulary = static_cast<double>(plan.model.vocabulary);
    // QKV, output, up and down projections
    const double split = 3 * d * d + 3 * d + d * d + 4 * d * d + 4 * d + 4 * d * d;
    const double whole = d + d + 4 * d; // biases of the output and down projections, two norms
    const double layers = 12 * (split / 8 + whole);
    const std::vector<StageMemory> stages = evaluated(plan).memory.stages;
    ASSERT_EQ(stages.size(), 8U);
    EXPECT_NEAR(stages[3].parameters, layers, 1e-3);
    EXPECT_NEAR(stages[0].parameters, layers + vocabulary * d / 8 + 2048 * d, 1e-3);
    EXPECT_NEAR(stages[7].parameters, layers + vocabulary * d / 8 + 2 * d, 1e-3);
}

TEST(GPipe, KeepsTheLogitsOfEveryMicrobatchUntilTheBackwardPasses) {
    Plan plan = preset_plan("gpt3-175b-1k");
    plan.parallelism.chunks = 1;
    plan.parallelism.layout.clear();
    plan.model.vocabulary = 2'000'000; // makes memory peak at the loss
    plan.parallelism.schedule = Schedule::one_f_one_b;
    const LayerCosts layers(plan, Assumptions());
    const double elements = layers.logits_elements();
    EXPECT_NEAR(evaluated(plan).memory.stages.back().logits_bytes, 6 * elements, 1);
    plan.parallelism.schedule = Schedule::gpipe;
    const auto microbatches = static_cast<double>(plan.microbatches());
    // Every waiting microbatch keeps the softmax, four of the six bytes per logit. Only one microbatch at a time needs
    // all six.
    EXPECT_NEAR(evaluated(plan).memory.stages.back().logits_bytes, (4 * (microbatches - 1) + 6) * elements, 1);
}

TEST(SelectiveRecomputation, BringsTheScoresOfOneLayerBackForItsBackwardPass) {
    Plan plan = preset_plan("gpt3-175b-1k");
    plan.stack = *shipped_presets().stack("megatron-lm-2021");
    plan.recompute = {.mode = RecomputeMode::selective};
    const LayerCosts layers(plan, Assumptions());
    const double scores = 5 * layers.shape().tokens * layers.shape().sequence * 96 / layers.shape().tensor;
    EXPECT_GE(layers.of_block(0).stored_working.bytes, scores);
}

/// Peak memory of a plan, summed over all eight kinds of memory.
double peak(const Plan &plan) {
    return evaluated(plan).memory.peak_bytes;
}

RC_GTEST_PROP(Memory, IsTheSumOfItsEightKindsAndPeaksAtTheLargestStage, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const Memory memory = evaluated(*plan).memory;
    RC_ASSERT(memory.stages.size() == static_cast<std::size_t>(plan->parallelism.pipeline));
    double largest = 0;
    for (const StageMemory &stage : memory.stages) {
        const double kinds[] = {stage.weights_bytes,     stage.gradients_bytes, stage.optimizer_bytes,
                                stage.activations_bytes, stage.logits_bytes,    stage.buffers_bytes,
                                stage.outer_bytes,       stage.runtime_bytes};
        double sum = 0;
        for (const double kind : kinds) {
            RC_ASSERT(std::isfinite(kind));
            RC_ASSERT(kind >= 0);
            sum += kind;
        }
        RC_ASSERT(std::abs(sum - stage.total_bytes) <= 1e-12 * sum);
        RC_ASSERT(std::abs(stage.master_bytes + stage.moments_bytes - stage.optimizer_bytes) <= 1e-12 * sum);
        largest = std::max(largest, stage.total_bytes);
    }
    RC_ASSERT(memory.peak_bytes == largest);
    RC_ASSERT(memory.stages[static_cast<std::size_t>(memory.peak_stage)].total_bytes == largest);
    RC_ASSERT(memory.stages[static_cast<std::size_t>(memory.peak_stage)].peak_operation == memory.peak_operation);
}

RC_GTEST_PROP(Memory, ShrinksOrStaysWithEveryZeroStage, ()) {
    PlanChoices choices;
    choices.offloaded_optimizers = {0}; // offloaded states are not sharded further, and sharding needs buffers
    std::optional<Plan> plan = valid_plan(*plan_documents(choices));
    RC_PRE(plan.has_value());
    plan->parallelism.zero_stage = 0;
    double before = peak(*plan);
    for (std::int64_t stage = 1; stage <= 3; ++stage) {
        plan->parallelism.zero_stage = stage;
        const double after = peak(*plan);
        RC_ASSERT(after <= before * (1 + 1e-12));
        before = after;
    }
}

/// Multiplies a degree and the site's accelerators by the same factor.
Plan grown(Plan plan, std::int64_t Parallelism::*degree, std::int64_t factor) {
    plan.parallelism.*degree *= factor;
    plan.cluster.tiers.back().accelerators *= factor;
    return plan;
}

RC_GTEST_PROP(Memory, ShrinksOrStaysWithMoreDataRanks, ()) {
    std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value() && plan->parallelism.data > 1);
    Plan more = grown(*plan, &Parallelism::data, 2);
    more.batch.global_sequences *= 2;
    RC_ASSERT(peak(more) <= peak(*plan) * (1 + 1e-12));
}

RC_GTEST_PROP(State, OfEachRankShrinksOrStaysWithTwiceTheTensorOrPipelineDegree, ()) {
    PlanChoices choices;
    choices.schedules = {"1f1b", "gpipe", "zb-h1", "interleaved"};
    std::optional<Plan> plan = valid_plan(*plan_documents(choices));
    RC_PRE(plan.has_value());
    plan->stack.gathers_once_in_pipelines = false; // with ZeRO stage 2, every rank would otherwise keep all weights
    const auto largest = [](const Plan &of) {
        double bytes = 0;
        for (const StageMemory &stage : evaluated(of).memory.stages)
            bytes = std::max(bytes, stage.weights_bytes + stage.optimizer_bytes);
        return bytes;
    };
    const Plan wider = grown(*plan, &Parallelism::tensor, 2);
    if (check_plan(wider).empty())
        RC_ASSERT(largest(wider) <= largest(*plan) * (1 + 1e-12));
    Plan deeper = grown(*plan, &Parallelism::pipeline, 2);
    if (check_plan(deeper).empty())
        RC_ASSERT(largest(deeper) <= largest(*plan) * (1 + 1e-12));
}

std::vector<Operation> operations_of(const Plan &plan) {
    const LayerCosts layers(plan, Assumptions(plan.assumptions));
    return operation_order(order_request(plan, layers, pipeline_costs(plan, layers))).operations;
}

RC_GTEST_PROP(Recomputation, OfWholeLayersNeverNeedsMoreMemoryThanNoneAndNeverLessTime, ()) {
    PlanChoices choices;
    choices.offloaded_activations = {0}; // recomputation would shorten copies to the host
    std::optional<Plan> plan = valid_plan(*plan_documents(choices));
    RC_PRE(plan.has_value());
    plan->recompute = {.mode = RecomputeMode::none};
    const Result none = evaluated(*plan);
    const std::vector<Operation> operations = operations_of(*plan);
    for (const RecomputeMode mode : {RecomputeMode::selective, RecomputeMode::layers, RecomputeMode::full}) {
        plan->recompute = {.mode = mode, .layers = 2};
        const Result again = evaluated(*plan);
        RC_ASSERT(again.memory.peak_bytes <= none.memory.peak_bytes * (1 + 1e-12));
        // Two cases are left out. The traffic of sharding inside a pipeline depends on the rank that computes longest,
        // which may change to a rank with fewer weights. A searched order may suit longer operations better (Graham
        // 1969, on list scheduling).
        RC_ASSERT(shards_inside_a_pipeline(*plan) || operations_of(*plan) != operations
                  || again.step.seconds >= none.step.seconds * (1 - 1e-12));
        RC_ASSERT(again.flops.hardware_per_step >= none.flops.hardware_per_step);
    }
}

RC_GTEST_PROP(Recomputation, OfAllOfAStagesLayersIsFullRecomputation, ()) {
    std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value() && plan->model.mtp_layers == 0);
    plan->recompute = {.mode = RecomputeMode::full};
    const Result full = evaluated(*plan);
    plan->recompute = {.mode = RecomputeMode::layers, .layers = plan->model.layer_count()};
    const Result all = evaluated(*plan);
    RC_ASSERT(all.memory.peak_bytes == full.memory.peak_bytes);
    RC_ASSERT(all.step.seconds == full.step.seconds);
    RC_ASSERT(std::abs(all.flops.hardware_per_step / full.flops.hardware_per_step - 1) <= 1e-12);
}

/// MaxText (configs/v5e/32b.sh) trains 32B parameters on 256 TPU v5e of 16 GiB. Gathering weights and reducing
/// gradients layer by layer would take 11 GB.
TEST(Sharding, WeightByWeightLeavesTheRoomThatAPublishedRunNeeds) {
    const auto table = EvidenceTable::standard();
    const auto run = std::find_if(table->runs.begin(), table->runs.end(),
                                  [](const MeasuredRun &each) { return each.id == "maxtext-v5e-32b-1"; });
    ASSERT_NE(run, table->runs.end());
    Plan plan = table->plans[static_cast<std::size_t>(run - table->runs.begin())].plan;
    ASSERT_TRUE(plan.stack.shards_by_weight);
    EXPECT_TRUE(evaluated(plan).verdict.fits);
    plan.stack.shards_by_weight = false;
    EXPECT_FALSE(evaluated(plan).verdict.fits);
}

RC_GTEST_PROP(Sharding, WeightByWeightNeverTakesMoreMemory, ()) {
    std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    plan->stack.shards_by_weight = false;
    const Result layers = evaluated(*plan);
    plan->stack.shards_by_weight = true;
    RC_ASSERT(evaluated(*plan).memory.peak_bytes <= layers.memory.peak_bytes * (1 + 1e-12));
}

} // namespace
} // namespace meshwright

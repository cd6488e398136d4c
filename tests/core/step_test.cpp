// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/step_model.h"

#include "evaluate/evaluate.h"
#include "evidence/evidence_table.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace meshwright {
namespace {

Result evaluated(const Plan &plan) {
    return evaluate(plan, Depth::numbers);
}

/// A plan in which only GEMMs and the pipeline bubble take time.
Plan bare(std::int64_t pipeline, std::int64_t microbatches, Schedule schedule, std::int64_t chunks = 1) {
    Plan plan = preset_plan("gpt3-175b-1k");
    plan.stack = *shipped_presets().stack("ideal");
    plan.parallelism = {.pipeline = pipeline, .chunks = chunks, .schedule = schedule};
    plan.cluster.tiers = {{"links", pipeline, 1e18, 0}};
    plan.batch = {.sequence_length = 2048, .global_sequences = microbatches, .micro_sequences = 1};
    plan.assumptions = {{"straggler-per-doubling", 0}, {"pipeline-send-latency", 0}};
    plan.recompute = {};
    // Makes the ends of the model nearly free: looking up embeddings lengthens the first stage by a thousandth.
    plan.model.vocabulary = 1;
    plan.model.learned_positions = 0;
    plan.model.final_norm = false;
    return plan;
}

TEST(Bubble, Of1F1BIsPMinusOneOverMOfIdealTime) {
    for (const auto &[p, m] : {std::pair{4, 12}, {16, 4}, {8, 64}}) {
        const Pipeline pipeline = evaluated(bare(p, m, Schedule::one_f_one_b)).pipeline;
        EXPECT_NEAR(pipeline.bubble_of_ideal / ((p - 1.0) / m), 1, 1e-3) << p << " " << m;
        EXPECT_NEAR(pipeline.bubble_of_total / ((p - 1.0) / (m + p - 1)), 1, 1e-3) << p << " " << m;
    }
}

TEST(Bubble, OfInterleavingIsDividedByItsChunks) {
    const Pipeline pipeline = evaluated(bare(4, 12, Schedule::interleaved, 4)).pipeline;
    EXPECT_NEAR(pipeline.bubble_of_ideal, 3.0 / (4 * 12), 2e-4);
    EXPECT_NEAR(pipeline.bubble_of_total, 3.0 / (4 * 12 + 3), 2e-4);
}

TEST(BubbleShares, AreTheSameIdleTimeOverThreeWholes) {
    const Pipeline pipeline = evaluated(preset_plan("gpt3-175b-1k")).pipeline;
    EXPECT_NEAR(pipeline.bubble_of_total, pipeline.bubble_of_ideal / (1 + pipeline.bubble_of_ideal), 1e-12);
    // The first rank of 1F1B starts first and ends last.
    EXPECT_NEAR(pipeline.bubble_of_span, pipeline.bubble_of_total, 1e-12);
}

TEST(DataTraffic, WithoutOverlapIsOneReduceScatterOfGradientsAndOneAllGatherOfWeights) {
    Plan plan = preset_plan("pretrain-8b");
    plan.stack.data_overlap = false;
    plan.parallelism.zero_stage = 1;
    const LayerCosts layers(plan, Assumptions(plan.assumptions));
    const PipelineCosts costs = pipeline_costs(plan, layers);
    const double parameters = costs.ranks.front().cost.parameters.dense;
    const Group data = layers.groups().data;
    const double expected = layers.network().all_gather_seconds(data, parameters * bytes_of(plan.precision.gradients))
        + layers.network().all_gather_seconds(data, parameters * 2);
    EXPECT_NEAR(evaluated(plan).step.term(StepTerm::data) / expected, 1, 1e-12);
}

TEST(DataTraffic, OfUpdatedWeightsIsSeenInFullWhereTheUpdateWaitsForIt) {
    Plan plan = preset_plan("pretrain-8b");
    plan.parallelism.zero_stage = 1;
    const double beside = evaluated(plan).step.term(StepTerm::data);
    plan.stack.overlaps_weight_gather = false;
    const Assumptions assumptions(plan.assumptions);
    const LayerCosts layers(plan, assumptions);
    const PipelineCosts costs = pipeline_costs(plan, layers);
    const RankCollectives collectives = rank_collectives(plan, layers, costs, assumptions, 0);
    EXPECT_EQ(collectives.gather_exposed_seconds, collectives.gather_seconds);
    EXPECT_NEAR(evaluated(plan).step.term(StepTerm::data),
                collectives.reduce_exposed_seconds + collectives.gather_seconds, 1e-12);
    EXPECT_GT(evaluated(plan).step.term(StepTerm::data), beside);
}

/// Measured and predicted step time of a run in seconds.
struct RunSeconds {
    double measured;
    double predicted;
};
RunSeconds seconds_of_run(const std::string &id) {
    const auto table = EvidenceTable::standard();
    const auto run =
        std::find_if(table->runs.begin(), table->runs.end(), [&id](const MeasuredRun &each) { return each.id == id; });
    if (run == table->runs.end())
        return {};
    const RunPlan &plan = table->plans[static_cast<std::size_t>(run - table->runs.begin())];
    return {.measured = run->measured_seconds().value_or(0),
            .predicted = predict(plan.plan, plan.batch_share, Assumptions(plan.plan.assumptions)).step_seconds};
}

TEST(DataTraffic, OfGradientsInSharesIsSeenInFullWhereItIsScatteredInPlainSight) {
    Plan plan = preset_plan("pretrain-8b");
    const Assumptions assumptions(plan.assumptions);
    const auto collectives = [&](std::int64_t zero_stage, bool overlaps) {
        plan.parallelism.zero_stage = zero_stage;
        plan.stack.overlaps_gradient_scatter = overlaps;
        const LayerCosts layers(plan, assumptions);
        return rank_collectives(plan, layers, pipeline_costs(plan, layers), assumptions, 0);
    };
    const RankCollectives seen = collectives(1, false);
    EXPECT_EQ(seen.reduce_exposed_seconds, seen.reduce_seconds);
    EXPECT_LT(collectives(1, true).reduce_exposed_seconds, seen.reduce_seconds);
    EXPECT_EQ(collectives(0, false).reduce_exposed_seconds, collectives(0, true).reduce_exposed_seconds);
}

TEST(DataTraffic, OfWeightsGatheredAtOnceStartsOnce) {
    Plan plan = preset_plan("pretrain-8b");
    plan.parallelism.zero_stage = 1;
    plan.stack.bucket_bytes = 1e7;
    const Assumptions assumptions(plan.assumptions);
    const auto gather_seconds = [&] {
        const LayerCosts layers(plan, assumptions);
        return rank_collectives(plan, layers, pipeline_costs(plan, layers), assumptions, 0).gather_seconds;
    };
    const double buckets = gather_seconds();
    plan.stack.gathers_weights_at_once = true;
    const double at_once = gather_seconds();
    EXPECT_LT(at_once, buckets);
    plan.stack.bucket_bytes = 1e15;
    EXPECT_EQ(gather_seconds(), at_once);
}

/// The Ultra-Scale Playbook's runs of an 8.9B model on 256 H100, which differ only in ZeRO stage: with one microbatch
/// and tensor parallelism 8, ZeRO-1 takes 0.27 s longer. Without ZeRO, the backward pass hides this part of the
/// all-reduces.
TEST(DataTraffic, OfNanotronsShardsCostsWhatItsRunsSay) {
    const RunSeconds whole = seconds_of_run("pb-2336");
    const RunSeconds shards = seconds_of_run("pb-2337");
    ASSERT_NEAR(shards.measured - whole.measured, 0.27, 0.01);
    EXPECT_NEAR((shards.predicted - whole.predicted) / (shards.measured - whole.measured), 1, 0.35);
}

/// torchtitan, benchmarks/asyncTP_llama3_h100_2025-06_torchtitan.md: Llama 3.1 8B, tensor-parallel over eight H100, 12
/// sequences of 8,192 tokens per microbatch. A step takes 2.81 s, and copying takes a twelfth of it.
TEST(TensorTraffic, OfSequencesBehindBatchesIsCopied) {
    const RunSeconds copied = seconds_of_run("titan-025");
    ASSERT_NEAR(copied.measured, 2.81, 0.01);
    EXPECT_NEAR(copied.predicted / copied.measured, 1, 0.05);
}

/// torchtitan, benchmarks/llama3_h100_202412_torchtitan.md, tables 1 and 3: without compilation, Llama 3.1 8B takes
/// 15.7% longer on 8 H100 and 16.2% longer on 128. The prediction counts the kernels of norms and is not fitted.
TEST(MemoryTraffic, OfNormsThatAreNotCompiledTakesTheTimeMeasured) {
    for (const auto &[eager_id, compiled_id, longer] :
         {std::tuple{"titan-001", "titan-002", 1.157}, std::tuple{"titan-004", "titan-005", 1.162}}) {
        const RunSeconds eager = seconds_of_run(eager_id);
        const RunSeconds compiled = seconds_of_run(compiled_id);
        ASSERT_NEAR(eager.measured / compiled.measured, longer, 1e-3);
        EXPECT_NEAR(eager.predicted / compiled.predicted / longer, 1, 0.03);
    }
}

/// MaxText, configs/v5e/README.md: 128B parameters on a 16 x 16 torus of TPU v5e, with tensor parallelism along one
/// axis, whose links alone carry this traffic. PaLM, arXiv 2204.02311, section 4.1: 238,300 tokens/s on two pods of TPU
/// v4.
TEST(TensorTraffic, OnATorusHasTheLinksOfItsAxes) {
    const RunSeconds v5e = seconds_of_run("maxtext-v5e-128b-1");
    ASSERT_NEAR(v5e.measured, 14.21, 0.01);
    EXPECT_NEAR(v5e.predicted / v5e.measured, 1, 0.05);
    const Plan palm = preset_plan("palm-540b");
    const double tokens = static_cast<double>(palm.batch.global_sequences * palm.batch.sequence_length);
    EXPECT_NEAR(evaluated(palm).step.seconds / (tokens / 238300), 1, 0.08);
}

TEST(Optimizer, WaitsForTwoSumsOverAllAccelerators) {
    Plan plan = preset_plan("pretrain-8b");
    const auto optimizer = [&] { return evaluated(plan).step.term(StepTerm::optimizer); };
    const auto one_sum = [&] {
        return Network(plan.cluster, Assumptions(plan.assumptions))
            .all_reduce_seconds({.members = plan.site_accelerators(), .stride = 1}, 4);
    };
    const double nominal = optimizer();
    const double nominal_sum = one_sum();
    ASSERT_GT(nominal_sum, 0);
    plan.cluster.health = NetworkHealth::degraded;
    EXPECT_NEAR(optimizer() - nominal, 2 * (one_sum() - nominal_sum), 1e-12);
}

/// CUDA_LAUNCH_BLOCKING=1 slowed a 200B model on 80 A100 from 97.20 to 91.04 TFLOP/s per GPU, by 6.8% (bigscience,
/// train/tr11-176B-ml/chronicles-prequel.md).
TEST(Launches, ThatWaitForTheDeviceAddTheirTimeToItsKernels) {
    const auto table = EvidenceTable::standard();
    const auto run = std::find_if(table->runs.begin(), table->runs.end(),
                                  [](const MeasuredRun &each) { return each.id == "bloom-132"; });
    ASSERT_NE(run, table->runs.end());
    Plan plan = table->plans[static_cast<std::size_t>(run - table->runs.begin())].plan;
    const auto seconds = [&](bool wait) {
        plan.stack.launches_wait = wait;
        return predict(plan, 1, Assumptions()).step_seconds;
    };
    EXPECT_NEAR(seconds(true) / seconds(false) / (97.20 / 91.04), 1, 0.01);
}

/// Breadth-First Pipeline Parallelism (arXiv 2211.05953, section 4): a chunk is reduced once for all microbatches that
/// it runs in a row.
TEST(DataTraffic, OfShardedGradientsComesWheneverARankTurnsToAnotherChunk) {
    Plan plan = preset_plan("llama3-405b-16k");
    plan.stack.data_overlap = false;
    const auto data_seconds = [&](std::int64_t zero_stage, Schedule schedule, std::int64_t rounds) {
        plan.parallelism.zero_stage = zero_stage;
        plan.parallelism.schedule = schedule;
        plan.batch.global_sequences =
            rounds * plan.parallelism.pipeline * plan.parallelism.data * plan.batch.micro_sequences;
        return evaluated(plan).step.term(StepTerm::data);
    };
    const double once = data_seconds(1, Schedule::interleaved, 1);
    const double reduction = data_seconds(2, Schedule::interleaved, 2) - once;
    EXPECT_GT(reduction, 0.3 * once); // FP32 gradients are reduced, 16-bit weights are gathered
    EXPECT_NEAR(data_seconds(2, Schedule::interleaved, 1), once, 1e-12 * once);
    EXPECT_NEAR(data_seconds(2, Schedule::interleaved, 3), once + 2 * reduction, 1e-12 * once);
    EXPECT_NEAR(data_seconds(2, Schedule::looped_bfs, 3), once, 1e-12 * once);
    plan.parallelism.group = 2 * plan.parallelism.pipeline;
    EXPECT_NEAR(data_seconds(2, Schedule::interleaved, 4), once + reduction, 1e-12 * once);
}

TEST(HybridSharding, GathersInsideItsGroupAndReducesTheRestByShards) {
    Plan plan = preset_plan("pretrain-8b");
    plan.parallelism = {.data = 64, .zero_stage = 3};
    plan.cluster.tiers = {{"nvlink", 8, 450e9, 3e-6}, {"network", 64, 5e9, 7e-6}}; // a slow network
    plan.batch = {.sequence_length = 4096, .global_sequences = 64, .micro_sequences = 1};
    plan.precision.gradients = DataType::bf16;
    const double whole = evaluated(plan).step.seconds;
    plan.parallelism.shard_group = 8;
    const double hybrid = evaluated(plan).step.seconds;
    EXPECT_LT(hybrid, whole); // only an eighth of the gradients leaves the node
    plan.parallelism.shard_group = 64;
    EXPECT_NEAR(evaluated(plan).step.seconds, whole, 1e-12 * whole);
}

RC_GTEST_PROP(Step, IsTheSumOfItsNineTermsWhichAreFiniteAndNotNegative, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const Result result = evaluated(*plan);
    double sum = 0;
    for (const double term : result.step.terms) {
        RC_ASSERT(std::isfinite(term));
        RC_ASSERT(term >= 0);
        sum += term;
    }
    RC_ASSERT(std::abs(sum - result.step.seconds) <= 1e-12 * sum);
    RC_ASSERT(result.step.seconds > 0);
    RC_ASSERT(result.pipeline.makespan_seconds <= result.step.seconds);
}

RC_GTEST_PROP(Utilisation, OfModelFlopsIsAtMostThatOfHardwareFlopsWhichIsAtMostOne, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    const Step step = evaluated(*plan).step;
    RC_ASSERT(step.mfu > 0);
    RC_ASSERT(step.mfu <= step.hfu);
    RC_ASSERT(step.hfu <= 1);
    RC_ASSERT(step.mfu <= step.mfu_full_attention);
    const double tokens = static_cast<double>(plan->batch.global_sequences * plan->batch.sequence_length);
    RC_ASSERT(std::abs(step.tokens_per_second * step.seconds / tokens - 1) <= 1e-12);
}

RC_GTEST_PROP(Bubble, IsASmallerShareOfIdealTimeWithMoreMicrobatches, ()) {
    std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value());
    // Uses closed forms, because a pair of microbatches in one block may wait longer than two in a row.
    const double few = evaluate(*plan, Depth::closed_forms).pipeline.bubble_of_ideal;
    plan->batch.global_sequences *= 2;
    RC_ASSERT(evaluate(*plan, Depth::closed_forms).pipeline.bubble_of_ideal <= few * (1 + 1e-12));
}

/// Step time by closed forms for searched orders, because an order found for longer operations may suit shorter ones
/// worse.
double comparable_seconds(const Plan &plan) {
    constexpr std::array searched{Schedule::zb_1p, Schedule::zb_2p, Schedule::zb_v, Schedule::v_half, Schedule::v_min};
    const bool fixed = std::find(searched.begin(), searched.end(), plan.parallelism.schedule) == searched.end();
    return evaluate(plan, fixed ? Depth::numbers : Depth::closed_forms).step.seconds;
}

/// When a pipeline is executed, each rank's busy and idle time add up to the makespan. Work outside the pipeline
/// therefore adds as much to the step time as the rank with the most such work needs.
RC_GTEST_PROP(Step, WaitsForTheRankWithMostToDoBesideThePipeline, ()) {
    const std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value() && plan->parallelism.pipeline > 1);
    const Result result = evaluated(*plan);
    RC_PRE(result.pipeline.closed_form_makespan_seconds.has_value());
    const Assumptions assumed(plan->assumptions);
    const LayerCosts layers(*plan, assumed);
    const PipelineCosts costs = pipeline_costs(*plan, layers);
    const DataRings rings = data_rings(*plan, layers);
    double most = 0;
    for (const RankCost &rank : costs.ranks)
        most = std::max(most, unoverlapped_seconds(*plan, layers, rings, rank.cost, assumed));
    const double apart = result.step.term(StepTerm::data) + result.step.term(StepTerm::optimizer);
    RC_ASSERT(std::abs(apart - most) <= 1e-12 * most);
}

/// The traffic of sharded gradients and weights is taken from the pipeline rank that computes longest. If times
/// change, this may be another rank with other weights, so comparisons leave out such plans.
RC_GTEST_PROP(Step, IsNeverLongerOnAFasterLink, ()) {
    std::optional<Plan> plan = valid_plan(*plan_documents());
    RC_PRE(plan.has_value() && !shards_inside_a_pipeline(*plan));
    const double before = comparable_seconds(*plan);
    Tier &tier = plan->cluster.tiers[*rc::gen::inRange<std::size_t>(0, plan->cluster.tiers.size())];
    tier.bandwidth_bytes_per_second *= 1.5;
    tier.latency_seconds /= 2;
    RC_ASSERT(comparable_seconds(*plan) <= before * (1 + 1e-12));
}

RC_GTEST_PROP(Step, IsNeverLongerOnAnAcceleratorWithABiggerPeakOrMemoryRate, ()) {
    // Schedules that split the backward pass are left out: where the host limits the rate, faster memory moves time
    // from W to I, and the closed forms wait for F + I - W.
    PlanChoices choices;
    choices.schedules = {"gpipe", "1f1b", "interleaved", "looped-bfs", "seq1f1b", "zb-v", "v-half", "v-min", "chimera"};
    std::optional<Plan> plan = valid_plan(*plan_documents(choices));
    RC_PRE(plan.has_value() && !shards_inside_a_pipeline(*plan));
    const double before = comparable_seconds(*plan);
    for (auto &[type, peak] : plan->cluster.accelerator.peak_flops_per_second)
        peak *= 1.3;
    const double peak = comparable_seconds(*plan);
    RC_ASSERT(peak <= before * (1 + 1e-12));
    plan->cluster.accelerator.memory_bandwidth_bytes_per_second *= 1.3;
    RC_ASSERT(comparable_seconds(*plan) <= peak * (1 + 1e-12));
}

} // namespace
} // namespace meshwright

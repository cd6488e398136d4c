// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/completed_run.h"

#include "evidence/run_plan.h"
#include "input/json_document.h"
#include "preset_plans.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {
namespace {

const RunRules &rules() {
    static const RunRules shipped(
        read_json_file(std::filesystem::path(MESHWRIGHT_PRESETS) / "evidence" / "assumptions.json"), shipped_presets());
    return shipped;
}

MeasuredRun a_run() {
    MeasuredRun run;
    run.id = "a";
    run.year = 2024;
    run.accelerator = "h100-sxm-80gb";
    run.framework = "nanotron";
    run.layers = 32;
    run.hidden = 4096;
    run.heads = 32;
    run.ffn_hidden = 14336;
    run.gated = 1;
    run.accelerators = 64;
    run.tensor = 2;
    run.pipeline = 4;
    run.context = 1;
    run.data = 8;
    run.global_batch = 256;
    run.sequence_length = 4096;
    return run;
}

MeasuredRun completed(const MeasuredRun &run) {
    std::vector<std::string> assumed;
    return completed_run(run, rules(), shipped_presets(), assumed);
}

Plan plan_from(const MeasuredRun &run) {
    RunPlan made = plan_of(run, rules(), shipped_presets());
    EXPECT_EQ(made.skipped, "");
    return std::move(made.plan);
}

TEST(CompletedRun, SolvesTheLayoutForTheDegreeThatIsBlank) {
    const auto without = [](std::optional<double> MeasuredRun::*blank) {
        MeasuredRun run = a_run();
        (run.*blank).reset();
        return completed(run).*blank;
    };
    EXPECT_EQ(without(&MeasuredRun::accelerators), 64);
    EXPECT_EQ(without(&MeasuredRun::tensor), 2);
    EXPECT_EQ(without(&MeasuredRun::pipeline), 4);
    EXPECT_EQ(without(&MeasuredRun::context), 1);
    EXPECT_EQ(without(&MeasuredRun::data), 8);
}

TEST(CompletedRun, LeavesALayoutAloneThatTwoBlanksLeaveOpen) {
    MeasuredRun run = a_run();
    run.tensor.reset();
    run.data.reset();
    EXPECT_FALSE(completed(run).tensor.has_value());
    run = a_run();
    run.tensor.reset();
    run.accelerators = 100; // not divisible by the product of the other degrees
    EXPECT_FALSE(completed(run).tensor.has_value());
}

TEST(CompletedRun, TakesTheYearFromTheAccelerator) {
    MeasuredRun run = a_run();
    run.year = 0;
    EXPECT_EQ(completed(run).year, 2024);
    run.accelerator = "a100-sxm-80gb";
    EXPECT_EQ(completed(run).year, 2022);
}

TEST(CompletedRun, FillsAModelOfTheCatalogueOnlyWhereItsShapeAgrees) {
    MeasuredRun run;
    run.model_name = "DeepSeek-V3";
    run.accelerator = "h800-80gb";
    run.layers = 61;
    run.hidden = 7168;
    run.experts = 256;
    const MeasuredRun full = completed(run);
    EXPECT_EQ(full.experts_per_token, 8);
    EXPECT_EQ(full.expert_hidden, 2048);
    EXPECT_EQ(full.shared_experts, 1);
    EXPECT_EQ(full.dense_layers, 3);
    EXPECT_EQ(full.vocabulary, 129280);
    EXPECT_EQ(full.attention, "MLA q_lora1536 kv_lora512");
    run.layers = 4;
    EXPECT_EQ(completed(run).attention, "");
}

/// Published model shapes: arXiv 2412.19437, 2405.04434, 2505.09388 (Qwen3), Moonlight's configuration, 2401.04088
/// (Mixtral).
TEST(CompletedRun, TellsTheWidthOfAnExpertFromTheDenseOne) {
    const auto width = [](double hidden, double dense, double experts, double seen, double shared) {
        MeasuredRun run = a_run();
        run.hidden = hidden;
        run.ffn_hidden = dense;
        run.experts = experts;
        run.experts_per_token = seen;
        run.shared_experts = shared;
        return completed(run).expert_hidden;
    };
    EXPECT_EQ(width(7168, 18432, 256, 8, 1), 2048);
    EXPECT_EQ(width(5120, 12288, 160, 6, 2), 1536);
    EXPECT_EQ(width(2048, 6144, 128, 8, 0), 768);
    EXPECT_EQ(width(2048, 11264, 64, 6, 2), 1408);
    EXPECT_EQ(width(4096, 14336, 8, 2, 0), 14336);
    EXPECT_EQ(width(2880, 2880, 128, 4, 0), 2880); // gpt-oss publishes the width of one expert
}

TEST(CompletedRun, TellsAGateAndTheVocabularyFromTheParameters) {
    MeasuredRun run = a_run();
    run.kv_heads = 8;
    run.parameters = 8.03e9; // Llama 3 8B
    run.tied_embeddings = 0;
    run.vocabulary = 128256;
    run.gated.reset();
    EXPECT_EQ(completed(run).gated, 1);
    run.parameters = 6.15e9; // the same model without a gate has fewer parameters
    EXPECT_EQ(completed(run).gated, 0);
    run.gated = 1;
    run.parameters = 8.03e9;
    run.vocabulary.reset();
    EXPECT_NEAR(completed(run).vocabulary.value(), 128256, 1024);
    run.parameters = 8e9; // rounded too coarsely to infer the vocabulary size
    EXPECT_EQ(completed(run).vocabulary, 128256);
    run.year = 2022;
    EXPECT_EQ(completed(run).vocabulary, 51200);
}

TEST(CompletedRun, GivesASizeTheProportionsOfLlama) {
    for (const auto &[name, parameters] :
         {std::pair{"some 7B model", 7e9}, {"13B", 13e9}, {"a 65B", 65e9}, {"405B", 405e9}, {"125M", 125e6}}) {
        MeasuredRun run = a_run();
        run.year = 2023; // models of 2022 use a vocabulary of 51,200
        run.model_name = name;
        run.layers.reset();
        run.hidden.reset();
        const MeasuredRun full = completed(run);
        const double hidden = full.hidden.value();
        const double layers = full.layers.value();
        EXPECT_NEAR(hidden / layers, 128, 20) << name;
        EXPECT_NEAR(12 * layers * hidden * hidden + 2 * 51200 * hidden, parameters, 0.1 * parameters) << name;
    }
}

TEST(CompletedRun, HasTheSequenceOfItsYear) {
    MeasuredRun run = a_run();
    run.sequence_length.reset();
    EXPECT_EQ(completed(run).sequence_length, 4096);
    run.year = 2021;
    EXPECT_EQ(completed(run).sequence_length, 2048);
}

TEST(CompletedRun, NeverLooksAtWhatWasMeasured) {
    MeasuredRun run = a_run();
    run.micro_batch.reset();
    run.global_batch.reset();
    run.sequence_length.reset();
    const Plan plain = plan_from(run);
    run.step_seconds = 3;
    run.tokens_per_second_per_accelerator = 12345;
    run.peak_memory_bytes = 5e9;
    run.outcome = "oom";
    run.ending = Ending::out_of_memory;
    EXPECT_EQ(plan_from(run), plain);
}

/// GPT-3 (arXiv 2005.14165), table 2.1.
TEST(UsualBatch, GrowsAsGpt3Did) {
    EXPECT_NEAR(usual_batch_tokens(125e6), 0.5e6, 0.1e6);
    EXPECT_DOUBLE_EQ(usual_batch_tokens(1.3e9), 1e6);
    EXPECT_NEAR(usual_batch_tokens(13e9), 2e6, 0.3e6);
    EXPECT_NEAR(usual_batch_tokens(175e9), 3.2e6, 0.3e6);
}

TEST(MicroBatch, IsTheLargestThatDoesAnyGoodAndFits) {
    MeasuredRun run = a_run();
    run.global_batch = 1024; // 128 sequences per replica
    EXPECT_EQ(plan_from(run).batch.micro_sequences, 2); // gives 8,192 tokens per microbatch
    run.sequence_length = 1024;
    EXPECT_EQ(plan_from(run).batch.micro_sequences, 4); // gives 32 microbatches, eight for each of four stages
    run.global_batch = 24;
    EXPECT_EQ(plan_from(run).batch.micro_sequences, 1); // 3 sequences per replica are not divisible by 2
}

TEST(ExpertParallelism, SpreadsOverTheNodeAndFurtherWhereMemoryAsksForIt) {
    MeasuredRun run = a_run();
    run.accelerators = run.data = 512;
    run.tensor = run.pipeline = 1;
    run.global_batch = 4096;
    run.experts = 64;
    run.experts_per_token = 4;
    run.expert_hidden = 1024;
    run.ffn_hidden = 4096;
    run.layers = 16;
    run.hidden = 2048;
    run.micro_batch = 1;
    EXPECT_EQ(plan_from(run).parallelism.expert, 8);
    run.layers = 64;
    run.hidden = 8192;
    EXPECT_GT(plan_from(run).parallelism.expert, 8);
    run.expert = 4;
    EXPECT_EQ(plan_from(run).parallelism.expert, 4);
}

TEST(Recomputation, IsTakenWhereNothingElseFits) {
    MeasuredRun run = a_run();
    run.micro_batch = 1;
    EXPECT_EQ(plan_from(run).recompute.mode, RecomputeMode::none);
    run.micro_batch = 32;
    EXPECT_EQ(plan_from(run).recompute.mode, RecomputeMode::full);
    run.recompute = "none";
    EXPECT_EQ(plan_from(run).recompute.mode, RecomputeMode::none);
}

} // namespace
} // namespace meshwright

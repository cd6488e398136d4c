// SPDX-License-Identifier: GPL-3.0-or-later
#include "layers/flops.h"
#include "layers/layer_cost.h"
#include "random_plans.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace meshwright {
namespace {

/// The GPT models of Korthikanti et al. 2022 (arXiv 2205.05198, table 3): s = 2,048, V = 51,200, tensor parallelism 8,
/// with software of 2022.
struct Gpt {
    const char *model;
    double heads, hidden, layers, micro;
};
const Gpt gpts[] = {{"korthikanti-2022-22b", 64, 6144, 48, 4},
                    {"korthikanti-2022-175b", 96, 12288, 96, 1},
                    {"korthikanti-2022-530b", 128, 20480, 105, 1},
                    {"korthikanti-2022-1t", 160, 25600, 128, 1}};
constexpr double s = 2048;

Plan plan_of_gpt(const Gpt &gpt, std::int64_t tensor, bool sequence_parallel, RecomputeMode recompute) {
    Plan plan;
    plan.cluster.accelerator = *shipped_presets().accelerator("a100-sxm-80gb");
    plan.cluster.tiers = {{"nvlink", 8, 300e9, 3e-6}};
    plan.model = *shipped_presets().model(gpt.model);
    plan.stack = *shipped_presets().stack("megatron-lm-2021");
    plan.parallelism.tensor = tensor;
    plan.parallelism.sequence_parallel = sequence_parallel;
    plan.batch = {
        .sequence_length = 2048, .global_sequences = 64, .micro_sequences = static_cast<std::int64_t>(gpt.micro)};
    plan.recompute.mode = recompute;
    return plan;
}

/// Bytes that one layer saves for backward, in units of sbh.
double kept_over_sbh(const Gpt &gpt, std::int64_t tensor, bool sequence_parallel,
                     RecomputeMode recompute = RecomputeMode::none) {
    const Plan plan = plan_of_gpt(gpt, tensor, sequence_parallel, recompute);
    const LayerCosts layers(plan, Assumptions());
    const BlockCost &block = layers.of_block(0);
    const LayerCost &cost = recompute == RecomputeMode::full ? block.recomputed : block.stored;
    return cost.saved_bytes / (s * gpt.micro * gpt.hidden);
}

constexpr double exactly = 1e-9;

TEST(Korthikanti, ALayerKeeps34Plus5asOverH) {
    for (const Gpt &gpt : gpts)
        EXPECT_NEAR(kept_over_sbh(gpt, 1, false), 34 + 5 * gpt.heads * s / gpt.hidden, exactly) << gpt.model;
}

TEST(Korthikanti, TensorParallelismKeeps10Plus24OverTPlus5asOverHT) {
    for (const Gpt &gpt : gpts)
        EXPECT_NEAR(kept_over_sbh(gpt, 8, false), 10 + 24.0 / 8 + 5 * gpt.heads * s / (gpt.hidden * 8), exactly)
            << gpt.model;
}

TEST(Korthikanti, SequenceParallelismDividesAllOfItByT) {
    for (const Gpt &gpt : gpts)
        EXPECT_NEAR(kept_over_sbh(gpt, 8, true), (34 + 5 * gpt.heads * s / gpt.hidden) / 8, exactly) << gpt.model;
}

TEST(Korthikanti, SelectiveRecomputationKeeps34OverT) {
    for (const Gpt &gpt : gpts) {
        EXPECT_NEAR(kept_over_sbh(gpt, 8, true, RecomputeMode::selective), 34.0 / 8, exactly) << gpt.model;
        EXPECT_NEAR(kept_over_sbh(gpt, 8, false, RecomputeMode::selective), 10 + 24.0 / 8, exactly) << gpt.model;
    }
}

TEST(Korthikanti, FullRecomputationKeepsTheInputOnly) {
    for (const Gpt &gpt : gpts)
        EXPECT_NEAR(kept_over_sbh(gpt, 8, false, RecomputeMode::full), 2, exactly) << gpt.model;
}

/// "We save 70 % and 65 % of the required activation memory for GPT-3 and MT-NLG" (section 5).
TEST(Korthikanti, SelectiveRecomputationSavesSeventyPercentForGpt3) {
    const auto saved = [](const Gpt &gpt) {
        return 1 - kept_over_sbh(gpt, 8, true, RecomputeMode::selective) / kept_over_sbh(gpt, 8, true);
    };
    EXPECT_NEAR(saved(gpts[1]), 0.70, 0.005);
    EXPECT_NEAR(saved(gpts[2]), 0.65, 0.005);
}

/// Sequence parallelism with selective recomputation needs about a fifth of the memory of tensor parallelism alone
/// (figure 7: "5x reduction"): the paper's equations 2 and 6 give factors of 5.1 to 6.2.
TEST(Korthikanti, BothTogetherNeedAboutAFifth) {
    for (const Gpt &gpt : gpts) {
        const double ratio = kept_over_sbh(gpt, 8, false) / kept_over_sbh(gpt, 8, true, RecomputeMode::selective);
        EXPECT_NEAR(ratio, (10 + 24.0 / 8 + 5 * gpt.heads * s / (gpt.hidden * 8)) * 8 / 34, exactly) << gpt.model;
        EXPECT_GT(ratio, 4.9) << gpt.model;
        EXPECT_LT(ratio, 6.3) << gpt.model;
    }
}

/// Hardware FLOPs of Narayanan et al. 2021 (arXiv 2104.04473, section 5.1): full recomputation, attention without a
/// causal mask.
TEST(Narayanan, AStepTakes96BslhSquaredTimesItsBracket) {
    for (const Gpt &gpt : gpts) {
        const Model &model = *shipped_presets().model(gpt.model);
        const ForwardFlops flops = forward_flops(model, s);
        const double layers = flops.matrices - flops.head + flops.attention_full;
        const double v = static_cast<double>(model.vocabulary);
        const double bracket = 1 + s / (6 * gpt.hidden) + v / (16 * gpt.layers * gpt.hidden);
        EXPECT_NEAR((4 * layers + 3 * flops.head) / (96 * gpt.layers * gpt.hidden * gpt.hidden * bracket), 1, 1e-12)
            << gpt.model;
    }
}

/// Korthikanti et al. give model FLOPs per step as 72BLsh^2 (1 + s/6h + v/12hL), for attention without a causal mask
/// (equation 7).
TEST(Korthikanti, AStepTakes72BlshSquaredTimesItsBracket) {
    for (const Gpt &gpt : gpts) {
        const Model &model = *shipped_presets().model(gpt.model);
        const ForwardFlops flops = forward_flops(model, s);
        const double v = static_cast<double>(model.vocabulary);
        const double bracket = 1 + s / (6 * gpt.hidden) + v / (12 * gpt.layers * gpt.hidden);
        EXPECT_NEAR(3 * (flops.matrices + flops.attention_full) / (72 * gpt.layers * gpt.hidden * gpt.hidden * bracket),
                    1, 1e-12)
            << gpt.model;
    }
}

/// Equation 8 of Korthikanti et al. counts selective recomputation as 12bs^2h per layer, which includes forward and
/// backward ("2.7 % and 1.6 %"). Only 4bs^2h are recomputed, and a causal mask halves this: 0.47% for GPT-3.
TEST(Korthikanti, CountSixTimesTheFlopsThatSelectiveRecomputationDoesAgain) {
    const Gpt &gpt = gpts[1];
    const Plan plan = plan_of_gpt(gpt, 8, true, RecomputeMode::selective);
    const ForwardFlops flops = forward_flops(plan.model, s);
    EXPECT_NEAR(recomputed_flops(plan), 2 * s * gpt.hidden * gpt.layers, 1);
    const double published = 12 * s * gpt.hidden * gpt.layers / (3 * (flops.matrices + flops.attention_full));
    EXPECT_NEAR(published, 0.027, 0.0005);
    EXPECT_NEAR(12 * s * gpt.hidden * gpt.layers / recomputed_flops(plan), 6, exactly);
}

TEST(FlopsPerToken, OfGpt3AreSixAMatrixWeightAndHalfOfTheAttention) {
    const Model &model = *shipped_presets().model("gpt3-175b");
    const ForwardFlops flops = forward_flops(model, s);
    const double matrices = 96 * 12 * std::pow(12288.0, 2) + 12288.0 * static_cast<double>(model.vocabulary);
    EXPECT_NEAR(3 * (flops.matrices + flops.attention), 6 * matrices + 6 * 96 * s * 12288, 1e3);
    EXPECT_NEAR(6 * matrices, 6 * 175e9, 0.003 * 6 * 175e9); // Brown et al. 2020 count 6N with N = 175e9
}

TEST(FlopsPerToken, OfLlama3Are38e24OverItsTokens) {
    const Model &model = *shipped_presets().model("llama-3.1-405b");
    const ForwardFlops flops = forward_flops(model, 8192);
    EXPECT_NEAR(6 * flops.matrices / 2 * 15.6e12, 3.8e25, 0.01 * 3.8e25); // arXiv 2407.21783, section 3.2: 3.8e25
    EXPECT_NEAR(flops.attention, 2 * 8192.0 * 16384 * 126, 1); // causal attention: half of 4 s q per layer
}

TEST(WindowedAttention, SeesItsWindowAndLessAtTheStart) {
    Model model = *shipped_presets().model("gpt3-175b");
    std::get<Attention>(model.blocks.front().mixer).window = 512;
    const double keys = 512 - 512.0 * 512 / (2 * s); // the first 512 tokens attend to half as many on average
    EXPECT_NEAR(forward_flops(model, s).attention, 96 * 4 * keys * 12288, 1);
}

/// Activations that each recomputation module of Megatron-Core frees in a gated layer: norms, latent projections and
/// the experts' activation free their output, attention frees its scores, and feed-forward networks free everything
/// except their input (TransformerConfig, recompute_modules).
class RecomputedModule : public ::testing::Test {
protected:
    static double kept(const char *model, const std::vector<std::string> &modules) {
        Plan plan = preset_plan("ten-to-25");
        plan.model = *shipped_presets().model(model);
        plan.parallelism = {};
        plan.recompute = {
            .mode = modules.empty() ? RecomputeMode::none : RecomputeMode::modules, .layers = 0, .modules = modules};
        return LayerCosts(plan, Assumptions()).of_block(plan.model.blocks.size() - 1).stored.saved_bytes / 4096;
    }
};

TEST_F(RecomputedModule, LayernormFreesTheInputsOfBothProjections) {
    EXPECT_NEAR(kept("llama-3.1-8b", {}) - kept("llama-3.1-8b", {"layernorm"}), 2 * 2 * 4096, exactly);
}

TEST_F(RecomputedModule, MlpFreesAllButTheInputThatItStartsFrom) {
    // Frees gate, up and their product; the output of the norm stays.
    EXPECT_NEAR(kept("llama-3.1-8b", {}) - kept("llama-3.1-8b", {"mlp"}), 2 * 3 * 14336, exactly);
    EXPECT_NEAR(kept("llama-3.1-8b", {}) - kept("llama-3.1-8b", {"mlp", "layernorm"}), 2 * 3 * 14336 + 4 * 4096,
                exactly);
}

TEST_F(RecomputedModule, MoeActFreesTheActivationsOutput) {
    EXPECT_NEAR(kept("mixtral-8x7b", {}) - kept("mixtral-8x7b", {"moe_act"}), 2 * 2 * 14336, exactly);
}

TEST_F(RecomputedModule, MlaUpProjFreesQueriesKeysAndValues) {
    // 128 heads with 192 elements per query, 128 per key without position, 128 per value.
    EXPECT_NEAR(kept("deepseek-v3", {}) - kept("deepseek-v3", {"mla_up_proj"}), 2 * 128 * (192 + 128 + 128), exactly);
}

TEST_F(RecomputedModule, CountsOnlyInItsOwnMode) {
    Plan plan = preset_plan("ten-to-25");
    plan.recompute = {};
    const double none = LayerCosts(plan, Assumptions()).of_block(0).stored.saved_bytes;
    plan.recompute.modules = {"mlp"}; // ignored, because the mode is not "modules"
    EXPECT_EQ(LayerCosts(plan, Assumptions()).of_block(0).stored.saved_bytes, none);
    EXPECT_EQ(LayerCosts(plan, Assumptions()).of_block(0).stored.recompute_seconds, 0);
}

RC_GTEST_PROP(Layer, KeepsLessOrTheSameWithAnythingRecomputed, ()) {
    PlanChoices choices;
    choices.recomputes = {"none"};
    choices.offloaded_activations = {0}; // recomputation would shorten copies to the host
    std::optional<Plan> plan = valid_plan(*plan_documents(choices));
    RC_PRE(plan.has_value());
    const LayerCosts kept(*plan, Assumptions());
    plan->recompute = {.mode = RecomputeMode::modules,
                       .layers = 0,
                       .modules =
                           *rc::gen::unique<std::vector<std::string>>(rc::gen::elementOf(recompute_module_names()))};
    const LayerCosts some(*plan, Assumptions());
    for (std::size_t i = 0; i < plan->model.blocks.size(); ++i) {
        const BlockCost &block = some.of_block(i);
        RC_ASSERT(block.stored.saved_bytes <= kept.of_block(i).stored.saved_bytes);
        RC_ASSERT(block.stored.saved_bytes >= 0);
        RC_ASSERT(block.stored.seconds() >= kept.of_block(i).stored.seconds());
        RC_ASSERT(block.recomputed.saved_bytes <= kept.of_block(i).stored.saved_bytes);
        RC_ASSERT(block.recomputed.seconds() >= kept.of_block(i).stored.seconds());
    }
}

RC_GTEST_PROP(Experts, WaitForTheRankWithMostTokens, ()) {
    Plan plan;
    plan.cluster = *shipped_presets().cluster("dgx-h100");
    plan.cluster.tiers.back().accelerators = 64;
    plan.model = *shipped_presets().model("deepseek-v3");
    plan.stack = *shipped_presets().stack("megatron-core-2025");
    plan.parallelism.data = 64;
    plan.parallelism.expert = std::int64_t{1} << *rc::gen::inRange(1, 7);
    plan.batch = {.sequence_length = 4096, .global_sequences = 64, .micro_sequences = 1};
    const auto seconds = [&](double variation) {
        return LayerCosts(plan, Assumptions({{"expert-load-variation", variation}, {"host-time-factor", 0.25}}))
            .of_block(plan.model.blocks.size() - 1)
            .stored.compute_seconds();
    };
    RC_ASSERT(seconds(0.2) > seconds(0));
    RC_ASSERT(seconds(0.4) > seconds(0.2));
}

} // namespace
} // namespace meshwright
